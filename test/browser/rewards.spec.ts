import type { Page } from '@playwright/test'
import { createChainPort } from '@tidenet/chain-client'
import { texts as adminEn } from '../../apps/web/src/features/admin/texts.en.ts'
import { texts as adminZh } from '../../apps/web/src/features/admin/texts.zh.ts'
import { texts as rewardsEn } from '../../apps/web/src/features/rewards/texts.en.ts'
import { texts as rewardsZh } from '../../apps/web/src/features/rewards/texts.zh.ts'
import { chainSettings, linkWallet } from './chain-helpers.ts'
import { receiptWords, savedClaims } from './receipt-helpers.ts'
import { accessibilityViolations, call, data, expect, operator, test, viewsFor } from './test-env.ts'

const STATE = '**/api/v1/platform/user/reward'

interface State {
  token: string
  hindrance: string | null
}

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })
    const w = view.lang === 'zh' ? rewardsZh : rewardsEn
    const a = view.lang === 'zh' ? adminZh : adminEn
    const field = (page: Page) => page.getByRole('textbox', { name: w.amount })
    const button = (page: Page) => page.getByRole('button', { name: w.button, exact: true })

    /** The four figures of the page; they always add up. */
    async function numbers(page: Page): Promise<number[]> {
      const cells = page.locator('dl', { hasText: w.notWithdrawn }).locator('dd')
      await expect(cells).toHaveCount(4)
      // In one call, because the page may change between two cells.
      const [accumulated = 0, ...parts] = (await cells.allTextContents()).map((text) =>
        Number(text.replaceAll(',', '')),
      )
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(accumulated)
      return [accumulated, ...parts]
    }

    test('an operator grants points, a user redeems some, and the coins arrive on the chain', { tag: '@long' }, async ({
      page,
      context,
      user,
      signIn,
      visitor,
      at,
    }) => {
      await signIn(page, user)
      const address = await linkWallet(page, context, view, at('/testCoin'))
      const { token } = await data<State>('rewards.state', {}, user.token)
      const port = createChainPort({ urls: [at('/chain/rpc')], chainId: (await chainSettings()).chain_id })
      const held = async () => (await port.query<{ balance: string }>(token, { balance: { address } })).balance

      await test.step('without points, the page explains how to get them', async () => {
        await expect(page.getByText(w.noPoints)).toBeVisible()
        await expect(page.getByText(w.none, { exact: true })).toBeVisible()
        expect(await numbers(page)).toEqual([0, 0, 0, 0])
        await expect(button(page)).toBeDisabled()
        await expect(page.getByText(w.hindrances.points(10))).toBeVisible()
        expect(await held()).toBe('0')
      })

      await test.step('an operator grants points with a reason', async () => {
        const desk = await visitor()
        await signIn(desk, await operator())
        await desk.goto(at(`/admin?view=users&open=${user.uid}`))
        const panel = desk.getByRole('dialog').first()
        await panel.getByRole('button', { name: a.users.grantPoints }).click()
        const dialog = desk.getByRole('dialog', { name: a.users.grantPoints })
        const confirm = dialog.getByRole('button', { name: a.users.grantPoints })
        await dialog.getByRole('textbox', { name: a.reason }).fill('reported a bug')
        await dialog.getByRole('textbox', { name: a.users.points, exact: true }).fill('1.5')
        await confirm.click()
        await expect(dialog.getByText(a.users.noPoints)).toBeVisible()
        await dialog.getByRole('textbox', { name: a.users.points, exact: true }).fill('100')
        expect(await accessibilityViolations(desk)).toEqual([])
        await confirm.click()
        await expect(panel.getByText(a.users.pointsLeft(100, 100))).toBeVisible()
      })

      await page.reload()
      await expect(page.getByText('reported a bug')).toBeVisible()
      expect(await numbers(page)).toEqual([100, 100, 0, 0])
      expect(await accessibilityViolations(page)).toEqual([])

      await test.step('rejects too few, too many, and invalid amounts', async () => {
        for (const [points, said] of [
          ['9', w.problems.min(10)],
          ['101', w.problems.more(100)],
          ['1.5', w.problems.whole()],
        ] as const) {
          await field(page).fill(points)
          await button(page).click()
          await expect(page.getByText(said)).toBeVisible()
        }
        expect(await call('rewards.redeem', { points: 9 }, user.token)).toMatchObject({ code: -1, err: 1001 })
        expect(await call('rewards.redeem', { points: 101 }, user.token)).toMatchObject({ code: -1, err: 1024 })
        expect(await numbers(page)).toEqual([100, 100, 0, 0])
      })

      await test.step('redeemed points are withdrawing, then credited', async () => {
        await field(page).fill('30')
        await expect(page.getByText(w.receive('30'))).toBeVisible()
        await button(page).click()
        await expect(async () => {
          expect((await numbers(page)).slice(0, 2)).toEqual([100, 70])
        }).toPass({ timeout: 10_000 })
        await expect(async () => {
          expect(await numbers(page)).toEqual([100, 70, 0, 30])
        }).toPass({ timeout: 30_000 })
        expect(await held()).toBe('3000')
        expect(await accessibilityViolations(page)).toEqual([])
      })

      await test.step('the history saves the receipt and links to the transaction', async () => {
        const row = page.getByRole('table', { name: w.history }).getByRole('row').nth(1)
        await expect(row).toContainText('30 TTNT')
        const receipt = row.getByRole('button', { name: receiptWords(view).receiptOf('') })
        expect(await savedClaims(page, receipt)).toMatchObject({
          kind: 'claim',
          purpose: 'redemption',
          wallet: address,
          amount: 30,
        })
        await row.getByRole('link').click()
        await expect(page).toHaveURL(/\/chain\/tx\/[0-9A-F]{64}$/)
        await expect(page.locator('main ol li').first()).toContainText('30 TTNT')
      })
    })

    test('redeeming needs a wallet and a reward coin; failures can be retried', { tag: '@long' }, async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      const boss = await operator()
      await data('admin.grantPoints', { uid: user.uid, points: 50, reason: 'x' }, boss.token)
      await signIn(page, user)
      await page.goto(at('/testCoin'))
      await expect(page.getByText(w.hindrances.wallet())).toBeVisible()
      expect(await call('rewards.redeem', { points: 10 }, user.token)).toMatchObject({ code: -1, err: 2069 })

      await linkWallet(page, context, view, at('/testCoin'))
      let answer: 'fails' | 'without a coin' | 'as it is' = 'fails'
      await page.route(STATE, async (route) => {
        if (answer === 'fails') return route.fulfill({ json: { code: -1, err: 1004, msg: 'Away' } })
        const response = await route.fetch()
        const json = (await response.json()) as { data: State }
        if (answer === 'without a coin') Object.assign(json.data, { hindrance: 'coin', token: '' })
        return route.fulfill({ response, json })
      })
      await page.reload()
      const failed = page.getByRole('alert').filter({ hasText: w.failed })
      await expect(failed).toBeVisible()
      answer = 'without a coin'
      await failed.getByRole('button').click()
      await expect(page.getByText(w.hindrances.coin())).toBeVisible()
      expect(await numbers(page)).toEqual([50, 50, 0, 0])
      await expect(button(page)).toHaveCount(0)
      expect(await accessibilityViolations(page)).toEqual([])
      answer = 'as it is'
      await page.reload()
      await expect(button(page)).toBeEnabled()
    })
  })
