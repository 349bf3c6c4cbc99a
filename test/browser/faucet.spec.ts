import type { Page, Route } from '@playwright/test'
import { chainSettings, faucetWords, linkWallet } from './chain-helpers.ts'
import { accessibilityViolations, data, expect, test, viewsFor } from './test-env.ts'

const DISTRIBUTED = '**/api/v1/platform/user/distributed'

interface Distributed {
  remaining_amount: number
  hourly_amount: number
  received: boolean
  next_time: string
  next_claim_at: string
}

/** Modifies the faucet's responses until stopped. */
async function pretend(page: Page, change: (figures: Distributed) => Partial<Distributed>): Promise<() => void> {
  let over = false
  await page.route(DISTRIBUTED, async (route: Route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: Distributed }
    if (!over) Object.assign(answer.data, change(answer.data))
    await route.fulfill({ response, json: answer })
  })
  return () => {
    over = true
  }
}

/** Responds with an error instead of the server. */
const refuse = (page: Page, path: string, err: number, msg: string) =>
  page.route(`**${path}`, (route) => route.fulfill({ json: { code: -1, err, msg } }))

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const w = faucetWords(view)
    const button = (page: Page) => page.getByRole('button', { name: w.button('400') })
    const shown = (value: number) => value.toLocaleString('en')

    test('claims coins with the button and shows the transaction', async ({ page, context, user, signIn, at }) => {
      await signIn(page, user)
      const address = await linkWallet(page, context, view, at('/testCoin'))
      // Other tests claim meanwhile, so the figure may be outdated.
      await expect(async () => {
        await page.reload()
        const { remaining_amount: left, hourly_amount: all } = await data<Distributed>(
          'faucet.distributed',
          {},
          user.token,
        )
        await expect(page.getByText(w.leftOf(shown(left), shown(all)))).toBeVisible({ timeout: 3000 })
        const bar = page.getByRole('progressbar', { name: w.left })
        await expect(bar).toHaveAttribute('aria-valuenow', String((left / all) * 100), { timeout: 3000 })
        await expect(page.getByText(w.peopleOf(Math.floor(left / 400)))).toBeVisible({ timeout: 3000 })
      }).toPass({ timeout: 30_000 })
      await expect(page.getByRole('timer').first()).toHaveText(/^00:[0-5]\d:[0-5]\d$/)
      await expect(page.getByText(w.none, { exact: true })).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])

      await button(page).click()
      await expect(page.getByRole('button', { name: w.done })).toBeDisabled()
      await expect(page.getByText(w.progress.done)).toBeVisible({ timeout: 30_000 })
      const { balance } = await data<{ balance: string }>('faucet.balance', {}, user.token)
      expect(balance).toBe('400')
      await expect(page.getByText('400 cTNT', { exact: true }).first()).toBeVisible()
      await expect(page.getByText(w.nextClaim)).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])

      await test.step('the history links to the transaction with the same amount and wallet', async () => {
        const row = page.getByRole('row').nth(1)
        await expect(row).toContainText('400 cTNT')
        await row.getByRole('link').click()
        await expect(page).toHaveURL(/\/chain\/tx\/[0-9A-F]{64}$/)
        const first = page.locator('main ol li').first()
        await expect(first).toContainText('400 cTNT')
        await expect(first.getByRole('link', { name: `${address.slice(0, 10)}…${address.slice(-6)}` })).toBeVisible()
      })
    })

    test('shows the hourly limit as used up, and the next hour without a reload', { tag: '@long' }, async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      await signIn(page, user)
      await linkWallet(page, context, view, at('/testCoin'))
      const next = inSeconds(4)
      // Less than one claim counts as nothing.
      const stop = await pretend(page, () => ({ remaining_amount: 399, next_time: next }))
      await page.reload()
      await expect(page.getByText(w.exhausted)).toBeVisible()
      await expect(button(page)).toBeDisabled()
      await expect(page.getByText(w.peopleOf(0))).toBeVisible()
      stop()
      await expect(button(page)).toBeEnabled({ timeout: 15_000 })
      await expect(page.getByText(w.exhausted)).toHaveCount(0)
    })

    test('allows another claim after a day without a reload', { tag: '@long' }, async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      await signIn(page, user)
      await linkWallet(page, context, view, at('/testCoin'))
      const next = inSeconds(4)
      const stop = await pretend(page, () => ({ received: true, remaining_amount: 0, next_claim_at: next }))
      await page.reload()
      await expect(page.getByRole('button', { name: w.done })).toBeDisabled()
      // The daily limit takes precedence over the hourly one.
      await expect(page.getByText(w.exhausted)).toHaveCount(0)
      stop()
      await expect(button(page)).toBeEnabled({ timeout: 15_000 })
    })

    test('shows the error if the hour is used up or the chain is unreachable', { tag: '@long' }, async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      await signIn(page, user)
      await linkWallet(page, context, view, at('/testCoin'))
      await refuse(page, '/api/v1/platform/user/receive', 1008, 'QUOTA')
      await button(page).click()
      await expect(page.locator('main').getByRole('alert')).toHaveText('QUOTA')
      await expect(button(page)).toBeEnabled()
      await page.unrouteAll()

      await refuse(page, '/api/v1/platform/user/balance', 1004, 'AWAY')
      await pretend(page, () => ({
        received: true,
        claim: { account: 'x', amount: 400, hash: '', created_at: inSeconds(0), state: 'reserved' },
      }))
      await page.reload()
      await expect(page.getByText('AWAY')).toBeVisible()
      await expect(page.getByText(w.kept)).toBeVisible()
      await page.unrouteAll()

      await refuse(page, '/api/v1/platform/user/distributed', 1004, 'ABSENT')
      await page.reload()
      await expect(page.getByText('ABSENT')).toBeVisible()
      await expect(button(page)).toHaveCount(0)
      // The limits still apply.
      const { token } = await chainSettings()
      await expect(page.getByText(w.rule('400', '10,000', 'UTC+8')[1] ?? token.symbol)).toBeVisible()
    })
  })
