import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

export const PAGE_LANGS = ['en', 'zh'] as const
export type PageLang = (typeof PAGE_LANGS)[number]

const address = z.object({ path: z.string(), frame: z.string(), prerendered: z.boolean().default(false) })
export type Address = z.infer<typeof address>

/** The built portal: a page without contents for every address; in both languages, pages prerendered whole for some and in part for others. */
export interface BuiltPortal {
  /** Whatever an address of the portal shows before its code has run. */
  shell: string
  /** None when the build lists no addresses: then every one is taken for known. */
  addresses: readonly Address[]
  /** The page that the build made for an address of the list, whole or in part; it holds `{{origin}}` where the portal's own address belongs. */
  prerendered(path: string, lang: PageLang): string | undefined
  /** What stands at the top of the services host. */
  servicesHome(lang: PageLang): string | undefined
}

const SERVICES_HOME = 'services-host.html'

/** Reads what the build of the portal has left in a folder; nothing when it was not built. */
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

/** Whether a path is one of `/chain/tx/$hash`: `$` stands for anything between two strokes. */
function fits(pattern: string, plain: string): boolean {
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

/** The address of the list that a request is for. Two addresses differ by a capital alone; any other may be written in any case. */
export function addressFor(addresses: readonly Address[], pathname: string, slug: string | null): Address | undefined {
  const plain = pathname.replace(/(?<=[^/])\/$/, '')
  const found =
    addresses.find(({ path }) => path === plain) ??
    addresses.find(({ path }) => path.toLowerCase() === plain.toLowerCase()) ??
    addresses.find(({ path }) => fits(path, plain))
  if (!found || !slug) return found
  const articles = addresses.filter(({ path }) => path.startsWith(`${found.path}?slug=`))
  return articles.length === 0 ? found : articles.find(({ path }) => path === `${found.path}?slug=${slug}`)
}
