import {
  accessibilityViolations,
  call,
  codeFor,
  data,
  expect,
  freshEmail,
  PASSWORD,
  test,
  typeCode,
  viewsFor,
} from './test-env.ts'

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })

    test('signs up with the e-mailed code and continues to the requested page', async ({ page, t, at }) => {
      const email = freshEmail()
      await page.goto(at('/key'))
      await expect(page).toHaveURL(/\/\?redirect=/)
      await expect(page.getByLabel(t.accounts.email)).toBeFocused()
      await page.getByRole('link', { name: t.accounts.toSignUp }).click()
      await page.getByLabel(t.accounts.email).fill(email)
      await page.getByRole('button', { name: t.accounts.sendCode }).click()
      await expect(page.getByText(t.accounts.codeSent(email))).toBeVisible()
      await expect(page.getByRole('link', { name: t.accounts.mailbox })).toBeVisible()
      await typeCode(page, t, await codeFor(email))
      await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(PASSWORD)
      await page.getByLabel(t.accounts.confirm).fill(PASSWORD)
      await page.getByRole('checkbox').click()
      await page.getByRole('button', { name: t.accounts.signUp }).click()
      await expect(page).toHaveURL(at('/key'))
      await expect(page.getByRole('heading', { name: t.keys.title, level: 1 })).toBeVisible()
    })

    test('signs in with a password and with a verification code', async ({ page, visitor, user, t, at }) => {
      await page.goto(at('/login'))
      await page.getByLabel(t.accounts.email).fill(user.email)
      await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(user.password)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(at('/fileStorage'))

      const other = await visitor()
      await other.goto(at('/login?mode=code'))
      const before = await codeFor(user.email)
      await other.getByLabel(t.accounts.email).fill(user.email)
      await other.getByRole('button', { name: t.accounts.sendCode }).click()
      await typeCode(other, t, await codeFor(user.email, before))
      await other.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
      await expect(other).toHaveURL(at('/fileStorage'))
    })

    test('shows a countdown after five wrong codes, also after a reload', { tag: '@long' }, async ({
      page,
      user,
      t,
      at,
    }) => {
      await page.goto(at('/login?mode=code'))
      const before = await codeFor(user.email)
      const email = page.getByLabel(t.accounts.email)
      await email.fill(user.email)
      await page.getByRole('button', { name: t.accounts.sendCode }).click()
      const wrong = (await codeFor(user.email, before)).replace(/./g, (digit) => String((Number(digit) + 1) % 10))
      const signIn = page.getByRole('button', { name: t.accounts.signIn, exact: true })
      await typeCode(page, t, wrong)
      for (let tries = 0; tries < 5; tries++) {
        const answered = page.waitForResponse((answer) => answer.request().method() === 'POST')
        await signIn.click()
        await answered
      }
      const [said = '', then = ''] = t.accounts.codeLocked(0).split('0')
      const clock = page.getByText(said)
      const left = async () => Number((await clock.textContent())?.replace(said, '').replace(then, ''))
      await expect(clock).toBeVisible()
      const first = await left()
      expect(first).toBeGreaterThan(30)
      await expect.poll(left).toBeLessThan(first)
      const again = page.getByRole('button', { name: new RegExp(t.accounts.sendAgain(0).replace('0', '\\d+')) })
      await expect(again).toBeDisabled()
      expect(await accessibilityViolations(page)).toEqual([])

      await page.reload()
      await email.fill(user.email)
      await page.getByRole('button', { name: t.accounts.sendCode }).click()
      await expect(again).toBeDisabled()
      await typeCode(page, t, wrong)
      await signIn.click()
      await expect(clock).toBeVisible()
      expect(await left()).toBeLessThan(first)
    })

    test('shows a countdown after too many wrong passwords', { tag: '@long' }, async ({ page, user, t, at }) => {
      await page.goto(at('/login'))
      await page.getByLabel(t.accounts.email).fill(user.email)
      const signIn = page.getByRole('button', { name: t.accounts.signIn, exact: true })
      for (let tries = 0; tries < 6; tries++) {
        await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill('wrong-Net1')
        const answered = page.waitForResponse((answer) => answer.request().method() === 'POST')
        await signIn.click()
        await answered
      }
      const clock = page.getByRole('timer')
      await expect(clock).toBeVisible()
      await expect(signIn).toBeDisabled()
      const said = await clock.textContent()
      await expect(clock).not.toHaveText(said ?? '')
      // Only this account is locked; others can still sign in.
      await page.getByLabel(t.accounts.email).fill(freshEmail())
      await expect(clock).toBeHidden()
      await expect(signIn).toBeEnabled()
    })

    test('resets the password and ends existing sessions', async ({ page, user, t, at }) => {
      await page.goto(at('/login?mode=reset'))
      const before = await codeFor(user.email)
      await page.getByLabel(t.accounts.email).fill(user.email)
      await page.getByRole('button', { name: t.accounts.sendCode }).click()
      await typeCode(page, t, await codeFor(user.email, before))
      await page.getByLabel(t.accounts.newPassword).fill('Neap.tide-27')
      await page.getByLabel(t.accounts.confirm).fill('Neap.tide-27')
      await page.getByRole('button', { name: t.accounts.reset }).click()
      await expect(page.getByText(t.accounts.resetDone)).toBeVisible()
      await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill('Neap.tide-27')
      await page.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
      await expect(page).toHaveURL(at('/fileStorage'))
      await expect.poll(async () => (await call('accounts.vipInfo', {}, user.token)).code).toBe(401)
    })

    test('signs out in every tab and at the server', async ({ page, context, user, signIn, t, at }) => {
      await signIn(page, user)
      await page.goto(at('/dashboard'))
      const second = await context.newPage()
      await second.goto(at('/fileStorage'))
      await expect(second.getByRole('heading', { name: t.pages.files })).toBeVisible()
      await page.getByRole('button', { name: t.shell.account }).click()
      await page.getByRole('menuitem', { name: t.shell.signOut }).click()
      await expect(page).toHaveURL(at('/'))
      await expect(second).toHaveURL(at('/'))
      await expect.poll(async () => (await call('accounts.vipInfo', {}, user.token)).code).toBe(401)
    })

    test('signs out within five seconds of a remote session end, without interaction', { tag: '@long' }, async ({
      page,
      visitor,
      user,
      signIn,
      t,
      at,
    }) => {
      await signIn(page, user)
      await page.goto(at('/key'))
      await expect(page.getByRole('heading', { name: t.keys.title, level: 1 })).toBeVisible()
      const elsewhere = await visitor()
      await elsewhere.goto(at('/login'))
      await elsewhere.getByLabel(t.accounts.email).fill(user.email)
      await elsewhere.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(user.password)
      await elsewhere.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
      await expect(elsewhere).toHaveURL(at('/fileStorage'))
      const token = await elsewhere.evaluate(
        () => JSON.parse(localStorage.getItem('tidenet.login') ?? '{}').state.token,
      )
      await data('sessions.revoke', { others: true }, token)
      await expect(page).toHaveURL(at('/?redirect=%2Fkey'), { timeout: 5000 })
      // The session that ended the others remains.
      await elsewhere.goto(at('/key'))
      await expect(elsewhere.getByRole('heading', { name: t.keys.title, level: 1 })).toBeVisible()
    })

    test('returns to a deep link after sign-in, also to a page with a named path', { tag: '@long' }, async ({
      page,
      visitor,
      user,
      t,
      at,
    }) => {
      const enter = async (tab: typeof page) => {
        await tab.getByLabel(t.accounts.email).fill(user.email)
        await tab.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(user.password)
        await tab.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
      }
      await page.goto(at('/mycenter?tab=2'))
      await expect(page).toHaveURL(/\/\?redirect=/)
      await enter(page)
      await expect(page).toHaveURL(at('/mycenter?tab=2'))
      for (const [asked, reached] of [
        ['whisper', '/whisper'],
        ['myAccount', '/myAccount'],
      ] as const) {
        const other = await visitor()
        await other.goto(at(`/login?redirect=${asked}`))
        // Switching between the forms keeps the return address.
        await other.getByRole('link', { name: t.accounts.toSignUp }).click()
        await other.getByRole('link', { name: t.accounts.toSignIn }).click()
        await enter(other)
        await expect(other).toHaveURL(at(reached))
      }
    })

    test('changes the password, keeps this session and ends all others', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      t,
      at,
    }) => {
      const elsewhere = await data<{ token: string }>('accounts.login', {
        username: user.email,
        password: user.password,
      })
      await signIn(page, user)
      await page.goto(at('/login?mode=reset'))
      await expect(page.getByLabel(t.accounts.email)).toHaveValue(user.email)
      const before = await codeFor(user.email)
      await page.getByRole('button', { name: t.accounts.sendCode }).click()
      await typeCode(page, t, await codeFor(user.email, before))
      await page.getByLabel(t.accounts.newPassword).fill('Spring-tide8')
      await page.getByLabel(t.accounts.confirm).fill('Spring-tide8')
      await page.getByRole('button', { name: t.accounts.reset }).click()
      await expect(page).toHaveURL(at('/myAccount'))
      await expect(page.getByText(user.email).first()).toBeVisible()
      await page.reload()
      await expect(page).toHaveURL(at('/myAccount'))
      await expect.poll(async () => (await call('accounts.vipInfo', {}, elsewhere.token)).code).toBe(401)
    })

    test('labels fields for password managers and never submits a form before hydration', async ({ page, at, t }) => {
      const fields = () =>
        page.locator('form input[autocomplete]').evaluateAll((inputs) =>
          inputs
            // A field can offer passkeys as well: `username webauthn`.
            .map((input) => input.getAttribute('autocomplete')?.replace(/ webauthn$/, ''))
            .filter((kind) => kind !== 'off')
            .filter((kind, index, all) => all.indexOf(kind) === index),
        )
      for (const [mode, wanted] of [
        ['', ['username', 'current-password']],
        ['?mode=code', ['username', 'one-time-code']],
        ['?mode=signup', ['username', 'one-time-code', 'new-password']],
        ['?mode=reset', ['username', 'one-time-code', 'new-password']],
      ] as const) {
        await page.goto(at(`/login${mode}`))
        await expect(page.getByLabel(t.accounts.email)).toBeVisible()
        // The prerendered form is the password form.
        await expect.poll(fields, mode).toEqual(wanted)
        await expect(page.locator('main form')).toHaveAttribute('method', 'post')
      }
    })

    test('rejects invalid sign-in and sign-up', { tag: '@long' }, async ({ page, visitor, user, signIn, t, at }) => {
      await test.step('a wrong password, with the server’s message in the page’s language', async () => {
        const { msg } = await call('accounts.login', { username: user.email, password: 'not-this-one' })
        await page.goto(at('/login'))
        await page.getByLabel(t.accounts.email).fill(user.email)
        await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill('not-this-one')
        await page.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
        const said = page.locator('form').getByRole('alert')
        await expect(said).toHaveText(view.lang === 'en' ? String(msg) : /^[\p{Script=Han}，。]+$/u)
        await expect(page).toHaveURL(at('/login'))
      })
      await test.step('sign-up without accepted terms, code, valid address or matching passwords', async () => {
        await page.goto(at('/login?mode=signup'))
        await page.getByRole('button', { name: t.accounts.signUp }).click()
        await expect(page.getByText(t.accounts.enterEmail)).toBeVisible()
        await expect(page.getByLabel(t.accounts.email)).toBeFocused()
        await expect(page.getByText(t.accounts.incomplete).first()).toBeVisible()
        await page.getByLabel(t.accounts.email).fill('nobody@nowhere')
        await page.getByRole('button', { name: t.accounts.sendCode }).click()
        await expect(page.getByText(t.accounts.wrongEmail)).toBeVisible()
        await page.getByLabel(t.accounts.email).fill(freshEmail())
        await typeCode(page, t, '123456')
        await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill('密码 1234567')
        await page.getByLabel(t.accounts.confirm).fill('other')
        await page.getByRole('button', { name: t.accounts.signUp }).click()
        await expect(page.getByText(t.accounts.badCharacters)).toBeVisible()
        await expect(page.getByText(t.accounts.differ)).toBeVisible()
        await expect(page.getByRole('textbox', { name: t.accounts.password, exact: true })).toBeFocused()
        await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill('short')
        await page.getByRole('button', { name: t.accounts.signUp }).click()
        await expect(page.getByText(t.accounts.badPassword)).toBeVisible()
        await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(PASSWORD)
        await page.getByLabel(t.accounts.confirm).fill(PASSWORD)
        await page.getByRole('button', { name: t.accounts.signUp }).click()
        await expect(page.getByText(t.accounts.agree)).toBeVisible()
        await expect(page.getByRole('checkbox')).toBeFocused()
        await page.getByRole('checkbox').click()
        await page.getByRole('button', { name: t.accounts.signUp }).click()
        // The server's message about the code is next to the field.
        await expect(page.locator('[autocomplete=one-time-code][aria-invalid=true]').first()).toBeFocused()
        expect(await accessibilityViolations(page)).toEqual([])
        await expect(page).toHaveURL(at('/login?mode=signup'))
      })
      await test.step('a return address on another site', async () => {
        await page.goto(at('/?redirect=%2F%2Fexample.com'))
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(page.getByRole('dialog', { name: t.accounts.signInTitle })).toHaveCount(0)
        await page.goto(at('/login?redirect=%2F%2Fexample.com'))
        await page.getByLabel(t.accounts.email).fill(user.email)
        await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(user.password)
        await page.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
        await expect(page).toHaveURL(at('/fileStorage'))
      })
      await test.step('an ended session: redirects once, without a loop', async () => {
        const other = await visitor()
        await signIn(other, user)
        await data('accounts.logout', {}, user.token)
        await expect.poll(async () => (await call('accounts.vipInfo', {}, user.token)).code).toBe(401)
        await other.goto(at('/dashboard'))
        await expect(other).toHaveURL(/\/\?redirect=/)
        const login = other.getByRole('dialog', { name: t.accounts.signInTitle })
        await expect(login).toBeVisible()
        // Without signing in, the visitor stays on public pages.
        await login.getByRole('button', { name: t.words.close }).click()
        await expect(other).toHaveURL(at('/'))
        await expect(login).toHaveCount(0)
      })
      await test.step('an ended session on a public page: redirects home, then browses as a visitor', async () => {
        const other = await visitor()
        const again = await data<{ token: string }>('accounts.login', {
          username: user.email,
          password: user.password,
        })
        await signIn(other, { ...user, token: again.token })
        await data('accounts.logout', {}, again.token)
        await expect.poll(async () => (await call('accounts.vipInfo', {}, again.token)).code).toBe(401)
        await other.goto(at('/privacy-policy'))
        await expect(other).toHaveURL(at('/?redirect=%2Fprivacy-policy'))
        await other.getByRole('dialog').getByRole('button', { name: t.words.close }).click()
        await expect(other).toHaveURL(at('/privacy-policy'))
        await expect(other.getByRole('dialog')).toHaveCount(0)
      })
    })
  })
