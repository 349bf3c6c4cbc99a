import type { CDPSession, Page } from '@playwright/test'
import { codeAt } from '../../apps/server/src/identity/second-factors/totp.ts'
import { texts as accountsEn } from '../../apps/web/src/features/accounts/texts.en.ts'
import { texts as accountsZh } from '../../apps/web/src/features/accounts/texts.zh.ts'
import { texts as en } from '../../apps/web/src/features/security/texts.en.ts'
import { texts as zh } from '../../apps/web/src/features/security/texts.zh.ts'
import { barriers, test as base, call, data, expect, forgetLogin, journeys, type Person } from './world.ts'

const STEP = 30_000

interface Device {
  /** Whether its holder touches it when it is asked. */
  touch(there: boolean): Promise<void>
  passkeys(): Promise<number>
}

interface Words {
  s: typeof en
  a: typeof accountsEn
}

/** Browsers give passkeys to names alone, so the portal is asked for as localhost. */
const named = (address: string) => address.replace('127.0.0.1', 'localhost')

const test = base.extend<{ w: Words; there: (path: string) => string }>({
  w: async ({ view }, use) => use(view.lang === 'zh' ? { s: zh, a: accountsZh } : { s: en, a: accountsEn }),
  there: async ({ at, context, view }, use) => {
    await context.addCookies([{ name: 'lang', value: view.lang, url: named(at('/')) }])
    await use((path) => named(at(path)))
  },
})

/** An authenticator of this machine, such as a fingerprint reader. */
async function deviceOf(page: Page): Promise<Device> {
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
    touch: async (there) => {
      await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: there })
    },
    passkeys: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}

/** Puts a session into the browser, as signing in does. */
async function signedIn(page: Page, origin: string, person: Person): Promise<void> {
  const { token } = await data<{ token: string }>('accounts.login', {
    username: person.email,
    password: person.password,
  })
  const userinfo = { uid: person.uid, vip: false, account: person.email }
  const state = { token, address: person.uid, emailAddress: person.email, userinfo }
  await page.goto(`${origin}/theme.js`)
  await page.evaluate(
    (kept) => localStorage.setItem('tidenet.login', JSON.stringify({ state: kept, version: 1 })),
    state,
  )
}

/** Turns one-time codes on by call; the step after the confirming one is the first that is good. */
async function withTotp({ email, password }: Person): Promise<{ secret: string; recovery: string[] }> {
  const { token } = await data<{ token: string }>('accounts.login', { username: email, password })
  const { secret } = await data<{ secret: string }>('secondFactors.startTotp', {}, token)
  // One of the step before: the present one stays good for the test.
  const code = codeAt(secret, Date.now() - STEP)
  const { recovery } = await data<{ recovery: string[] }>('secondFactors.confirmTotp', { code }, token)
  return { secret, recovery }
}

for (const view of journeys('wide'))
  test.describe(`${view.name}: security`, () => {
    test.use({ view })
    test.setTimeout(120_000)

    test('a passkey is added, signs in, is renamed and removed', async ({ page, person, t, w, there }) => {
      const { s, a } = w
      const device = await deviceOf(page)
      await signedIn(page, there(''), person)
      await page.goto(there('/security'))
      await expect(page.getByRole('heading', { level: 1, name: t.pages.security })).toBeVisible()
      expect(await barriers(page)).toEqual([])
      await page.getByRole('button', { name: s.passkeys.add }).click()
      await page.getByRole('textbox', { name: s.passkeys.name }).fill('harbour')
      await page.getByRole('button', { name: s.passkeys.go }).click()
      await expect(page.getByText('harbour')).toBeVisible()
      expect(await device.passkeys()).toBe(1)
      await page.getByRole('button', { name: s.passkeys.renameOf('harbour') }).click()
      await page.getByRole('textbox', { name: s.passkeys.name }).fill('quay')
      await page.getByRole('button', { name: t.words.save }).click()
      await expect(page.getByRole('button', { name: s.passkeys.removeOf('quay') })).toBeVisible()

      // By the button, in a browser that has no such list.
      await page.addInitScript(() => {
        if (sessionStorage.getItem('plain')) PublicKeyCredential.isConditionalMediationAvailable = async () => false
      })
      await forgetLogin(page)
      await page.evaluate(() => sessionStorage.setItem('plain', 'yes'))
      await page.goto(there('/login?redirect=/security'))
      await expect(page.getByRole('button', { name: a.passkeyIn })).toBeVisible()
      expect(await barriers(page)).toEqual([])
      await page.getByRole('button', { name: a.passkeyIn }).click()
      await expect(page).toHaveURL(there('/security'))
      await expect(page.getByText(s.signIns.ways.passkey, { exact: true }).first()).toBeVisible()

      // By the list under the field, which this device answers at once.
      await forgetLogin(page)
      await page.evaluate(() => sessionStorage.removeItem('plain'))
      await page.goto(there('/login?redirect=/security'))
      await expect(page).toHaveURL(there('/security'))

      await page.getByRole('button', { name: s.passkeys.removeOf('quay') }).click()
      await page.getByRole('dialog').getByRole('button', { name: s.passkeys.remove, exact: true }).click()
      await expect(page.getByText(s.passkeys.none)).toBeVisible()
      await forgetLogin(page)
      await page.goto(there('/login'))
      await expect(page.getByRole('alert').filter({ hasText: /./ })).toBeVisible()
      await expect(page).toHaveURL(/\/login/)
    })

    test('one-time codes are set up, asked for, recovered from and turned off', async ({
      page,
      person,
      t,
      w,
      there,
    }) => {
      const { s } = w
      await signedIn(page, there(''), person)
      await page.goto(there('/security'))
      await page.getByRole('button', { name: s.totp.turnOn, exact: true }).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByRole('img', { name: s.totp.qr })).toBeVisible()
      expect(await barriers(page)).toEqual([])
      const secret = (await dialog.locator('code').innerText()).replaceAll(/\s/g, '')
      await dialog.getByLabel(s.totp.confirm).fill(codeAt(secret, Date.now() - STEP))
      await dialog.getByRole('button', { name: s.totp.confirmGo }).click()
      await expect(dialog.getByRole('heading', { name: s.recovery.onceTitle })).toBeVisible()
      const recovery = await dialog.getByRole('listitem').allInnerTexts()
      expect(recovery).toHaveLength(10)
      expect(await barriers(page)).toEqual([])
      await dialog.getByRole('button', { name: s.recovery.kept }).click()
      await expect(page.getByText(s.recovery.left(10))).toBeVisible()

      const enter = async () => {
        await forgetLogin(page)
        await page.goto(there('/login?redirect=/security'))
        await page.getByLabel(t.accounts.email).fill(person.email)
        await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(person.password)
        await page.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
        await expect(page.getByRole('heading', { level: 1, name: s.step.title })).toBeVisible()
      }
      await enter()
      expect(await barriers(page)).toEqual([])
      await page.getByLabel(s.step.totp).fill(codeAt(secret, Date.now()))
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(there('/security'))

      await enter()
      await page.getByRole('button', { name: s.step.useRecovery }).click()
      await page.getByLabel(s.step.recovery).fill(recovery[0] as string)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(there('/security'))
      await expect(page.getByText(s.recovery.left(9))).toBeVisible()

      await page.getByRole('button', { name: s.totp.turnOff, exact: true }).click()
      await page.getByLabel(s.totp.offCode).fill(recovery[1] as string)
      await page.getByRole('dialog').getByRole('button', { name: s.totp.turnOff, exact: true }).click()
      await expect(page.getByText(s.recovery.idle)).toBeVisible()
      expect((await call('accounts.login', { username: person.email, password: person.password })).code).toBe(0)
    })

    test('a passkey is the second step where one is asked for', async ({ page, person, t, w, there }) => {
      const { s } = w
      const device = await deviceOf(page)
      await signedIn(page, there(''), person)
      await page.goto(there('/security'))
      await page.getByRole('button', { name: s.passkeys.add }).click()
      await page.getByRole('button', { name: s.passkeys.go }).click()
      await page.getByRole('checkbox', { name: s.passkeys.required }).click()
      await page.getByRole('button', { name: s.recovery.kept }).click()
      await expect(page.getByRole('checkbox', { name: s.passkeys.required })).toBeChecked()
      await device.touch(false)
      await forgetLogin(page)
      await page.goto(there('/login?redirect=/security'))
      await page.getByLabel(t.accounts.email).fill(person.email)
      await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(person.password)
      await page.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name: s.step.title })).toBeVisible()
      await device.touch(true)
      await page.getByRole('button', { name: s.step.usePasskey }).click()
      await expect(page).toHaveURL(there('/security'))
    })

    test('sessions are shown, and ended one by one, all others, and everywhere', async ({
      page,
      person,
      w,
      at,
      signIn,
    }) => {
      const { s } = w
      const other = async () =>
        (await data<{ token: string }>('accounts.login', { username: person.email, password: person.password })).token
      const alive = async (token: string) => (await call('accounts.vipInfo', {}, token)).code === 0
      const lost = await other()
      await signIn(page, person)
      await page.goto(at('/security'))
      const list = page.getByRole('region').or(page.locator('section')).filter({ hasText: s.sessions.title })
      await expect(list.getByText(s.sessions.current)).toBeVisible()
      expect(await barriers(page)).toEqual([])
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
      await expect.poll(() => alive(person.token), { timeout: 5000 }).toBe(false)
    })

    test('refused are wrong, used and guessed codes, a passkey that nobody confirms, and ways out of the portal', async ({
      page,
      person,
      t,
      w,
      there,
    }) => {
      const { s, a } = w
      const { secret, recovery } = await withTotp(person)
      const password = async (redirect = '') => {
        await page.goto(there(`/login${redirect && `?redirect=${encodeURIComponent(redirect)}`}`))
        await page.getByLabel(t.accounts.email).fill(person.email)
        await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(person.password)
        await page.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
        await expect(page.getByRole('heading', { level: 1, name: s.step.title })).toBeVisible()
      }
      const alert = page.getByRole('alert').filter({ hasText: /./ })
      await password()
      await page.getByLabel(s.step.totp).fill('12345')
      await page.getByRole('button', { name: s.step.go, exact: true }).click()
      await expect(page.getByText(s.step.codeProblem)).toBeVisible()
      await page.getByLabel(s.step.totp).fill(codeAt(secret, Date.now() - 3_600_000))
      await page.getByRole('button', { name: s.step.go, exact: true }).click()
      await expect(alert).toBeVisible()
      // A page that is loaded again has forgotten the first step.
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
        expect(new URL(page.url()).host).toBe(new URL(there('/')).host)
        await forgetLogin(page)
        if (recovery.length > 6) continue
        await password()
        await page.getByRole('button', { name: s.step.useRecovery }).click()
        await page.getByLabel(s.step.recovery).fill(used)
        await page.keyboard.press('Enter')
        await expect(alert).toBeVisible()
      }

      const device = await deviceOf(page)
      await device.touch(false)
      await page.goto(there('/login'))
      await page.getByRole('button', { name: a.passkeyIn }).click()
      await expect(page).toHaveURL(/\/login/)
      expect(await page.evaluate(() => localStorage.getItem('tidenet.login') ?? '')).not.toContain('eyJ')
    })
  })
