import { call, createUser, data, expect, test, viewsFor } from './test-env.ts'

for (const view of viewsFor('wide'))
  test.describe(`cookies of sibling sites, ${view.name}`, () => {
    test.use({ view })

    for (const mark of ['loginout', 'loginoutend'])
      test(`signs out within two seconds of the cookie ${mark} set by a sibling site`, {
        tag: mark === 'loginout' ? [] : '@long',
      }, async ({ page, context, user, signIn, t, at }) => {
        await signIn(page, user)
        await page.goto(at('/dashboard'))
        await expect(page.getByRole('heading', { name: t.pages.dashboard })).toBeVisible()
        const neighbour = await context.newPage()
        await neighbour.goto(at('/theme.js'))
        await neighbour.evaluate((name) => {
          // biome-ignore lint/suspicious/noDocumentCookie: simulates a sibling site
          document.cookie = `${name}=1; path=/`
        }, mark)
        await expect(page).toHaveURL(at('/'), { timeout: 2000 })
        expect(await page.evaluate(() => document.cookie)).not.toContain(mark)
        await page.goto(at('/dashboard'))
        await expect(page).toHaveURL(/\/\?redirect=/)
      })

    test('signs in with the cookie of a sibling site, and out with an expired one', { tag: '@long' }, async ({
      page,
      context,
      visitor,
      user,
      t,
      at,
    }) => {
      const cookie = [{ name: 'login-token', value: user.token, url: at('/') }]
      await context.addCookies(cookie)
      await page.goto(at('/dashboard'))
      await expect(page.getByRole('heading', { name: t.pages.dashboard })).toBeVisible()

      await data('accounts.logout', {}, user.token)
      await expect.poll(async () => (await call('accounts.vipInfo', {}, user.token)).code).toBe(401)
      const other = await visitor()
      await other.context().addCookies(cookie)
      const went: string[] = []
      other.on('framenavigated', (frame) => went.push(new URL(frame.url()).pathname))
      await other.goto(at('/dashboard'))
      await expect(other.getByRole('dialog', { name: t.accounts.signInTitle })).toBeVisible()
      // The router rewrites the URL once at startup.
      expect(went.filter((path, index) => path !== went[index - 1])).toEqual(['/dashboard', '/'])
      expect(await other.evaluate(() => document.cookie)).not.toContain('login-token')
      await other.goto(at('/'))
      await expect(other.locator('h1')).toBeVisible()
      expect(new URL(other.url()).pathname).toBe('/')
    })

    test('does not switch accounts because of a cookie set by a sibling site', { tag: '@long' }, async ({
      page,
      context,
      visitor,
      user,
      signIn,
      t,
      at,
    }) => {
      const stranger = await createUser()
      const uid = () => page.evaluate(() => JSON.parse(localStorage.getItem('tidenet.login') ?? '{}').state.address)
      const leave = (token: string) =>
        context.addCookies([{ name: 'login-token', value: token, url: at('/'), expires: Date.now() / 1000 + 3600 }])
      await test.step('while signed in, nothing changes', async () => {
        await signIn(page, user)
        await leave(stranger.token)
        const said: string[] = []
        page.on('response', (answer) => {
          // Responses are gone after navigation.
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
          await expect.poll(() => new Set(said)).toEqual(new Set([user.uid]))
          expect(await uid()).toBe(user.uid)
        }
        page.removeAllListeners('response')
      })
      await test.step('after the session ends, another session of the same account takes over', async () => {
        const again = await data<{ token: string }>('accounts.login', {
          username: user.email,
          password: user.password,
        })
        await leave(again.token)
        await data('accounts.logout', {}, user.token)
        await expect.poll(async () => (await call('accounts.vipInfo', {}, user.token)).code).toBe(401)
        await page.goto(at('/dashboard'))
        await expect(page.getByRole('heading', { name: t.pages.dashboard })).toBeVisible()
        expect(await uid()).toBe(user.uid)
        await data('accounts.logout', {}, again.token)
        await expect.poll(async () => (await call('accounts.vipInfo', {}, again.token)).code).toBe(401)
      })
      await test.step('a session of another account does not', async () => {
        const other = await visitor()
        await signIn(other, user)
        await other
          .context()
          .addCookies([{ name: 'login-token', value: stranger.token, url: at('/'), expires: Date.now() / 1000 + 3600 }])
        await other.goto(at('/dashboard'))
        await expect(other.getByRole('dialog', { name: t.accounts.signInTitle })).toBeVisible()
        expect(await other.evaluate(() => document.cookie)).not.toContain('login-token')
      })
    })
  })
