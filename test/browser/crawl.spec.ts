import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { addressAt, addresses } from '../../apps/web/src/addresses.ts'
import {
  accessibilityViolations,
  data,
  expect,
  long,
  operator,
  type Texts,
  test,
  type View,
  views,
} from './test-env.ts'

/** Addresses that redirect, or need parameters. */
const elsewhere = new Set(['/signup', '/ext_download'])
const all = Object.values(addresses).filter(
  // Without a container console session only its sign-in page exists.
  ({ path }) => !elsewhere.has(path) && (!path.startsWith('/console') || path === addresses.workspacesLogin.path),
)
const [article = '', ...otherArticles] = readdirSync(
  fileURLToPath(new URL('../../apps/web/content/learn', import.meta.url)),
)
  .filter((name) => name.endsWith('.en.md'))
  .map((name) => `${addresses.article.path}?slug=${name.replace('.en.md', '')}`)
const open = [
  ...all.filter(({ frame }) => frame !== 'console').map(({ path }) => path),
  ...['code', 'signup', 'reset'].map((mode) => `/login?mode=${mode}`),
  '/nowhere',
  article,
]
const signedIn = all.filter(({ frame }) => frame === 'console').map(({ path }) => path)
const VIEWS = ['overview', 'chats', 'users', 'nodes', 'leads', 'supports', 'orders', 'clusters', 'mails', 'audit']
/** Pages of the operator area; for everyone else they do not exist. */
const operators = VIEWS.map((view) => `${addresses.admin.path}?view=${view}`)

/** Pages whose accessibility `npm test` checks, in both color schemes: together they use most components. `npm run test:long` checks all. */
const CHECKED = new Set<string>([
  addresses.home.path,
  article,
  '/login?mode=signup',
  addresses.files.path,
  addresses.myCenter.path,
  addresses.network.path,
  addresses.developer.path,
  addresses.account.path,
  `${addresses.admin.path}?view=nodes`,
])
/** Pages with the footer. */
const footed = new Set<string>(all.filter(({ frame }) => frame === 'site').map(({ path }) => path))

/** Names and terms that are the same in both languages. */
const NAMES =
  /^(?:[\d\s\p{P}\p{S}]|Tidenet|English|EN|CID|CIDs|SDK|CLI|API|HTTP|HTTPS|URL|JSON|CSV|TSV|PDF|QR|MD5|SHA-?256|IPFS|CAR|tar|tus|UnixFS|PostgreSQL|Node\.js|Node|npm|Linux|macOS|Mac|Windows|Android|iOS|VIP|PCDN|CDN|AI|IP|IPs|TNT4?|cTNT|TTNT|TIDE|Keplr|GitHub|Kubo|age|Geist|Mono|WebAssembly|React|TypeScript|Chromium|Chrome|Firefox|Safari|L1|L2|TB|GB|MB|KB|GiB|MiB|KiB|TiB|B|s|ms|RAM|CPU|UTC|GET|POST|HEAD|RFC|CosmJS|CosmWasm|CometBFT|Docker|Kubernetes|X|Telegram|Discord|curl|rclone|DCDN|DAG|HAMT|Ed25519|JWT|argon2id|TLS|NAT|SMTP|OpenAPI|Markdown|WebM|MP[34]|WAV|UID|TXT|ID)+$/u

/** Visible texts of a page in the wrong language, except code, file names and user input. */
async function foreign(page: Page, lang: 'en' | 'zh'): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const skip = 'script, style, code, pre, kbd, samp, .font-mono, [translate=no], svg text, input, textarea, option'
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      const text = node.textContent?.trim() ?? ''
      if (!text || !parent || parent.closest(skip) || !parent.checkVisibility()) continue
      found.push(text)
    }
    const labels = [...document.querySelectorAll('[aria-label], [title], [alt], [placeholder]')].flatMap((element) =>
      element.closest('[translate=no]')
        ? []
        : ['aria-label', 'title', 'alt', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
    )
    return [...found, ...labels, document.title].filter(Boolean)
  })
  const chinese = /[\u3400-\u9fff]/
  if (lang === 'en') return texts.filter((text) => chinese.test(text) && !/^中(文)?$/.test(text))
  // Three or more words without a Chinese character are a missing translation, except e-mail addresses.
  return texts.filter(
    (text) =>
      !chinese.test(text) &&
      !NAMES.test(text) &&
      !/^\S+@\S+$/.test(text) &&
      (text.match(/[A-Za-z]{2,}/g)?.length ?? 0) >= 3,
  )
}

/** Broken links of this page: unknown addresses, missing anchors, foreign hosts. */
async function deadLinks(page: Page, known: Map<string, boolean>): Promise<string[]> {
  const links = await page.evaluate(() =>
    [...document.querySelectorAll('a[href]')].map((link) => ({
      href: (link as HTMLAnchorElement).href,
      raw: link.getAttribute('href') ?? '',
    })),
  )
  const dead: string[] = []
  for (const { href, raw } of links) {
    const target = new URL(href)
    if (target.protocol === 'mailto:') continue
    if (target.origin !== new URL(page.url()).origin) {
      // Only download links point to nodes; all other external links go through /redirect.
      if (!/^(127\.0\.0\.1|localhost)$/.test(target.hostname)) dead.push(raw)
      continue
    }
    const here = target.pathname === new URL(page.url()).pathname
    if (here && target.hash.length > 1) {
      const there = await page.evaluate(
        (id) => document.getElementById(decodeURIComponent(id)) !== null,
        target.hash.slice(1),
      )
      if (!there) dead.push(raw)
      continue
    }
    if (addressAt(target.pathname)) continue
    const address = target.origin + target.pathname
    if (!known.has(address)) {
      // External sign-in redirects to the service, or back with an error.
      const away = /\/oauth\/\w+\/start$/.test(address)
      const answer = await page.request.get(address, away ? { maxRedirects: 0 } : {})
      const isFile = answer.ok() && !/text\/html/.test(answer.headers()['content-type'] ?? '')
      known.set(address, away ? answer.status() === 302 : isFile)
      if (/\/dev\/mailbox/.test(address)) known.set(address, true)
    }
    if (!known.get(address)) dead.push(raw)
  }
  return [...new Set(dead)]
}

// This file takes longest; running its tests in parallel keeps it from finishing last.
test.describe.configure({ mode: 'parallel' })

const PAGES_A_TEST = 8
const WIDTHS = long ? [390, 768, 1280, 1920] : [390, 1280]
const groups = Array.from({ length: Math.ceil(open.length / PAGES_A_TEST) }, (_, index) =>
  open.slice(index * PAGES_A_TEST, (index + 1) * PAGES_A_TEST),
)
/** Pages that share a title because they depend on the account or ask to sign in. */
const TITLED_ALIKE = /share|distributionstatus|group|login|admin$/i

for (const view of views)
  test.describe(`${view.name}: every address`, () => {
    test.use({ view })

    // English texts are longer: in 中文 the narrowest width is enough. The last width is that of the next page.
    const widths =
      long || view.lang === 'en' ? [...WIDTHS.filter((each) => each !== view.width), view.width] : [view.width]

    const crawl = (page: Page, at: (path: string) => string, t: Texts) => {
      const problems: string[] = []
      const titles = new Map<string, string>()
      const known = new Map<string, boolean>()
      const visit = async (path: string) => {
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
        await page.goto(at(path))
        await expect(page.locator('h1').first(), path).toBeVisible()
        // The design page shows loading indicators.
        if (path !== addresses.designLanguage.path) await expect(page.getByText(t.words.loading)).toHaveCount(0)
        const title = await page.title()
        const twin = titles.get(title)
        if (twin && twin !== path && !TITLED_ALIKE.test(path)) problems.push(`${path}: the title of ${twin}`)
        titles.set(title, path)
        if ((await page.locator('h1').count()) !== 1) problems.push(`${path}: not one h1`)
        for (const text of await foreign(page, view.lang)) problems.push(`${path}: foreign “${text.slice(0, 80)}”`)
        for (const link of await deadLinks(page, known)) problems.push(`${path}: dead link ${link}`)
      }
      const look = async (path: string) => {
        await visit(path)
        if (footed.has(path) && (await page.getByRole('contentinfo').filter({ visible: true }).count()) !== 1)
          problems.push(`${path}: not one footer`)
        // Contrast is 80 % of the cost and does not depend on the language.
        const isWide = view.width >= 1024
        if (long || (isWide && CHECKED.has(path)))
          for (const barrier of await accessibilityViolations(page, [], isWide ? [] : ['color-contrast']))
            problems.push(`${path}, light: ${barrier}`)
        if (isWide && (long || CHECKED.has(path))) {
          await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
          for (const barrier of await accessibilityViolations(page, ['color-contrast']))
            problems.push(`${path}, dark: ${barrier}`)
        }
        for (const width of widths) {
          if (widths.length > 1) await page.setViewportSize({ width, height: view.height })
          const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
          if (over > 0) problems.push(`${path}, ${width} px: ${over} px overflowX`)
        }
      }
      return { problems, visit, look }
    }

    for (const group of groups)
      test(`${group[0]} and related pages: language, links, layout, accessibility`, async ({
        page,
        at,
        expected,
        t,
      }) => {
        test.setTimeout(240_000)
        // Unknown addresses also answer with HTTP 404.
        expected.push(/404/)
        const { problems, look } = crawl(page, at, t)
        for (const path of group) await look(path)
        expect(problems).toEqual([])
      })

    test('other articles: language and links', { tag: '@long' }, async ({ page, at, t }) => {
      test.setTimeout(240_000)
      const { problems, visit } = crawl(page, at, t)
      for (const path of otherArticles) await visit(path)
      expect(problems).toEqual([])
    })

    test('console and operator area: language, links, layout, accessibility', async ({ page, user, signIn, at, t }) => {
      test.setTimeout(400_000)
      const { problems, look } = crawl(page, at, t)
      await data('folders.create', { name: 'Harbour', parent: 0 }, user.token)
      await data('apiKeys.create', { key_name: 'harbour', perms: 'readFile' }, user.token)
      await signIn(page, user)
      for (const path of signedIn) await look(path)
      await signIn(page, await operator())
      for (const path of [addresses.security.path, addresses.account.path, ...operators]) await look(path)
      expect(problems).toEqual([])
    })

    test('no two public pages have the same title', async ({ page, at }) => {
      const titles = new Map<string, string>()
      for (const path of open.filter((each) => !TITLED_ALIKE.test(each))) {
        const html = await (await page.request.get(at(path))).text()
        const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? ''
        expect(titles.get(title), `${path}: ${title}`).toBeUndefined()
        titles.set(title, path)
      }
    })
  })

/** Each language at a width that the other views do not cover. */
const crossed: readonly View[] = [
  { name: 'English, 390 px', lang: 'en', width: 390, height: 844 },
  { name: '中文, 1280 px', lang: 'zh', width: 1280, height: 900 },
]
for (const view of crossed)
  test.describe(`${view.name}: headers and menus`, () => {
    test.use({ view })

    test('language, layout and accessibility', { tag: '@long' }, async ({ page, user, signIn, at, t }) => {
      test.slow()
      const problems: string[] = []
      const look = async (what: string) => {
        for (const text of await foreign(page, view.lang)) problems.push(`${what}: foreign “${text.slice(0, 80)}”`)
        const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        if (over > 0) problems.push(`${what}: ${over} px overflowX`)
        // In `npm test`, menus.spec.ts checks it at the usual widths only.
        if (long) for (const barrier of await accessibilityViolations(page)) problems.push(`${what}: ${barrier}`)
      }
      const visit = async (path: string, menus: readonly string[]) => {
        await page.goto(at(path))
        await expect(page.locator('h1').first(), path).toBeVisible()
        await expect(page.getByText(t.words.loading)).toHaveCount(0)
        await look(path)
        const narrow = view.width < 1024
        for (const name of narrow ? [t.shell.openMenu] : menus) {
          const menu = page.locator('header').getByRole('button', { name }).first()
          await menu.click()
          await expect(page.locator('[data-panel]:visible, [role=menu], [role=dialog]').first()).toBeVisible()
          await look(`${path}, ${name}`)
          await page.keyboard.press('Escape')
        }
      }
      const links = [t.menus.userNetwork, t.menus.webServices, t.pages.learn]
      // One page of each frame, and more with `npm run test:long`.
      const site = long ? ['/', '/services', '/login'] : ['/']
      const inConsole = long ? ['/dashboard', '/fileStorage', '/myAccount'] : ['/dashboard']
      for (const path of site) await visit(path, [...links, t.language.label, t.theme.label])
      await signIn(page, user)
      for (const path of ['/about', ...inConsole]) await visit(path, [t.shell.account])
      expect(problems).toEqual([])
    })
  })
