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
import { texts as namesEn } from '../../apps/web/src/features/files/name-texts.en.ts'
import { texts as namesZh } from '../../apps/web/src/features/files/name-texts.zh.ts'
import { texts as filesEn } from '../../apps/web/src/features/files/texts.en.ts'
import { texts as filesZh } from '../../apps/web/src/features/files/texts.zh.ts'
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
import { texts as pagerEn } from '../../apps/web/src/ui/pager-texts.en.ts'
import { texts as pagerZh } from '../../apps/web/src/ui/pager-texts.zh.ts'

/** Words of every page, and those that many journeys come by. */
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

/** How the portal is looked at. */
export interface View {
  name: string
  lang: 'en' | 'zh'
  width: number
  height: number
}

const wide: View = { name: 'English, 1280 px', lang: 'en', width: 1280, height: 900 }
const narrow: View = { name: '中文, 390 px', lang: 'zh', width: 390, height: 844 }
export const views: readonly View[] = [wide, narrow]

/**
 * The views that the journeys of a file are made in: the one that shows most of it, and both with `npm run test:long`. Every page is looked
 * at in both languages and at all widths by crawl.spec.ts.
 */
export const journeys = (most: 'wide' | 'narrow'): readonly View[] =>
  process.env.TIDENET_TEST_VIEWS === 'all' ? views : [most === 'wide' ? wide : narrow]

export interface Person {
  email: string
  password: string
  token: string
  uid: string
}

export interface World {
  view: View
  /** The texts of the page's language. */
  t: Texts
  /** The whole address of a path of the portal. */
  at: (path: string) => string
  /** A browser of its own, as someone else would use; watched like the first one. */
  visitor: () => Promise<Page>
  /** Somebody with a fresh account. */
  person: Person
  /** Signs somebody in to the pages of a browser without typing. */
  signIn: (page: Page, person: Person) => Promise<void>
  /** Complaints of the browser that a test brings about itself. */
  expected: RegExp[]
  /** A file on disk with random bytes, or the ones given. */
  file: (name: string, bytes?: number | Buffer) => { path: string; bytes: Buffer }
}

const url = (): string => {
  const { TIDENET_URL } = process.env
  if (!TIDENET_URL) throw new Error('test/browser/network.ts has not started a network')
  return TIDENET_URL
}

export const test = playwright.extend<World>({
  view: [wide, { option: true }],
  t: async ({ view }, use) => use(view.lang === 'zh' ? zh : en),
  at: async ({ browserName: _ }, use) => use((path) => url() + path),
  expected: async ({ browserName: _ }, use) => use([]),
  viewport: async ({ view }, use) => use({ width: view.width, height: view.height }),
  context: async ({ context, view, expected }, use) => {
    const complaints = await prepare(context, view)
    await use(context)
    expect(complaints.filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([])
  },
  visitor: async ({ browser, view, expected }, use) => {
    const opened: { context: BrowserContext; complaints: string[] }[] = []
    await use(async () => {
      const context = await browser.newContext({ viewport: { width: view.width, height: view.height } })
      opened.push({ context, complaints: await prepare(context, view) })
      return context.newPage()
    })
    for (const { context, complaints } of opened) {
      await context.close()
      expect(complaints.filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([])
    }
  },
  person: async ({ browserName: _ }, use) => use(await openAccount()),
  signIn: async ({ at }, use) =>
    use(async (page, person) => {
      const session = {
        token: person.token,
        address: person.uid,
        emailAddress: person.email,
        userinfo: { uid: person.uid, vip: false, account: person.email },
      }
      // Any file of the portal will do: what counts is its origin.
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

/** Sets the language and collects everything that a browser complains about. */
async function prepare(context: BrowserContext, view: View): Promise<string[]> {
  const complaints: string[] = []
  // The question whether visits may be counted was answered; whoever asks about it takes the answer away.
  await context.addInitScript(() => {
    // A page that is blank or sealed off has no storage.
    if (!location.protocol.startsWith('http') || origin === 'null') return
    if (!localStorage.getItem('tidenet.cookies')) localStorage.setItem('tidenet.cookies', 'declined')
  })
  await context.addCookies([{ name: 'lang', value: view.lang, url: url() }])
  context.on('console', (message) => {
    // Containers beside the tests come and go, and the machine's network with them: no page did that.
    if (message.type() === 'error' && !message.text().includes('net::ERR_NETWORK_CHANGED'))
      complaints.push(message.text())
  })
  context.on('weberror', (error) => complaints.push(error.error().message))
  return complaints
}

/** Calls an operation and gives the whole envelope. */
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

/** The same, for what has to succeed. */
export async function data<T>(name: keyof typeof paths, input: Record<string, unknown> = {}, token = ''): Promise<T> {
  const answer = await call(name, input, token)
  if (answer.code !== 0) throw new Error(`${name}: ${answer.msg}`)
  return answer.data as T
}

export const freshEmail = (): string => `p${randomBytes(6).toString('hex')}@tidenet.example`

/** The newest code mailed to somebody, other than `not`. */
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

/** Has a code sent as if from anywhere: one address gets only so many a day, and all of 127.0.0.0/8 is this machine. */
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

/** Somebody else with a fresh account. */
export const anotherPerson = (): Promise<Person> => openAccount()

async function openAccount(): Promise<Person> {
  const email = freshEmail()
  await sendCode(email)
  await data('accounts.register', { username: email, password: PASSWORD, verify_code: await codeFor(email) })
  const { token } = await data<{ token: string }>('accounts.login', { username: email, password: PASSWORD })
  const { uid } = await data<{ uid: string }>('accounts.vipInfo', {}, token)
  return { email, password: PASSWORD, token, uid }
}

/** The operator that every fresh network has. */
export async function operator(): Promise<Person> {
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

/** Words of the files of an account, in the language of `t`. */
/** The browser forgets who was signed in, and no server is told; from a page whose scripts cannot write it down once more. */
export async function forgetLogin(page: Page): Promise<void> {
  await page.goto(new URL('/robots.txt', page.url()).href)
  await page.evaluate(() => localStorage.removeItem('tidenet.login'))
}

export const filesWords = (t: Texts) =>
  t === zh ? { ...filesZh, transfers: transfersZh } : { ...filesEn, transfers: transfersEn }

/** Chooses files for an upload through the menu of the files page. */
export async function uploadTo(page: Page, t: Texts, what: 'files' | 'folder', path: string | string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: filesWords(t).files.upload, exact: true }).click()
  const item = what === 'files' ? filesWords(t).files.uploadFiles : filesWords(t).files.uploadFolder
  await page.getByRole('menuitem', { name: item, exact: true }).click()
  await (await chooser).setFiles(path)
}

/** What is done with one row of the files page. */
export async function act(page: Page, t: Texts, name: string, action: string): Promise<void> {
  await page.getByLabel(filesWords(t).files.actions(name), { exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** The bytes that a click brings onto the disk, and the name they come with. */
export async function downloaded(page: Page, click: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const waiting = page.waitForEvent('download')
  await click()
  const download = await waiting
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

/** What axe calls serious or critical; of these rules alone, when some are named, and never of those left out. */
export async function barriers(page: Page, rules: string[] = [], without: string[] = []): Promise<string[]> {
  // Words that are just fading in are not yet what they will be.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  // Only what is wrong, and gathered in the page itself: thrice as fast as by way of a page of its own.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  // The ends of an open menu or dialog, which hand the focus on at once.
  axe.exclude('[data-base-ui-focus-guard]')
  if (rules.length > 0) axe.withRules(rules)
  if (without.length > 0) axe.disableRules(without)
  const { violations } = await axe.analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
}

export { expect }
