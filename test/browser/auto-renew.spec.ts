import type { Page } from '@playwright/test'
import { chainSettings } from './chain-world.ts'
import {
  balanceOf,
  claimed,
  dialog,
  importWallet,
  lastSigned,
  ordersOf,
  ordersWords,
  said,
  WALLET_PASSWORD,
  warned,
  withCoins,
} from './orders-world.ts'
import { barriers, call, data, expect, journeys, type Person, test } from './world.ts'

interface Renewal {
  on: boolean
  cap: number
  allowed: string
}
const renewalOf = async (person: Person, id: string): Promise<Renewal> =>
  (await data<{ auto_renew: Renewal }>('orders.details', { id }, person.token)).auto_renew

for (const view of journeys('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const { o, w } = ordersWords(view)
    const a = o.autoRenew

    const buy = async (page: Page, person: Person, sign: () => Promise<void>): Promise<string> => {
      const field = page.getByLabel(o.exact(o.names.duration), { exact: true })
      await field.fill('1')
      await field.press('Enter')
      await expect(page.getByText(o.coin('70', 'cTNT'), { exact: true })).toBeVisible()
      await page.getByRole('button', { name: o.buy.now }).click()
      await sign()
      await said(page, o.done.created)
      await expect.poll(async () => (await ordersOf(person))[0]?.status, { timeout: 30_000 }).toBe(2)
      return (await ordersOf(person))[0]?.id ?? ''
    }
    const card = (page: Page) => page.getByRole('region', { name: a.title })

    test('an order renews itself up to a cap that the wallet allows: signed in words, changed, switched off, taken back', async ({
      page,
      context,
      person,
      signIn,
      at,
    }) => {
      test.setTimeout(180_000)
      const { cosmos } = await withCoins(context, person)
      const { token } = await chainSettings()
      await signIn(page, person)
      await page.goto(at('/mycenter?tab=2'))
      const sign = () =>
        dialog(page)
          .getByRole('button', { name: o.pay.sign('Keplr') })
          .click()
      const id = await buy(page, person, async () => {
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

      await test.step('not for less than one renewal', async () => {
        await card(page).getByRole('button', { name: a.switchOn }).click()
        const cap = dialog(page).getByLabel(a.dialog.cap)
        await expect(cap).toHaveValue('210')
        await cap.fill('69')
        await dialog(page).getByRole('button', { name: a.dialog.go }).click()
        await expect(dialog(page)).toContainText(a.dialog.low(o.coin('70', 'cTNT')))
        await cap.fill('140')
        await expect(dialog(page)).toContainText(a.dialog.hint(2, o.coin('70', 'cTNT')))
        expect(await barriers(page)).toEqual([])
        await dialog(page).getByRole('button', { name: a.dialog.go }).click()
      })

      await test.step('refused in the wallet, nothing is on', async () => {
        await page.getByRole('button', { name: w.dialog.use('Keplr') }).click()
        await expect(dialog(page)).toContainText(w.words.allow('140 cTNT'))
        expect(await barriers(page)).toEqual([])
        cosmos.approve = false
        await sign()
        await warned(page, w.problems.rejected)
        expect(await renewalOf(person, id)).toMatchObject({ on: false, cap: 0 })
        cosmos.approve = true
        await dialog(page).getByRole('button', { name: o.pay.retry }).click()
      })

      await test.step('allowed, it is on, and shows what is left', async () => {
        await sign()
        await said(page, o.done.autoRenewOn)
        expect(asked()).toEqual({ increase_allowance: '14000' })
        await expect(card(page)).toContainText(a.leftOf(o.coin('140', 'cTNT'), o.coin('140', 'cTNT')))
        expect(await renewalOf(person, id)).toMatchObject({ on: true, cap: 140, allowed: '140.00' })
        expect(await barriers(page)).toEqual([])
        // Nothing is taken before a renewal is due.
        expect(await balanceOf(person)).toBe(330)
      })

      await test.step('a lower cap takes a part back', async () => {
        await card(page).getByRole('button', { name: a.change }).click()
        await dialog(page).getByLabel(a.dialog.cap).fill('100')
        await dialog(page).getByRole('button', { name: a.dialog.go }).click()
        await expect(dialog(page)).toContainText(w.words.disallow('40 cTNT'))
        await sign()
        await expect.poll(asked).toEqual({ decrease_allowance: '4000' })
        await expect.poll(() => renewalOf(person, id)).toMatchObject({ on: true, cap: 100, allowed: '100.00' })
      })

      await test.step('off at once; the allowance goes back by a signature, also later', async () => {
        await card(page).getByRole('button', { name: a.switchOff }).click()
        await dialog(page).getByRole('button', { name: a.offDialog.confirm }).click()
        await expect(dialog(page)).toContainText(w.words.disallow('100 cTNT'))
        expect(await renewalOf(person, id)).toMatchObject({ on: false, allowed: '100.00' })
        await dialog(page).getByRole('button', { name: a.sign.later }).click()
        await expect(card(page)).toContainText(a.above(o.coin('100', 'cTNT')))
        expect(await barriers(page)).toEqual([])
        await card(page).getByRole('button', { name: a.takeBack }).click()
        await sign()
        await said(page, o.done.allowanceBack)
        await expect(card(page).getByRole('button', { name: a.takeBack })).toHaveCount(0)
        expect(await renewalOf(person, id)).toMatchObject({ on: false, allowed: '0.00' })
      })
    })

    test('the wallet of this browser allows it as well; a stranger switches nothing', async ({
      page,
      person,
      signIn,
      at,
    }) => {
      test.setTimeout(120_000)
      await signIn(page, person)
      await page.goto(at('/mycenter?tab=2'))
      await importWallet(page, w)
      await claimed(person)
      await page.reload()
      const asked = (title: string) => page.getByRole('dialog', { name: title })
      const sign = () => asked(w.prompt.transaction).getByRole('button', { name: w.prompt.sign }).click()
      const id = await buy(page, person, async () => {
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
      expect(await barriers(page)).toEqual([])
      await sign()
      await said(page, o.done.autoRenewOn)
      expect(await renewalOf(person, id)).toMatchObject({ on: true, cap: 210, allowed: '210.00' })
      await card(page).getByRole('button', { name: a.switchOff }).click()
      await dialog(page).getByRole('button', { name: a.offDialog.confirm }).click()
      await sign()
      await said(page, o.done.allowanceBack)
      expect(await renewalOf(person, id)).toMatchObject({ on: false, allowed: '0.00' })
      expect((await call('orders.autoRenew', { id, on: true, cap: 500 })).code).toBe(401)
    })
  })
