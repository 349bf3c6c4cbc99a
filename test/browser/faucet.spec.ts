import type { Page, Route } from '@playwright/test'
import { bindWallet, chainSettings, faucetWords } from './chain-world.ts'
import { barriers, data, expect, journeys, test } from './world.ts'

const DISTRIBUTED = '**/api/v1/platform/user/distributed'

interface Distributed {
  remaining_amount: number
  hourly_amount: number
  received: boolean
  next_time: string
  next_claim_at: string
}

/** Changes what the faucet says of itself on the way to a page, until it is told to stop. */
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

/** Answers in the place of the server with a refusal. */
const refuse = (page: Page, path: string, err: number, msg: string) =>
  page.route(`**${path}`, (route) => route.fulfill({ json: { code: -1, err, msg } }))

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

for (const view of journeys('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const w = faucetWords(view)
    const button = (page: Page) => page.getByRole('button', { name: w.button('400') })
    const shown = (value: number) => value.toLocaleString('en')

    test('a claim goes from the button to the wallet, and its transaction says so', async ({
      page,
      context,
      person,
      signIn,
      at,
    }) => {
      await signIn(page, person)
      const address = await bindWallet(page, context, view, at('/testCoin'))
      // Others claim meanwhile: what the page says was true a moment ago.
      await expect(async () => {
        await page.reload()
        const { remaining_amount: left, hourly_amount: all } = await data<Distributed>(
          'faucet.distributed',
          {},
          person.token,
        )
        await expect(page.getByText(w.leftOf(shown(left), shown(all)))).toBeVisible({ timeout: 3000 })
        const bar = page.getByRole('progressbar', { name: w.left })
        await expect(bar).toHaveAttribute('aria-valuenow', String((left / all) * 100), { timeout: 3000 })
        await expect(page.getByText(w.peopleOf(Math.floor(left / 400)))).toBeVisible({ timeout: 3000 })
      }).toPass({ timeout: 30_000 })
      await expect(page.getByRole('timer').first()).toHaveText(/^00:[0-5]\d:[0-5]\d$/)
      await expect(page.getByText(w.none, { exact: true })).toBeVisible()
      expect(await barriers(page)).toEqual([])

      await button(page).click()
      await expect(page.getByRole('button', { name: w.done })).toBeDisabled()
      await expect(page.getByText(w.progress.done)).toBeVisible({ timeout: 30_000 })
      const { balance } = await data<{ balance: string }>('faucet.balance', {}, person.token)
      expect(balance).toBe('400')
      await expect(page.getByText('400 cTNT', { exact: true }).first()).toBeVisible()
      await expect(page.getByText(w.nextClaim)).toBeVisible()
      expect(await barriers(page)).toEqual([])

      await test.step('the history leads to the transaction, which moved that amount to that wallet', async () => {
        const row = page.getByRole('row').nth(1)
        await expect(row).toContainText('400 cTNT')
        await row.getByRole('link').click()
        await expect(page).toHaveURL(/\/chain\/tx\/[0-9A-F]{64}$/)
        const first = page.locator('main ol li').first()
        await expect(first).toContainText('400 cTNT')
        await expect(first.getByRole('link', { name: `${address.slice(0, 10)}…${address.slice(-6)}` })).toBeVisible()
      })
    })

    test('what is left of an hour runs out, and the next one begins by itself', async ({
      page,
      context,
      person,
      signIn,
      at,
    }) => {
      await signIn(page, person)
      await bindWallet(page, context, view, at('/testCoin'))
      const next = inSeconds(4)
      // One less than a claim is as good as none.
      const stop = await pretend(page, () => ({ remaining_amount: 399, next_time: next }))
      await page.reload()
      await expect(page.getByText(w.exhausted)).toBeVisible()
      await expect(button(page)).toBeDisabled()
      await expect(page.getByText(w.peopleOf(0))).toBeVisible()
      stop()
      await expect(button(page)).toBeEnabled({ timeout: 15_000 })
      await expect(page.getByText(w.exhausted)).toHaveCount(0)
    })

    test('who has claimed may claim again when the day is over, with the page open', async ({
      page,
      context,
      person,
      signIn,
      at,
    }) => {
      await signIn(page, person)
      await bindWallet(page, context, view, at('/testCoin'))
      const next = inSeconds(4)
      const stop = await pretend(page, () => ({ received: true, remaining_amount: 0, next_claim_at: next }))
      await page.reload()
      await expect(page.getByRole('button', { name: w.done })).toBeDisabled()
      // The day counts before the hour.
      await expect(page.getByText(w.exhausted)).toHaveCount(0)
      stop()
      await expect(button(page)).toBeEnabled({ timeout: 15_000 })
    })

    test('what is refused is said: an hour that others have used up, and a chain that is away', async ({
      page,
      context,
      person,
      signIn,
      at,
    }) => {
      await signIn(page, person)
      await bindWallet(page, context, view, at('/testCoin'))
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
      // Rules hold all the same.
      const { token } = await chainSettings()
      await expect(page.getByText(w.rule('400', '10,000', 'UTC+8')[1] ?? token.symbol)).toBeVisible()
    })
  })
