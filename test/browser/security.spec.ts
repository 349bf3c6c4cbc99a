import type { CDPSession, Page } from '@playwright/test'
import { codeAt } from '../../apps/server/src/identity/second-factors/totp.ts'
import { texts as accountsEn } from '../../apps/web/src/features/accounts/texts.en.ts'
import { texts as accountsZh } from '../../apps/web/src/features/accounts/texts.zh.ts'
import { texts as recentAuthEn } from '../../apps/web/src/features/recent-auth/texts.en.ts'
import { texts as recentAuthZh } from '../../apps/web/src/features/recent-auth/texts.zh.ts'
import { texts as en } from '../../apps/web/src/features/security/texts.en.ts'
import { texts as zh } from '../../apps/web/src/features/security/texts.zh.ts'
import {
  accessibilityViolations,
  test as base,
  call,
  clearLogin,
  data,
  expect,
  type TestUser,
  viewsFor,
} from './test-env.ts'

const STEP = 30_000

interface Device {
  /** Whether the user confirms requests. */
  touch(present: boolean): Promise<void>
  passkeys(): Promise<number>
}

interface Words {
  s: typeof en
  a: typeof accountsEn
  r: typeof recentAuthEn
}

/** Passkeys need a host name, not an IP address. */
const named = (address: string) => address.replace('127.0.0.1', 'localhost')

const test = base.extend<{ w: Words; localhostUrl: (path: string) => string }>({
  w: async ({ view }, use) =>
    use(view.lang === 'zh' ? { s: zh, a: accountsZh, r: recentAuthZh } : { s: en, a: accountsEn, r: recentAuthEn }),
  localhostUrl: async ({ at, context, view }, use) => {
    await context.addCookies([{ name: 'lang', value: view.lang, url: named(at('/')) }])
    await use((path) => named(at(path)))
  },
})

/** A virtual platform authenticator, such as a fingerprint reader. */
async function addAuthenticator(page: Page): Promise<Device> {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    touch: async (present) => {
      await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: present })
    },
    passkeys: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}

/** Stores a session in the browser, as signing in does. */
async function storeSession(page: Page, origin: string, user: TestUser): Promise<void> {
  const { token } = await data<{ token: string }>('accounts.login', {
    username: user.email,
    password: user.password,
  })
  const userinfo = { uid: user.uid, vip: false, account: user.email }
  const state = { token, address: user.uid, emailAddress: user.email, userinfo }
  await page.goto(`${origin}/theme.js`)
  await page.evaluate(
    (kept) => localStorage.setItem('tidenet.login', JSON.stringify({ state: kept, version: 1 })),
    state,
  )
}

/** Enables one-time codes by API; the time step after the confirming one is the first that is accepted. */
async function enableTotp({ email, password }: TestUser): Promise<{ secret: string; recovery: string[] }> {
  const { token } = await data<{ token: string }>('accounts.login', { username: email, password })
  const { secret } = await data<{ secret: string }>('secondFactors.startTotp', {}, token)
  // The code of the previous time step, so that the current one stays unused.
  const code = codeAt(secret, Date.now() - STEP)
  const { recovery } = await data<{ recovery: string[] }>('secondFactors.confirmTotp', { code }, token)
  return { secret, recovery }
}

for (const view of viewsFor('wide'))
  test.describe(`${view.name}: security`, () => {
    test.use({ view })
    test.setTimeout(120_000)

    test('adds a passkey, signs in with it, renames and removes it', async ({ page, user, t, w, localhostUrl }) => {
      const { s, a } = w
      const device = await addAuthenticator(page)
      await storeSession(page, localhostUrl(''), user)
      await page.goto(localhostUrl('/security'))
      await expect(page.getByRole('heading', { level: 1, name: t.pages.security })).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByRole('button', { name: s.passkeys.add }).click()
      const name = page.getByRole('textbox', { name: s.passkeys.name })
      // Before the device makes a passkey that the account does not take.
      await name.fill('har/bour')
      await page.getByRole('button', { name: s.passkeys.go }).click()
      await expect(page.getByText(t.files.nameForbidden)).toBeVisible()
      await expect(name).toBeFocused()
      expect(await device.passkeys()).toBe(0)
      await name.fill('harbour')
      await page.getByRole('button', { name: s.passkeys.go }).click()
      await expect(page.getByText('harbour')).toBeVisible()
      expect(await device.passkeys()).toBe(1)
      await page.getByRole('button', { name: s.passkeys.renameOf('harbour') }).click()
      await page.getByRole('textbox', { name: s.passkeys.name }).fill('quay')
      await page.getByRole('button', { name: t.words.save }).click()
      await expect(page.getByRole('button', { name: s.passkeys.removeOf('quay') })).toBeVisible()

      // With the button, in a browser without passkey autofill.
      await page.addInitScript(() => {
        if (sessionStorage.getItem('plain')) PublicKeyCredential.isConditionalMediationAvailable = async () => false
      })
      await clearLogin(page)
      await page.evaluate(() => sessionStorage.setItem('plain', 'yes'))
      await page.goto(localhostUrl('/login?redirect=/security'))
      await expect(page.getByRole('button', { name: a.passkeyIn })).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByRole('button', { name: a.passkeyIn }).click()
      await expect(page).toHaveURL(localhostUrl('/security'))
      await expect(page.getByText(s.signIns.ways.passkey, { exact: true }).first()).toBeVisible()

      // With passkey autofill, which this device answers at once.
      await clearLogin(page)
      await page.evaluate(() => sessionStorage.removeItem('plain'))
      await page.goto(localhostUrl('/login?redirect=/security'))
      await expect(page).toHaveURL(localhostUrl('/security'))

      await page.getByRole('button', { name: s.passkeys.removeOf('quay') }).click()
      await page.getByRole('dialog').getByRole('button', { name: s.passkeys.remove, exact: true }).click()
      await expect(page.getByText(s.passkeys.none)).toBeVisible()
      await clearLogin(page)
      await page.goto(localhostUrl('/login'))
      await expect(page.getByRole('alert').filter({ hasText: /./ })).toBeVisible()
      await expect(page).toHaveURL(/\/login/)
    })

    test('sets up one-time codes, signs in with them and with a recovery code, and turns them off', async ({
      page,
      user,
      t,
      w,
      localhostUrl,
    }) => {
      const { s } = w
      await storeSession(page, localhostUrl(''), user)
      await page.goto(localhostUrl('/security'))
      await page.getByRole('button', { name: s.totp.turnOn, exact: true }).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByRole('img', { name: s.totp.qr })).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      const secret = (await dialog.locator('code').innerText()).replaceAll(/\s/g, '')
      await dialog.getByLabel(s.totp.confirm).fill(codeAt(secret, Date.now() - STEP))
      await dialog.getByRole('button', { name: s.totp.confirmGo }).click()
      await expect(dialog.getByRole('heading', { name: s.recovery.onceTitle })).toBeVisible()
      const recovery = await dialog.getByRole('listitem').allInnerTexts()
      expect(recovery).toHaveLength(10)
      expect(await accessibilityViolations(page)).toEqual([])
      await dialog.getByRole('button', { name: s.recovery.kept }).click()
      await expect(page.getByText(s.recovery.left(10))).toBeVisible()

      const enter = async () => {
        await clearLogin(page)
        await page.goto(localhostUrl('/login?redirect=/security'))
        await page.getByLabel(t.accounts.email).fill(user.email)
        await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(user.password)
        await page.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
        await expect(page.getByRole('heading', { level: 1, name: s.step.title })).toBeVisible()
      }
      await enter()
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByLabel(s.step.totp).fill(codeAt(secret, Date.now()))
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(localhostUrl('/security'))

      await enter()
      await page.getByRole('button', { name: s.step.useRecovery }).click()
      await page.getByLabel(s.step.recovery).fill(recovery[0] as string)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(localhostUrl('/security'))
      await expect(page.getByText(s.recovery.left(9))).toBeVisible()

      await page.getByRole('button', { name: s.totp.turnOff, exact: true }).click()
      await page.getByLabel(s.totp.offCode).fill(recovery[1] as string)
      await page.getByRole('dialog').getByRole('button', { name: s.totp.turnOff, exact: true }).click()
      await expect(page.getByText(s.recovery.idle)).toBeVisible()
      expect((await call('accounts.login', { username: user.email, password: user.password })).code).toBe(0)
    })

    test('uses a passkey as second factor', { tag: '@long' }, async ({ page, user, t, w, localhostUrl }) => {
      const { s } = w
      const device = await addAuthenticator(page)
      await storeSession(page, localhostUrl(''), user)
      await page.goto(localhostUrl('/security'))
      await page.getByRole('button', { name: s.passkeys.add }).click()
      await page.getByRole('button', { name: s.passkeys.go }).click()
      await page.getByRole('checkbox', { name: s.passkeys.required }).click()
      await page.getByRole('button', { name: s.recovery.kept }).click()
      await expect(page.getByRole('checkbox', { name: s.passkeys.required })).toBeChecked()
      await device.touch(false)
      await clearLogin(page)
      await page.goto(localhostUrl('/login?redirect=/security'))
      await page.getByLabel(t.accounts.email).fill(user.email)
      await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(user.password)
      await page.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name: s.step.title })).toBeVisible()
      await device.touch(true)
      await page.getByRole('button', { name: s.step.usePasskey }).click()
      await expect(page).toHaveURL(localhostUrl('/security'))
    })

    test('lists sessions, ends one, all others, and all', async ({ page, user, w, at, signIn }) => {
      const { s } = w
      const other = async () =>
        (await data<{ token: string }>('accounts.login', { username: user.email, password: user.password })).token
      const alive = async (token: string) => (await call('accounts.vipInfo', {}, token)).code === 0
      const lost = await other()
      await signIn(page, user)
      await page.goto(at('/security'))
      const list = page.getByRole('region').or(page.locator('section')).filter({ hasText: s.sessions.title })
      await expect(list.getByText(s.sessions.current)).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      for (const each of await list.getByRole('button', { name: s.sessions.endOf('Node.js') }).all()) await each.click()
      await expect.poll(() => alive(lost), { timeout: 5000 }).toBe(false)
      const another = await other()
      await page.reload()
      await list.getByRole('button', { name: s.sessions.others }).click()
      await page.getByRole('dialog').getByRole('button', { name: s.sessions.others }).click()
      await expect.poll(() => alive(another), { timeout: 5000 }).toBe(false)
      await expect(list.getByText(s.sessions.only)).toBeVisible()
      await list.getByRole('button', { name: s.sessions.all }).click()
      await page.getByRole('dialog').getByRole('button', { name: s.sessions.all }).click()
      await expect(page).not.toHaveURL(at('/security'))
      await expect.poll(() => alive(user.token), { timeout: 5000 }).toBe(false)
    })

    test('rejects wrong, used and guessed codes, unconfirmed passkeys, and open redirects', { tag: '@long' }, async ({
      page,
      user,
      t,
      w,
      localhostUrl,
    }) => {
      const { s, a } = w
      const { secret, recovery } = await enableTotp(user)
      const password = async (redirect = '') => {
        await page.goto(localhostUrl(`/login${redirect && `?redirect=${encodeURIComponent(redirect)}`}`))
        await page.getByLabel(t.accounts.email).fill(user.email)
        await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(user.password)
        await page.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
        await expect(page.getByRole('heading', { level: 1, name: s.step.title })).toBeVisible()
      }
      const alert = page.getByRole('alert').filter({ hasText: /./ })
      await password()
      await page.getByLabel(s.step.totp).fill('12345')
      await page.getByRole('button', { name: s.step.go, exact: true }).click()
      await expect(page.getByText(w.r.codeProblem)).toBeVisible()
      await page.getByLabel(s.step.totp).fill(codeAt(secret, Date.now() - 3_600_000))
      await page.getByRole('button', { name: s.step.go, exact: true }).click()
      await expect(alert).toBeVisible()
      // A reload discards the first step.
      await page.reload()
      await expect(page.getByRole('heading', { level: 1, name: t.accounts.signInTitle })).toBeVisible()

      for (const redirect of [
        '//evil.test/',
        'https://evil.test/',
        '/\\evil.test',
        'javascript:alert(1)',
        '/\t/evil.test',
      ]) {
        const used = recovery.shift() as string
        await password(redirect)
        await page.getByRole('button', { name: s.step.useRecovery }).click()
        await page.getByLabel(s.step.recovery).fill(used)
        await page.keyboard.press('Enter')
        await expect(page).not.toHaveURL(/\/login/)
        expect(new URL(page.url()).host).toBe(new URL(localhostUrl('/')).host)
        await clearLogin(page)
        if (recovery.length > 6) continue
        await password()
        await page.getByRole('button', { name: s.step.useRecovery }).click()
        await page.getByLabel(s.step.recovery).fill(used)
        await page.keyboard.press('Enter')
        await expect(alert).toBeVisible()
      }

      const device = await addAuthenticator(page)
      await device.touch(false)
      await page.goto(localhostUrl('/login'))
      await page.getByRole('button', { name: a.passkeyIn }).click()
      await expect(page).toHaveURL(/\/login/)
      expect(await page.evaluate(() => localStorage.getItem('tidenet.login') ?? '')).not.toContain('eyJ')
    })
  })
