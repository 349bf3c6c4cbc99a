/** What becomes of an address that somebody is sent to from here. */
export type Verdict =
  /** A page of this portal. */
  | { kind: 'inside'; href: string }
  /** On the operator's list: the person is taken there. */
  | { kind: 'allowed'; url: string; host: string }
  /** An address that this portal itself links to: the person is asked. */
  | { kind: 'known'; url: string; host: string }
  | {
      kind: 'refused'
      why: 'scheme' | 'credentials' | 'form' | 'host' | 'loop' | 'missing'
      text: string
      host?: string
    }

interface Rules {
  /** Of this portal. */
  origin: string
  /** Hosts of the operator's list, with their port when it is not the usual one. */
  hosts: readonly string[]
  /** Whole addresses that pages of this portal lead to. */
  known: readonly string[]
}

/** Browsers drop these, or read a backslash as a slash: what is left leads elsewhere than it looks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are refused
const TRICKS = /[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff\\]/

/** Decides where an address may lead. Whatever is not plainly one of the first three is refused. */
export function judge(text: string | undefined, { origin, hosts, known }: Rules): Verdict {
  if (!text) return { kind: 'refused', why: 'missing', text: '' }
  const refuse = (why: 'scheme' | 'credentials' | 'form' | 'host' | 'loop', host?: string): Verdict => ({
    kind: 'refused',
    why,
    text,
    ...(host && { host }),
  })
  if (TRICKS.test(text) || text.startsWith('//')) return refuse('form')
  const url = text.startsWith('/') ? URL.parse(text, origin) : URL.parse(text)
  if (!url) return refuse(/^[a-z][a-z0-9+.-]*:/i.test(text) ? 'form' : 'scheme')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('scheme')
  // `https:host` and `https:/host` are read as `https://host` by browsers alone.
  if (!text.startsWith('/') && !/^https?:\/\/[^/]/i.test(text)) return refuse('form')
  if (url.username || url.password || /^https?:\/\/[^/?#]*@/i.test(text)) return refuse('credentials', url.host)
  if (url.origin === origin) {
    const href = url.pathname + url.search + url.hash
    // `/.//host` becomes `//host`.
    if (href.startsWith('//')) return refuse('form')
    return /^\/redirect\/?$/i.test(url.pathname) ? refuse('loop') : { kind: 'inside', href }
  }
  const { host, href } = url
  if (hosts.some((each) => each.toLowerCase() === host)) return { kind: 'allowed', url: href, host }
  if (known.some((each) => URL.parse(each)?.href === href)) return { kind: 'known', url: href, host }
  return refuse('host', host)
}
