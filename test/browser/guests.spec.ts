import type { Page } from '@playwright/test'
import { createNetwork, type Network } from '@tidenet/testnet'
import { texts as adoptEn } from '../../apps/web/src/features/adoption/texts.en.ts'
import { texts as adoptZh } from '../../apps/web/src/features/adoption/texts.zh.ts'
import { texts as consoleEn } from '../../apps/web/src/features/workspaces/texts.en.ts'
import { texts as consoleZh } from '../../apps/web/src/features/workspaces/texts.zh.ts'
import { buildFixture } from '../../tools/load-fixture.mjs'
import { dialog, linkFundedWallet, ordersOf, ordersWords } from './order-helpers.ts'
import { accessibilityViolations, data, expect, test, viewsFor } from './test-env.ts'

// These tests move the clock, so they use their own network.
let network: Network
let others: string | undefined
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  test.setTimeout(120_000)
  others = process.env.TIDENET_URL
  const driver = await buildFixture('apps/server/src/compute/clusters/sample-driver.fixture.ts')
  network = await createNetwork({
    nodes: 1,
    mode: 'development',
    chain: { blockMs: 500 },
    env: {
      NODE_OPTIONS: `--import ${new URL(`sample-cluster.mjs?driver=${driver}`, import.meta.url).href}`,
      TIDENET_GUEST_WORKSPACES: '2',
    },
  })
  process.env.TIDENET_URL = network.url
})
test.afterAll(async () => {
  process.env.TIDENET_URL = others
  await network?.stop()
})

const MINUTE = 60_000
const SLOW = { timeout: 30_000 }

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })
    const { guest: g } = view.lang === 'zh' ? consoleZh : consoleEn
    const adopt = view.lang === 'zh' ? adoptZh : adoptEn
    const { o, w } = ordersWords(view)

    const start = async (page: Page, at: (path: string) => string) => {
      await page.goto(at('/console/login'))
      await page.getByRole('button', { name: g.start }).click()
      await expect(page).toHaveURL(at('/console'))
      await expect(page.getByText(g.running)).toBeVisible(SLOW)
    }

    test('a guest uses a machine without an account, and it stays with the account that adopts it', async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      test.setTimeout(150_000)
      await linkFundedWallet(context, user)
      await page.goto(at('/console/login'))
      await expect(page.getByRole('heading', { name: g.title(10) })).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      await start(page, at)
      await expect(page.getByRole('timer')).toBeVisible()
      await expect(page.getByRole('link', { name: g.signUp })).toHaveAttribute('href', /signup/)
      expect(await accessibilityViolations(page)).toEqual([])

      await test.step('signing in offers to adopt it', async () => {
        await signIn(page, user)
        await page.goto(at('/dashboard'))
        const offered = page.getByRole('dialog', { name: adopt.title(1) })
        await expect(offered).toContainText(adopt.workspace)
        expect(await accessibilityViolations(page)).toEqual([])
        await offered.getByRole('button', { name: adopt.add }).click()
        await expect(offered).toBeHidden()
      })

      await test.step('when its time is over, it is an expired order, and paying for it restores it', async () => {
        await network.moveClock(11 * MINUTE)
        await page.goto(at('/console'))
        await expect(page.getByText(g.kept)).toBeVisible(SLOW)
        await page.getByRole('link', { name: g.orders }).click()
        await expect(page).toHaveURL(at('/mycenter?tab=1'))
        const expired = page.getByRole('article').filter({ hasText: o.labels.expired })
        await expect(expired).toHaveCount(1)
        expect(await accessibilityViolations(page)).toEqual([])
        const [kept] = await ordersOf(user)
        await expired.getByRole('button', { name: o.actions.rebuy, exact: true }).click()
        await page.getByRole('button', { name: w.dialog.use('Keplr') }).click()
        await dialog(page)
          .getByRole('button', { name: o.pay.sign('Keplr') })
          .click()
        await expect.poll(async () => (await ordersOf(user)).map(({ status }) => status), SLOW).toEqual([2, 3])
        const [bought] = await ordersOf(user)
        const { order } = await data<{ order: { workspace_id: string } }>(
          'orders.details',
          { id: bought?.id },
          user.token,
        )
        expect(order.workspace_id).toBe(kept?.id)
      })
    })

    test('without an account it is gone after ten minutes', { tag: '@long' }, async ({ page, at }) => {
      test.setTimeout(90_000)
      await start(page, at)
      await network.moveClock(11 * MINUTE)
      await page.goto(at('/console'))
      await expect(page.getByText(g.over)).toBeVisible(SLOW)
    })
  })
