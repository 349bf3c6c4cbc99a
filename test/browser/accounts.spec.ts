import {
  anotherPerson,
  barriers,
  call,
  codeFor,
  data,
  expect,
  freshEmail,
  journeys,
  PASSWORD,
  test,
  typeCode,
} from './world.ts'

for (const view of journeys('wide'))
  test.describe(view.name, () => {
    test.use({ view })

    test('signs up with the code from the mailbox and gets to the page that was wanted', async ({ page, t, at }) => {
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

    test('signs in by password and by code', async ({ page, visitor, person, t, at }) => {
      await page.goto(at('/login'))
      await page.getByLabel(t.accounts.email).fill(person.email)
      await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(person.password)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(at('/fileStorage'))

      const other = await visitor()
      await other.goto(at('/login?mode=code'))
      const before = await codeFor(person.email)
      await other.getByLabel(t.accounts.email).fill(person.email)
      await other.getByRole('button', { name: t.accounts.sendCode }).click()
      await typeCode(other, t, await codeFor(person.email, before))
      await other.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
      await expect(other).toHaveURL(at('/fileStorage'))
    })

    test('is told how long to wait after five wrong codes, by a clock, also when the page is loaded again', async ({
      page,
      person,
      t,
      at,
    }) => {
      await page.goto(at('/login?mode=code'))
      const before = await codeFor(person.email)
      const email = page.getByLabel(t.accounts.email)
      await email.fill(person.email)
      await page.getByRole('button', { name: t.accounts.sendCode }).click()
      const wrong = (await codeFor(person.email, before)).replace(/./g, (digit) => String((Number(digit) + 1) % 10))
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
      expect(await barriers(page)).toEqual([])

      await page.reload()
      await email.fill(person.email)
      await page.getByRole('button', { name: t.accounts.sendCode }).click()
      await expect(again).toBeDisabled()
      await typeCode(page, t, wrong)
      await signIn.click()
      await expect(clock).toBeVisible()
      expect(await left()).toBeLessThan(first)
    })

    test('is told how long to wait after too many wrong passwords, by a clock', async ({ page, person, t, at }) => {
      await page.goto(at('/login'))
      await page.getByLabel(t.accounts.email).fill(person.email)
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
      // What is locked is this account: another one may try.
      await page.getByLabel(t.accounts.email).fill(freshEmail())
      await expect(clock).toBeHidden()
      await expect(signIn).toBeEnabled()
    })

    test('sets a new password, which ends the sessions of the old one', async ({ page, person, t, at }) => {
      await page.goto(at('/login?mode=reset'))
      const before = await codeFor(person.email)
      await page.getByLabel(t.accounts.email).fill(person.email)
      await page.getByRole('button', { name: t.accounts.sendCode }).click()
      await typeCode(page, t, await codeFor(person.email, before))
      await page.getByLabel(t.accounts.newPassword).fill('Neap.tide-27')
      await page.getByLabel(t.accounts.confirm).fill('Neap.tide-27')
      await page.getByRole('button', { name: t.accounts.reset }).click()
      await expect(page.getByText(t.accounts.resetDone)).toBeVisible()
      await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill('Neap.tide-27')
      await page.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
      await expect(page).toHaveURL(at('/fileStorage'))
      await expect.poll(async () => (await call('accounts.vipInfo', {}, person.token)).code).toBe(401)
    })

    test('signs out in every tab and at the server', async ({ page, context, person, signIn, t, at }) => {
      await signIn(page, person)
      await page.goto(at('/dashboard'))
      const second = await context.newPage()
      await second.goto(at('/fileStorage'))
      await expect(second.getByRole('heading', { name: t.pages.files })).toBeVisible()
      await page.getByRole('button', { name: t.shell.account }).click()
      await page.getByRole('menuitem', { name: t.shell.signOut }).click()
      await expect(page).toHaveURL(at('/'))
      await expect(second).toHaveURL(at('/'))
      await expect.poll(async () => (await call('accounts.vipInfo', {}, person.token)).code).toBe(401)
    })

    for (const mark of ['loginout', 'loginoutend'])
      test(`is signed out within two seconds by the cookie ${mark} of a neighbouring site`, async ({
        page,
        context,
        person,
        signIn,
        t,
        at,
      }) => {
        await signIn(page, person)
        await page.goto(at('/dashboard'))
        await expect(page.getByRole('heading', { name: t.pages.dashboard })).toBeVisible()
        const neighbour = await context.newPage()
        await neighbour.goto(at('/theme.js'))
        await neighbour.evaluate((name) => {
          // biome-ignore lint/suspicious/noDocumentCookie: what a neighbouring site would do
          document.cookie = `${name}=1; path=/`
        }, mark)
        await expect(page).toHaveURL(at('/'), { timeout: 2000 })
        expect(await page.evaluate(() => document.cookie)).not.toContain(mark)
        await page.goto(at('/dashboard'))
        await expect(page).toHaveURL(/\/\?redirect=/)
      })

    test('is signed in by the cookie of a neighbouring site, and out by one that is no longer good', async ({
      page,
      context,
      visitor,
      person,
      t,
      at,
    }) => {
      const cookie = [{ name: 'login-token', value: person.token, url: at('/') }]
      await context.addCookies(cookie)
      await page.goto(at('/dashboard'))
      await expect(page.getByRole('heading', { name: t.pages.dashboard })).toBeVisible()

      await data('accounts.logout', {}, person.token)
      await expect.poll(async () => (await call('accounts.vipInfo', {}, person.token)).code).toBe(401)
      const other = await visitor()
      await other.context().addCookies(cookie)
      const went: string[] = []
      other.on('framenavigated', (frame) => went.push(new URL(frame.url()).pathname))
      await other.goto(at('/dashboard'))
      await expect(other.getByRole('dialog', { name: t.accounts.signInTitle })).toBeVisible()
      // The router writes the address of the page once more as it begins.
      expect(went.filter((path, index) => path !== went[index - 1])).toEqual(['/dashboard', '/'])
      expect(await other.evaluate(() => document.cookie)).not.toContain('login-token')
      await other.goto(at('/'))
      await expect(other.locator('h1')).toBeVisible()
      expect(new URL(other.url()).pathname).toBe('/')
    })

    test('is not made somebody else by the cookie of a neighbouring site', async ({
      page,
      context,
      visitor,
      person,
      signIn,
      t,
      at,
    }) => {
      const stranger = await anotherPerson()
      const uid = () => page.evaluate(() => JSON.parse(localStorage.getItem('tidenet.login') ?? '{}').state.address)
      const leave = (token: string) =>
        context.addCookies([{ name: 'login-token', value: token, url: at('/'), expires: Date.now() / 1000 + 3600 }])
      await test.step('while one is signed in, it changes nothing', async () => {
        await signIn(page, person)
        await leave(stranger.token)
        const said: string[] = []
        page.on('response', (answer) => {
          // A page that is left takes its answers with it.
          const uidOf = async () => said.push((await answer.json()).data.uid)
          if (answer.url().includes('get_vip_info')) void uidOf().catch(() => {})
        })
        for (const [path, title] of [
          ['/dashboard', t.pages.dashboard],
          ['/key', t.keys.title],
        ] as const) {
          said.length = 0
          await page.goto(at(path))
          await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
          await expect.poll(() => new Set(said)).toEqual(new Set([person.uid]))
          expect(await uid()).toBe(person.uid)
        }
        page.removeAllListeners('response')
      })
      await test.step('when one’s session has ended, another session of the same account goes on', async () => {
        const again = await data<{ token: string }>('accounts.login', {
          username: person.email,
          password: person.password,
        })
        await leave(again.token)
        await data('accounts.logout', {}, person.token)
        await expect.poll(async () => (await call('accounts.vipInfo', {}, person.token)).code).toBe(401)
        await page.goto(at('/dashboard'))
        await expect(page.getByRole('heading', { name: t.pages.dashboard })).toBeVisible()
        expect(await uid()).toBe(person.uid)
        await data('accounts.logout', {}, again.token)
        await expect.poll(async () => (await call('accounts.vipInfo', {}, again.token)).code).toBe(401)
      })
      await test.step('and that of another account does not', async () => {
        const other = await visitor()
        await signIn(other, person)
        await other
          .context()
          .addCookies([{ name: 'login-token', value: stranger.token, url: at('/'), expires: Date.now() / 1000 + 3600 }])
        await other.goto(at('/dashboard'))
        await expect(other.getByRole('dialog', { name: t.accounts.signInTitle })).toBeVisible()
        expect(await other.evaluate(() => document.cookie)).not.toContain('login-token')
      })
    })

    test('leaves within five seconds when the session was ended from elsewhere, and nothing is clicked', async ({
      page,
      visitor,
      person,
      signIn,
      t,
      at,
    }) => {
      await signIn(page, person)
      await page.goto(at('/key'))
      await expect(page.getByRole('heading', { name: t.keys.title, level: 1 })).toBeVisible()
      const elsewhere = await visitor()
      await elsewhere.goto(at('/login'))
      await elsewhere.getByLabel(t.accounts.email).fill(person.email)
      await elsewhere.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(person.password)
      await elsewhere.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
      await expect(elsewhere).toHaveURL(at('/fileStorage'))
      const token = await elsewhere.evaluate(
        () => JSON.parse(localStorage.getItem('tidenet.login') ?? '{}').state.token,
      )
      await data('sessions.revoke', { others: true }, token)
      await expect(page).toHaveURL(at('/?redirect=%2Fkey'), { timeout: 5000 })
      // Whoever ended the others stays.
      await elsewhere.goto(at('/key'))
      await expect(elsewhere.getByRole('heading', { name: t.keys.title, level: 1 })).toBeVisible()
    })

    test('lands where a deep link leads, also on a page that is named by a word', async ({
      page,
      visitor,
      person,
      t,
      at,
    }) => {
      const enter = async (tab: typeof page) => {
        await tab.getByLabel(t.accounts.email).fill(person.email)
        await tab.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(person.password)
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
        // The way there is kept while one looks at the other forms.
        await other.getByRole('link', { name: t.accounts.toSignUp }).click()
        await other.getByRole('link', { name: t.accounts.toSignIn }).click()
        await enter(other)
        await expect(other).toHaveURL(at(reached))
      }
    })

    test('changes the password without being signed out, while every other session ends', async ({
      page,
      person,
      signIn,
      t,
      at,
    }) => {
      const elsewhere = await data<{ token: string }>('accounts.login', {
        username: person.email,
        password: person.password,
      })
      await signIn(page, person)
      await page.goto(at('/login?mode=reset'))
      await expect(page.getByLabel(t.accounts.email)).toHaveValue(person.email)
      const before = await codeFor(person.email)
      await page.getByRole('button', { name: t.accounts.sendCode }).click()
      await typeCode(page, t, await codeFor(person.email, before))
      await page.getByLabel(t.accounts.newPassword).fill('Spring-tide8')
      await page.getByLabel(t.accounts.confirm).fill('Spring-tide8')
      await page.getByRole('button', { name: t.accounts.reset }).click()
      await expect(page).toHaveURL(at('/myAccount'))
      await expect(page.getByText(person.email).first()).toBeVisible()
      await page.reload()
      await expect(page).toHaveURL(at('/myAccount'))
      await expect.poll(async () => (await call('accounts.vipInfo', {}, elsewhere.token)).code).toBe(401)
    })

    test('forms are named for password managers, and a form without its code sends nothing by its address', async ({
      page,
      at,
      t,
    }) => {
      const fields = () =>
        page.locator('form input[autocomplete]').evaluateAll((inputs) =>
          inputs
            // A field may offer passkeys as well: `username webauthn`.
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
        // The form that stands drawn is that of the password.
        await expect.poll(fields, mode).toEqual(wanted)
        await expect(page.locator('main form')).toHaveAttribute('method', 'post')
      }
    })

    test('refuses what will not do', async ({ page, visitor, person, signIn, t, at }) => {
      await test.step('a wrong password, in the words of the server in the language of the page', async () => {
        const { msg } = await call('accounts.login', { username: person.email, password: 'not-this-one' })
        await page.goto(at('/login'))
        await page.getByLabel(t.accounts.email).fill(person.email)
        await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill('not-this-one')
        await page.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
        const said = page.locator('form').getByRole('alert')
        await expect(said).toHaveText(view.lang === 'en' ? String(msg) : /^[\p{Script=Han}，。]+$/u)
        await expect(page).toHaveURL(at('/login'))
      })
      await test.step('an account without terms, code, right address or equal passwords', async () => {
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
        // The server's word about the code stands beside it.
        await expect(page.locator('[autocomplete=one-time-code][aria-invalid=true]').first()).toBeFocused()
        expect(await barriers(page)).toEqual([])
        await expect(page).toHaveURL(at('/login?mode=signup'))
      })
      await test.step('another site as the place to go to afterwards', async () => {
        await page.goto(at('/?redirect=%2F%2Fexample.com'))
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(page.getByRole('dialog', { name: t.accounts.signInTitle })).toHaveCount(0)
        await page.goto(at('/login?redirect=%2F%2Fexample.com'))
        await page.getByLabel(t.accounts.email).fill(person.email)
        await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(person.password)
        await page.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
        await expect(page).toHaveURL(at('/fileStorage'))
      })
      await test.step('a session that has ended: once, without a loop', async () => {
        const other = await visitor()
        await signIn(other, person)
        await data('accounts.logout', {}, person.token)
        await expect.poll(async () => (await call('accounts.vipInfo', {}, person.token)).code).toBe(401)
        await other.goto(at('/dashboard'))
        await expect(other).toHaveURL(/\/\?redirect=/)
        const login = other.getByRole('dialog', { name: t.accounts.signInTitle })
        await expect(login).toBeVisible()
        // Who does not sign in stays where everybody may be.
        await login.getByRole('button', { name: t.words.close }).click()
        await expect(other).toHaveURL(at('/'))
        await expect(login).toHaveCount(0)
      })
      await test.step('a session that has ended on a page for everybody: home, and back as a visitor', async () => {
        const other = await visitor()
        const again = await data<{ token: string }>('accounts.login', {
          username: person.email,
          password: person.password,
        })
        await signIn(other, { ...person, token: again.token })
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
