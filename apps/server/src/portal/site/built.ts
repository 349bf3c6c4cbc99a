import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

export const PAGE_LANGS = ['en', 'zh'] as const
export type PageLang = (typeof PAGE_LANGS)[number]

const address = z.object({ path: z.string(), frame: z.string(), prerendered: z.boolean().default(false) })
export type Address = z.infer<typeof address>

/** The built portal: an empty page for every address, and pages prerendered in both languages, fully or in part. */
export interface BuiltPortal {
  /** The page without content, for addresses that are not prerendered. */
  shell: string
  /** Empty if the build has no list of addresses; then every address is known. */
  addresses: readonly Address[]
  /** The prerendered page of an address; `{{origin}}` in it stands for the portal's origin. */
  prerendered(path: string, lang: PageLang): string | undefined
  /** The home page of the services host. */
  servicesHome(lang: PageLang): string | undefined
}

const SERVICES_HOME = 'services-host.html'

/** Reads the build of the portal; undefined if it was not built. */
export function readBuilt(folder: string): BuiltPortal | undefined {
  const shell = join(folder, 'index.html')
  if (!existsSync(shell)) return undefined
  const list = join(folder, 'addresses.json')
  const addresses = existsSync(list) ? z.array(address).parse(JSON.parse(readFileSync(list, 'utf8'))) : []
  const read = (...path: string[]) => {
    const file = join(folder, ...path)
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }
  const pages = new Map<string, string>()
  for (const lang of PAGE_LANGS)
    for (const { path, prerendered } of addresses) {
      const text = read(prerendered ? 'prerendered' : 'shells', lang, fileOf(path))
      if (text !== undefined) pages.set(`${lang} ${path}`, text)
    }
  const services = { en: read('shells', 'en', SERVICES_HOME), zh: read('shells', 'zh', SERVICES_HOME) }
  return {
    shell: readFileSync(shell, 'utf8'),
    addresses,
    prerendered: (path, lang) => pages.get(`${lang} ${path}`),
    servicesHome: (lang) => services[lang],
  }
}

/** `/` index.html, `/privacy-policy` privacy-policy.html, `/learndetail?slug=x` learndetail/x.html */
export function fileOf(path: string): string {
  const [plain = '', slug] = path.split('?slug=')
  if (plain === '/') return 'index.html'
  return slug === undefined ? `${plain.slice(1)}.html` : `${plain.slice(1)}/${slug}.html`
}

/** Whether a path matches a pattern such as `/chain/tx/$hash`, where `$…` is any non-empty segment. */
function matches(pattern: string, plain: string): boolean {
  const wanted = pattern.split('/')
  const parts = plain.split('/')
  return (
    wanted.length === parts.length &&
    wanted.every((each, index) => {
      const part = parts[index] ?? ''
      return each.startsWith('$') ? part !== '' : each.toLowerCase() === part.toLowerCase()
    })
  )
}

/** Finds the address of a request: first by exact case, because two addresses differ only in case, then ignoring case. */
export function addressFor(addresses: readonly Address[], pathname: string, slug: string | null): Address | undefined {
  const plain = pathname.replace(/(?<=[^/])\/$/, '')
  const found =
    addresses.find(({ path }) => path === plain) ??
    addresses.find(({ path }) => path.toLowerCase() === plain.toLowerCase()) ??
    addresses.find(({ path }) => matches(path, plain))
  if (!found || !slug) return found
  const articles = addresses.filter(({ path }) => path.startsWith(`${found.path}?slug=`))
  return articles.length === 0 ? found : articles.find(({ path }) => path === `${found.path}?slug=${slug}`)
}
