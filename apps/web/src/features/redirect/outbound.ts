/** How a redirect target is handled. */
export type Verdict =
  /** A page of this portal. */
  | { kind: 'inside'; href: string }
  /** Its host is on the operator's list: redirect at once. */
  | { kind: 'allowed'; url: string; host: string }
  /** The portal itself links to it: ask first. */
  | { kind: 'known'; url: string; host: string }
  | {
      kind: 'refused'
      why: 'scheme' | 'credentials' | 'form' | 'host' | 'loop' | 'missing'
      text: string
      host?: string
    }

interface Rules {
  /** Origin of this portal. */
  origin: string
  /** The operator's allowed hosts, with the port unless it is the default one. */
  hosts: readonly string[]
  /** URLs that pages of this portal link to. */
  known: readonly string[]
}

/** Browsers drop these characters or treat a backslash as a slash, so the URL would lead elsewhere than it seems. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are refused
const DECEPTIVE = /[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff\\]/

/** Decides whether a redirect target is allowed. Anything not clearly inside, allowed or known is refused. */
export function checkOutbound(text: string | undefined, { origin, hosts, known }: Rules): Verdict {
  if (!text) return { kind: 'refused', why: 'missing', text: '' }
  const refuse = (why: 'scheme' | 'credentials' | 'form' | 'host' | 'loop', host?: string): Verdict => ({
    kind: 'refused',
    why,
    text,
    ...(host && { host }),
  })
  if (DECEPTIVE.test(text) || text.startsWith('//')) return refuse('form')
  const url = text.startsWith('/') ? URL.parse(text, origin) : URL.parse(text)
  if (!url) return refuse(/^[a-z][a-z0-9+.-]*:/i.test(text) ? 'form' : 'scheme')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('scheme')
  // Browsers treat `https:host` and `https:/host` as `https://host`.
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
