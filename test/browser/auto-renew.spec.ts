import type { Page } from '@playwright/test'
import { chainSettings } from './chain-helpers.ts'
import {
  balanceOf,
  claimCoins,
  dialog,
  expectAlert,
  expectToast,
  importWallet,
  lastSigned,
  linkFundedWallet,
  ordersOf,
  ordersWords,
  WALLET_PASSWORD,
} from './order-helpers.ts'
import { accessibilityViolations, call, data, expect, type TestUser, test, viewsFor } from './test-env.ts'

interface Renewal {
  on: boolean
  cap: number
  allowed: string
}
const renewalOf = async (user: TestUser, id: string): Promise<Renewal> =>
  (await data<{ auto_renew: Renewal }>('orders.details', { id }, user.token)).auto_renew

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const { o, w } = ordersWords(view)
    const a = o.autoRenew

    const buy = async (page: Page, user: TestUser, sign: () => Promise<void>): Promise<string> => {
      const field = page.getByLabel(o.exact(o.names.duration), { exact: true })
      await field.fill('1')
      await field.press('Enter')
      await expect(page.getByText(o.coin('70', 'cTNT'), { exact: true })).toBeVisible()
      await page.getByRole('button', { name: o.buy.now }).click()
      await sign()
      await expectToast(page, o.done.created)
      await expect.poll(async () => (await ordersOf(user))[0]?.status, { timeout: 30_000 }).toBe(2)
      return (await ordersOf(user))[0]?.id ?? ''
    }
    const card = (page: Page) => page.getByRole('region', { name: a.title })

    test('auto-renew is enabled, changed, disabled and its allowance revoked with readable signatures', {
      tag: '@long',
    }, async ({ page, context, user, signIn, at }) => {
      test.setTimeout(180_000)
      const { cosmos } = await linkFundedWallet(context, user)
      const { token } = await chainSettings()
      await signIn(page, user)
      await page.goto(at('/mycenter?tab=2'))
      const sign = () =>
        dialog(page)
          .getByRole('button', { name: o.pay.sign('Keplr') })
          .click()
      const id = await buy(page, user, async () => {
        await page.getByRole('button', { name: w.dialog.use('Keplr') }).click()
        await sign()
      })
      const asked = () => {
        const [{ value }] = JSON.parse(lastSigned(cosmos)).msgs
        expect(value.contract).toBe(token.address)
        return Object.fromEntries(
          Object.entries(value.msg as Record<string, { amount: string }>).map(([name, { amount }]) => [name, amount]),
        )
      }
      await page.goto(at(`/mycenter?tab=1&order=${id}`))
      await expect(card(page)).toContainText(a.text(o.hours(1), o.coin('70', 'cTNT')))

      await test.step('rejects a cap below one renewal', async () => {
        await card(page).getByRole('button', { name: a.switchOn }).click()
        const cap = dialog(page).getByLabel(a.dialog.cap)
        await expect(cap).toHaveValue('210')
        await cap.fill('69')
        await dialog(page).getByRole('button', { name: a.dialog.go }).click()
        await expect(dialog(page)).toContainText(a.dialog.low(o.coin('70', 'cTNT')))
        await cap.fill('140')
        await expect(dialog(page)).toContainText(a.dialog.hint(2, o.coin('70', 'cTNT')))
        expect(await accessibilityViolations(page)).toEqual([])
        await dialog(page).getByRole('button', { name: a.dialog.go }).click()
      })

      await test.step('stays off if the wallet declines', async () => {
        await page.getByRole('button', { name: w.dialog.use('Keplr') }).click()
        await expect(dialog(page)).toContainText(w.words.allow('140 cTNT'))
        expect(await accessibilityViolations(page)).toEqual([])
        cosmos.approve = false
        await sign()
        await expectAlert(page, w.problems.rejected)
        expect(await renewalOf(user, id)).toMatchObject({ on: false, cap: 0 })
        cosmos.approve = true
        await dialog(page).getByRole('button', { name: o.pay.retry }).click()
      })

      await test.step('turns on once signed, and shows the remaining allowance', async () => {
        await sign()
        await expectToast(page, o.done.autoRenewOn)
        expect(asked()).toEqual({ increase_allowance: '14000' })
        await expect(card(page)).toContainText(a.leftOf(o.coin('140', 'cTNT'), o.coin('140', 'cTNT')))
        expect(await renewalOf(user, id)).toMatchObject({ on: true, cap: 140, allowed: '140.00' })
        expect(await accessibilityViolations(page)).toEqual([])
        // Nothing is charged before a renewal is due.
        expect(await balanceOf(user)).toBe(330)
      })

      await test.step('a lower cap reduces the allowance', async () => {
        await card(page).getByRole('button', { name: a.change }).click()
        await dialog(page).getByLabel(a.dialog.cap).fill('100')
        await dialog(page).getByRole('button', { name: a.dialog.go }).click()
        await expect(dialog(page)).toContainText(w.words.disallow('40 cTNT'))
        await sign()
        await expect.poll(asked).toEqual({ decrease_allowance: '4000' })
        await expect.poll(() => renewalOf(user, id)).toMatchObject({ on: true, cap: 100, allowed: '100.00' })
      })

      await test.step('turns off at once; the allowance is revoked by a signature, also later', async () => {
        await card(page).getByRole('button', { name: a.switchOff }).click()
        await dialog(page).getByRole('button', { name: a.offDialog.confirm }).click()
        await expect(dialog(page)).toContainText(w.words.disallow('100 cTNT'))
        expect(await renewalOf(user, id)).toMatchObject({ on: false, allowed: '100.00' })
        await dialog(page).getByRole('button', { name: a.sign.later }).click()
        await expect(card(page)).toContainText(a.above(o.coin('100', 'cTNT')))
        expect(await accessibilityViolations(page)).toEqual([])
        await card(page).getByRole('button', { name: a.takeBack }).click()
        await sign()
        await expectToast(page, o.done.allowanceBack)
        await expect(card(page).getByRole('button', { name: a.takeBack })).toHaveCount(0)
        expect(await renewalOf(user, id)).toMatchObject({ on: false, allowed: '0.00' })
      })
    })

    test('works with the browser wallet; other accounts cannot change it', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      at,
    }) => {
      test.setTimeout(120_000)
      await signIn(page, user)
      await page.goto(at('/mycenter?tab=2'))
      await importWallet(page, w)
      await claimCoins(user)
      await page.reload()
      const asked = (title: string) => page.getByRole('dialog', { name: title })
      const sign = () => asked(w.prompt.transaction).getByRole('button', { name: w.prompt.sign }).click()
      const id = await buy(page, user, async () => {
        await page.getByRole('button', { name: w.dialog.use(w.dialog.inBrowser) }).click()
        await asked(w.prompt.connect).getByRole('textbox').fill(WALLET_PASSWORD)
        await asked(w.prompt.connect).getByRole('button', { name: w.prompt.unlock }).click()
        await sign()
      })
      await page
        .getByRole('article')
        .first()
        .getByRole('link', { name: new RegExp(o.use.details) })
        .click()
      await card(page).getByRole('button', { name: a.switchOn }).click()
      await dialog(page).getByRole('button', { name: a.dialog.go }).click()
      await expect(asked(w.prompt.transaction)).toContainText(w.words.allow('210 cTNT'))
      expect(await accessibilityViolations(page)).toEqual([])
      await sign()
      await expectToast(page, o.done.autoRenewOn)
      expect(await renewalOf(user, id)).toMatchObject({ on: true, cap: 210, allowed: '210.00' })
      await card(page).getByRole('button', { name: a.switchOff }).click()
      await dialog(page).getByRole('button', { name: a.offDialog.confirm }).click()
      await sign()
      await expectToast(page, o.done.allowanceBack)
      expect(await renewalOf(user, id)).toMatchObject({ on: false, allowed: '0.00' })
      expect((await call('orders.autoRenew', { id, on: true, cap: 500 })).code).toBe(401)
    })
  })
