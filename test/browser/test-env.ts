import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { AxeBuilder } from '@axe-core/playwright'
import { type BrowserContext, expect, type Page, test as playwright } from '@playwright/test'
import { paths } from '@tidenet/contract/paths.gen'
import { texts as accountsEn } from '../../apps/web/src/features/accounts/texts.en.ts'
import { texts as accountsZh } from '../../apps/web/src/features/accounts/texts.zh.ts'
import { texts as consentEn } from '../../apps/web/src/features/consent/texts.en.ts'
import { texts as consentZh } from '../../apps/web/src/features/consent/texts.zh.ts'
import { texts as filesEn } from '../../apps/web/src/features/files/texts.en.ts'
import { texts as filesZh } from '../../apps/web/src/features/files/texts.zh.ts'
import { texts as versionsEn } from '../../apps/web/src/features/files/version-texts.en.ts'
import { texts as versionsZh } from '../../apps/web/src/features/files/version-texts.zh.ts'
import { texts as keysEn } from '../../apps/web/src/features/keys/texts.en.ts'
import { texts as keysZh } from '../../apps/web/src/features/keys/texts.zh.ts'
import { texts as consoleEn } from '../../apps/web/src/features/shell/console-texts.en.ts'
import { texts as consoleZh } from '../../apps/web/src/features/shell/console-texts.zh.ts'
import { texts as transfersEn } from '../../apps/web/src/features/transfers/texts.en.ts'
import { texts as transfersZh } from '../../apps/web/src/features/transfers/texts.zh.ts'
import { en as shellEn } from '../../apps/web/src/locales/en.ts'
import { texts as pagesEn } from '../../apps/web/src/locales/pages.en.ts'
import { texts as pagesZh } from '../../apps/web/src/locales/pages.zh.ts'
import { zh as shellZh } from '../../apps/web/src/locales/zh.ts'
import { texts as claimEn } from '../../apps/web/src/ui/metric-texts.en.ts'
import { texts as claimZh } from '../../apps/web/src/ui/metric-texts.zh.ts'
import { texts as namesEn } from '../../apps/web/src/ui/name-texts.en.ts'
import { texts as namesZh } from '../../apps/web/src/ui/name-texts.zh.ts'
import { texts as pagerEn } from '../../apps/web/src/ui/pager-texts.en.ts'
import { texts as pagerZh } from '../../apps/web/src/ui/pager-texts.zh.ts'

/** Texts of every page, and those that many tests use. */
const en = {
  ...shellEn,
  pages: pagesEn as typeof pagesZh,
  shell: { ...shellEn.shell, ...consoleEn },
  claims: claimEn,
  cookies: consentEn,
  accounts: accountsEn.form,
  files: { ...namesEn, ...pagerEn },
  keys: keysEn.page,
}
export type Texts = typeof en
const zh: Texts = {
  ...shellZh,
  pages: pagesZh,
  shell: { ...shellZh.shell, ...consoleZh },
  claims: claimZh,
  cookies: consentZh,
  accounts: accountsZh.form,
  files: { ...namesZh, ...pagerZh },
  keys: keysZh.page,
}

/** Language and window size of a test. */
export interface View {
  name: string
  lang: 'en' | 'zh'
  width: number
  height: number
}

const wide: View = { name: 'English, 1280 px', lang: 'en', width: 1280, height: 900 }
const narrow: View = { name: '中文, 390 px', lang: 'zh', width: 390, height: 844 }
export const views: readonly View[] = [wide, narrow]
const large: View = { name: '中文, 1920 px', lang: 'zh', width: 1920, height: 1080 }

/** `npm run test:long`: every view and color scheme, with animations. */
export const long = process.env.TIDENET_TEST_VIEWS === 'all'

/**
 * The views that a file is tested in: the more relevant one, and all with `npm run test:long`. crawl.spec.ts checks every page in both
 * languages, and in English at all widths.
 */
export const viewsFor = (most: 'wide' | 'narrow'): readonly View[] =>
  long ? [...views, large] : [most === 'wide' ? wide : narrow]

export interface TestUser {
  email: string
  password: string
  token: string
  uid: string
}

export interface TestEnv {
  view: View
  /** The texts of the page's language. */
  t: Texts
  /** The URL of a path of the portal. */
  at: (path: string) => string
  /** A page in a separate browser context; its console errors fail the test too. */
  visitor: () => Promise<Page>
  /** A new account. */
  user: TestUser
  /** Stores a session in the browser, without using the sign-in form. */
  signIn: (page: Page, user: TestUser) => Promise<void>
  /** Browser errors that the test causes on purpose. */
  expected: RegExp[]
  /** A file on disk with random or given bytes. */
  file: (name: string, bytes?: number | Buffer) => { path: string; bytes: Buffer }
}

const url = (): string => {
  const { TIDENET_URL } = process.env
  if (!TIDENET_URL) throw new Error('test/browser/global-setup.ts has not started a network')
  return TIDENET_URL
}

export const test = playwright.extend<TestEnv>({
  view: [wide, { option: true }],
  t: async ({ view }, use) => use(view.lang === 'zh' ? zh : en),
  at: async ({ browserName: _ }, use) => use((path) => url() + path),
  expected: async ({ browserName: _ }, use) => use([]),
  viewport: async ({ view }, use) => use({ width: view.width, height: view.height }),
  context: async ({ context, view, expected }, use) => {
    const browserErrors = await prepare(context, view)
    await use(context)
    expect(browserErrors.filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([])
  },
  visitor: async ({ browser, view, expected }, use) => {
    const opened: { context: BrowserContext; browserErrors: string[] }[] = []
    await use(async () => {
      const context = await browser.newContext({ viewport: { width: view.width, height: view.height } })
      opened.push({ context, browserErrors: await prepare(context, view) })
      return context.newPage()
    })
    for (const { context, browserErrors } of opened) {
      await context.close()
      expect(browserErrors.filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([])
    }
  },
  user: async ({ browserName: _ }, use) => use(await createAccount()),
  signIn: async ({ at }, use) =>
    use(async (page, user) => {
      const session = {
        token: user.token,
        address: user.uid,
        emailAddress: user.email,
        userinfo: { uid: user.uid, vip: false, account: user.email },
      }
      // Any file of the portal, for its origin.
      await page.goto(at('/theme.js'))
      await page.evaluate(
        (state) => localStorage.setItem('tidenet.login', JSON.stringify({ state, version: 1 })),
        session,
      )
    }),
  file: async ({ browserName: _ }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'tidenet-browser-'))
    await use((name, content = 1000) => {
      const bytes = typeof content === 'number' ? randomBytes(content) : content
      const path = join(folder, name)
      writeFileSync(path, bytes)
      return { path, bytes }
    })
    rmSync(folder, { recursive: true, force: true })
  },
})

/** Sets the language and collects browser errors. */
async function prepare(context: BrowserContext, view: View): Promise<string[]> {
  const browserErrors: string[] = []
  // Analytics consent is declined; tests of the consent banner remove this.
  await context.addInitScript(() => {
    // Blank and sandboxed pages have no storage.
    if (!location.protocol.startsWith('http') || origin === 'null') return
    if (!localStorage.getItem('tidenet.cookies')) localStorage.setItem('tidenet.cookies', 'declined')
  })
  await context.addCookies([{ name: 'lang', value: view.lang, url: url() }])
  context.on('console', (message) => {
    // Containers started by other tests change the machine's network interfaces.
    if (message.type() === 'error' && !message.text().includes('net::ERR_NETWORK_CHANGED'))
      browserErrors.push(message.text())
  })
  context.on('weberror', (error) => browserErrors.push(error.error().message))
  return browserErrors
}

/** Calls an operation. @returns the envelope */
export async function call(
  name: keyof typeof paths,
  input: Record<string, unknown> = {},
  token = '',
): Promise<{ code: number; err?: number; msg?: string; data?: never }> {
  const { method, path } = paths[name]
  const search = new URLSearchParams(Object.entries(input).map(([key, value]) => [key, String(value)]))
  const answer = await fetch(url() + path + (method === 'GET' ? `?${search}` : ''), {
    method,
    headers: { lang: 'en', 'content-type': 'application/json', ...(token && { JwtAuthorization: `Bearer ${token}` }) },
    ...(method === 'POST' && { body: JSON.stringify(input) }),
  })
  return (await answer.json()) as Awaited<ReturnType<typeof call>>
}

/** Calls an operation. @returns its data; throws on errors */
export async function data<T>(name: keyof typeof paths, input: Record<string, unknown> = {}, token = ''): Promise<T> {
  const answer = await call(name, input, token)
  if (answer.code !== 0) throw new Error(`${name}: ${answer.msg}`)
  return answer.data as T
}

export const freshEmail = (): string => `p${randomBytes(6).toString('hex')}@tidenet.example`

/** The latest code e-mailed to an address, other than `not`. */
export async function codeFor(email: string, not = ''): Promise<string> {
  let code = ''
  await expect(async () => {
    const answer = await fetch(`${url()}/dev/mailbox.json?to=${encodeURIComponent(email)}`)
    const { mails } = (await answer.json()) as { mails: { code: string | null }[] }
    code = mails[0]?.code ?? ''
    expect(code).toMatch(/^\d{6}$/)
    expect(code).not.toBe(not)
  }).toPass({ timeout: 15_000 })
  return code
}

export const PASSWORD = 'Tide-2026.ok'

/** Requests a code from a random loopback address, because the daily limit counts per IP address. */
async function sendCode(email: string): Promise<void> {
  const { port } = new URL(url())
  const localAddress =
    process.platform === 'linux' ? `127.${[1, 2, 3].map(() => randomInt(1, 255)).join('.')}` : undefined
  const answer = await new Promise<{ code: number; msg?: string }>((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path: paths['accounts.verifyCode'].path,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        ...(localAddress && { localAddress }),
      },
      (response) => void json(response).then((body) => resolve(body as { code: number }), reject),
    )
    sent.on('error', reject)
    sent.end(JSON.stringify({ username: email, type: 1 }))
  })
  if (answer.code !== 0) throw new Error(answer.msg)
}

/** Creates another account. */
export const createUser = (): Promise<TestUser> => createAccount()

async function createAccount(): Promise<TestUser> {
  const email = freshEmail()
  await sendCode(email)
  await data('accounts.register', { username: email, password: PASSWORD, verify_code: await codeFor(email) })
  const { token } = await data<{ token: string }>('accounts.login', { username: email, password: PASSWORD })
  const { uid } = await data<{ uid: string }>('accounts.vipInfo', {}, token)
  return { email, password: PASSWORD, token, uid }
}

/** The operator of the test network. */
export async function operator(): Promise<TestUser> {
  const people = JSON.parse(process.env.TIDENET_BROWSER_PEOPLE ?? '[]') as { signIn: string; password: string }[]
  const one = people.find(({ signIn }) => signIn.startsWith('operator@'))
  if (!one) throw new Error('the network has no operator')
  const { token } = await data<{ token: string }>('accounts.login', { username: one.signIn, password: one.password })
  const { uid } = await data<{ uid: string }>('accounts.vipInfo', {}, token)
  return { email: one.signIn, password: one.password, token, uid }
}

/** Types a code into its six fields. */
export async function typeCode(page: Page, t: Texts, code: string): Promise<void> {
  await page.getByRole('textbox', { name: t.accounts.code }).click()
  await page.keyboard.type(code)
}

/** Deletes the session in the browser only, on a page without scripts that would store it again. */
export async function clearLogin(page: Page): Promise<void> {
  await page.goto(new URL('/robots.txt', page.url()).href)
  await page.evaluate(() => localStorage.removeItem('tidenet.login'))
}

export const filesWords = (t: Texts) =>
  t === zh
    ? { ...filesZh, transfers: transfersZh, versions: versionsZh }
    : { ...filesEn, transfers: transfersEn, versions: versionsEn }

/** Chooses files for an upload through the menu of the files page. */
export async function uploadTo(page: Page, t: Texts, what: 'files' | 'folder', path: string | string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: filesWords(t).files.upload, exact: true }).click()
  const item = what === 'files' ? filesWords(t).files.uploadFiles : filesWords(t).files.uploadFolder
  await page.getByRole('menuitem', { name: item, exact: true }).click()
  await (await chooser).setFiles(path)
}

/** Throttles the browser's network; bytes per second. */
export async function throttle(
  page: Page,
  up: number,
  down = -1,
): Promise<{ free: () => Promise<unknown>; cut: () => Promise<unknown> }> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const set = (uploadThroughput: number, downloadThroughput: number, offline = false) =>
    devtools.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput,
      uploadThroughput,
    })
  await set(up, down)
  return { free: () => set(-1, -1), cut: () => set(up, down, true) }
}

/** Counts what the user presses from now on, until the page is loaded again. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = window as unknown as { clicks: number }
    counted.clicks = 0
    window.addEventListener('pointerdown', ({ isTrusted }) => isTrusted && counted.clicks++, { capture: true })
  })
  return () => page.evaluate(() => (window as unknown as { clicks: number }).clicks)
}

/** Opens the menu of a row on the files page and selects an action. */
export async function act(page: Page, t: Texts, name: string, action: string): Promise<void> {
  await page.getByLabel(filesWords(t).files.actions(name), { exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** Clicks and waits for a download. @returns its name and bytes */
export async function downloaded(page: Page, click: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const waiting = page.waitForEvent('download')
  await click()
  const download = await waiting
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

/** How much the content of a page has moved since it was loaded: the sum of its layout shifts. */
export const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    let sum = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
    await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)))
    return sum
  })

/** Serious and critical axe violations of the page, or only of its open dialog; of `rules` only if given, except `without`. */
export async function accessibilityViolations(
  page: Page,
  rules: string[] = [],
  without: string[] = [],
): Promise<string[]> {
  // Fading texts have a lower contrast.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  // Violations only, in legacy mode: three times as fast as with an extra page.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  // Focus guards at the ends of an open menu or dialog.
  axe.exclude('[data-base-ui-focus-guard]')
  // The page behind an open dialog.
  axe.exclude('[data-base-ui-inert][aria-hidden=true]')
  if (rules.length > 0) axe.withRules(rules)
  if (without.length > 0) axe.disableRules(without)
  const { violations } = await axe.analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
}

export { expect }

/** Whether the page is wider than the screen. */
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
