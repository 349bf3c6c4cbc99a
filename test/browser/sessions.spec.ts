import type { Route } from '@playwright/test'
import { errorText } from '@tidenet/contract'
import { createNetwork, type Network } from '@tidenet/testnet'
import { call, expect, test, viewsFor } from './test-env.ts'

// These tests move the clock and stop processes, so they use their own network.
let network: Network
let others: string | undefined
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  others = process.env.TIDENET_URL
  network = await createNetwork({ nodes: 1, mode: 'development' })
  process.env.TIDENET_URL = network.url
})
test.afterAll(async () => {
  process.env.TIDENET_URL = others
  await network?.stop()
})

const HOUR = 3600 * 1000

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })

    test('keeps the session beyond the lifetime of a token', async ({ page, user, signIn, t, at }) => {
      await signIn(page, user)
      const stored = () => page.evaluate(() => JSON.parse(localStorage.getItem('tidenet.login') ?? '{}').state.token)
      const tokens = new Set<string>()
      for (let hours = 0; hours < 54; hours += 18) {
        await network.moveClock(18 * HOUR)
        await page.goto(at(hours % 36 === 0 ? '/fileStorage' : '/key'), { waitUntil: 'commit', timeout: 20_000 })
        const title = hours % 36 === 0 ? t.pages.files : t.keys.title
        await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible()
        await expect.poll(stored).not.toBe([...tokens].at(-1) ?? user.token)
        tokens.add(await stored())
      }
      expect((await call('accounts.vipInfo', {}, user.token)).code).toBe(401)
    })

    for (const way of ['storage', 'cookie'] as const)
      test(`redirects once after the session was ended remotely, from the ${way}`, {
        tag: way === 'storage' ? [] : '@long',
      }, async ({ page, context, user, signIn, t, at }) => {
        if (way === 'storage') await signIn(page, user)
        else await context.addCookies([{ name: 'login-token', value: user.token, url: at('/') }])
        await call('accounts.logout', {}, user.token)
        await expect.poll(async () => (await call('accounts.vipInfo', {}, user.token)).code).toBe(401)

        const places: string[] = []
        page.on('framenavigated', (frame) => {
          if (frame === page.mainFrame()) places.push(new URL(frame.url()).pathname)
        })
        const asked: string[] = []
        page.on('request', (request) => {
          if (request.url().includes('/api/')) asked.push(request.url())
        })
        await page.goto(at('/dashboard'))
        await expect(page.getByRole('dialog', { name: t.accounts.signInTitle })).toBeVisible()
        // No further navigation.
        await page.waitForLoadState('networkidle')
        expect(places.filter((place, index) => place !== places[index - 1])).toEqual(['/dashboard', '/'])
        expect(asked.filter((url) => url.includes('vip')).length).toBeLessThanOrEqual(2)
        expect((await context.cookies()).find(({ name }) => name === 'login-token')).toBeUndefined()
        await page.goto(at('/'))
        await expect(page).toHaveURL(at('/'))
      })
  })

for (const view of viewsFor('wide'))
  test.describe(`server errors: ${view.name}`, () => {
    test.use({ view })

    test('distinguishes server errors from connection errors', async ({
      page,
      user,
      signIn,
      view,
      expected,
      t,
      at,
    }) => {
      expected.push(/Failed to load resource/)
      await signIn(page, user)
      await page.goto(at('/key'))
      await expect(page.getByRole('heading', { name: t.keys.title, exact: true })).toBeVisible()
      const dialog = page.getByRole('dialog')
      const create = () => dialog.getByRole('button', { name: t.keys.create, exact: true }).click()
      await page.getByRole('button', { name: t.keys.create, exact: true }).first().click()
      await dialog.getByLabel(t.keys.name, { exact: true }).fill('tide')
      await dialog.getByRole('radio', { name: t.keys.admin }).click()

      // Without its database the server still responds with its own error.
      network.postgres?.kill()
      await create()
      await expect(page.getByText(errorText('unavailable', view.lang === 'zh' ? 'cn' : 'en')).first()).toBeVisible()
      await network.postgres?.restart()

      // A proxy in front of the server may respond with its own error page.
      const broken = (route: Route) => route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>500</h1>' })
      await page.route('**/api/**', broken)
      await create()
      await expect(page.getByText(t.errors.server, { exact: true }).first()).toBeVisible()
      await page.unroute('**/api/**', broken)

      await page.context().setOffline(true)
      await create()
      await expect(page.getByText(t.errors.network, { exact: true }).first()).toBeVisible()
      await page.context().setOffline(false)

      await expect(async () => {
        await create()
        await expect(dialog.locator('code').first()).toContainText('tnk_', { timeout: 1000 })
      }).toPass()
    })
  })
