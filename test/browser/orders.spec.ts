import type { Page } from '@playwright/test'
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
import { receiptWords, savedClaims } from './receipt-helpers.ts'
import { accessibilityViolations, call, expect, layoutShift, test, viewsFor } from './test-env.ts'

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const { o, w } = ordersWords(view)

    const choose = async (page: Page, values: Partial<Record<keyof typeof o.names, number>>) => {
      for (const [key, value] of Object.entries(values)) {
        const field = page.getByLabel(o.exact(o.names[key as keyof typeof o.names]), { exact: true })
        await field.fill(String(value))
        await field.press('Enter')
      }
    }
    const connect = async (page: Page) => {
      const strip = page.getByRole('region', { name: w.strip.bound })
      await strip.getByRole('button', { name: w.strip.connect }).click()
      await page.getByRole('button', { name: w.dialog.use('Keplr') }).click()
      await expect(strip).toContainText(w.strip.connected('Keplr'))
    }
    const receipts = (page: Page) => page.getByRole('button', { name: receiptWords(view).receiptOf('') })
    const row = (page: Page, label: string) => page.getByRole('article').filter({ hasText: label }).first()
    const act = (page: Page, label: string, action: string) =>
      row(page, label).getByRole('button', { name: action, exact: true }).click()

    test('buys, renews, upgrades and ends an order; each transaction is readable and on the chain', async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      test.setTimeout(180_000)
      const { cosmos } = await linkFundedWallet(context, user)
      await signIn(page, user)
      await page.goto(at('/mycenter?tab=2'))
      // Without a cluster, a region cannot be chosen.
      await expect(page.getByRole('radio', { name: o.regions.centralized })).toBeDisabled()
      await expect(page.getByRole('radio', { name: o.regions.distributed })).toBeChecked()
      await choose(page, { duration: 1 })
      const price = page.getByText(o.coin('70', 'cTNT'), { exact: true })
      await expect(price).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])

      await test.step('bought', async () => {
        await page.getByRole('button', { name: o.buy.now }).click()
        // The paying wallet is chosen before the signature.
        await page.getByRole('button', { name: w.dialog.use('Keplr') }).click()
        await expect(dialog(page)).toContainText(w.words.create('70 cTNT'))
        await expect(dialog(page)).toContainText(w.words.machineOf('1', '1', '40'))
        await expect(dialog(page)).toContainText(w.words.hoursOf('1'))
        await expect(dialog(page)).toContainText(cosmos.address)
        expect(await accessibilityViolations(page)).toEqual([])
        expect(lastSigned(cosmos)).toBe('')
        await dialog(page)
          .getByRole('button', { name: o.pay.sign('Keplr') })
          .click()
        await expectToast(page, o.done.created)
        await expect(page).toHaveURL(at('/mycenter?tab=1'))
        await expect(row(page, o.labels.running)).toBeVisible({ timeout: 30_000 })
        expect(await balanceOf(user)).toBe(330)
        const [order] = await ordersOf(user)
        expect(JSON.parse(lastSigned(cosmos)).msgs[0].value.msg.send.amount).toBe('7000')
        expect(order?.hash).toMatch(/^[0-9A-F]{64}$/)
        expect(await accessibilityViolations(page)).toEqual([])
      })

      await test.step('renewal doubles the duration for the difference in price', async () => {
        await act(page, o.labels.running, o.actions.renew)
        await expect(dialog(page)).toContainText(o.hours(2))
        await expect(dialog(page)).toContainText(o.coin('70', 'cTNT'))
        await dialog(page).getByRole('button', { name: o.renew.pay }).click()
        await expect(dialog(page)).toContainText(w.words.extend('70 cTNT'))
        await dialog(page)
          .getByRole('button', { name: o.pay.sign('Keplr') })
          .click()
        await expectToast(page, o.done.renewed)
        await expect
          .poll(async () => (await ordersOf(user))[0], { timeout: 30_000 })
          .toMatchObject({
            status: 2,
            duration: 2,
          })
        expect(await balanceOf(user)).toBe(260)
      })

      await test.step('an upgrade must be larger', async () => {
        await row(page, o.labels.running).getByRole('link', { name: o.actions.upgrade, exact: true }).click()
        await expect(page.getByText(o.buy.same)).toBeVisible()
        await expect(page.getByRole('radio')).toHaveCount(0)
        await choose(page, { duration: 1 })
        await expect(page.getByText(o.buy.lower)).toBeVisible()
        await expect(page.getByRole('button', { name: o.buy.upgradeNow })).toBeDisabled()
        await choose(page, { cpu: 2, duration: 2 })
        await page.getByRole('button', { name: o.buy.upgradeNow }).click()
        await expect(dialog(page)).toContainText(w.words.update('190 cTNT'))
        await dialog(page)
          .getByRole('button', { name: o.pay.sign('Keplr') })
          .click()
        await expectToast(page, o.done.created)
        await expect(page).toHaveURL(at('/mycenter?tab=1'))
        await expect
          .poll(async () => (await ordersOf(user)).map(({ status }) => status), { timeout: 30_000 })
          .toEqual([2, 3])
        // The unused hour of the first order was refunded.
        expect(await balanceOf(user)).toBe(260 - 190 + 70)
      })

      await test.step('its details link to the transaction', async () => {
        await page.reload()
        await expect(page.getByRole('region', { name: w.strip.bound })).toBeVisible()
        await expect(page.getByRole('button', { name: o.use.copyAddress })).toBeVisible()
        // What arrives later does not move the order away from under the pointer.
        expect(await layoutShift(page)).toBeLessThan(0.01)
        await row(page, o.labels.running)
          .getByRole('link', { name: new RegExp(o.use.details) })
          .click()
        await expect(page.getByText(o.events.upgraded)).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
        const [order] = await ordersOf(user)
        await expect(page.locator(`a[href="/chain/tx/${order?.hash}"]`).first()).toBeVisible()
        const paid = await savedClaims(page, receipts(page).first())
        expect(paid).toMatchObject({ kind: 'order', purpose: 'update', order: order?.id, tx: order?.hash, amount: 190 })
        await page.goBack()
      })

      await test.step('ending early refunds the estimated amount', async () => {
        await act(page, o.labels.running, o.actions.terminate)
        await expect(dialog(page)).toContainText(o.coin('95', 'cTNT'))
        expect(await accessibilityViolations(page)).toEqual([])
        await dialog(page).getByRole('button', { name: o.terminate.confirm }).click()
        await expectToast(page, o.done.terminated)
        await expect(row(page, o.labels.terminated)).toBeVisible({ timeout: 30_000 })
        await expect.poll(() => balanceOf(user), { timeout: 30_000 }).toBe(140 + 95)
      })

      await test.step('its details save the receipts of the payment and of the refund', async () => {
        const ended = (await ordersOf(user)).find(({ hash }) => hash !== '')
        await row(page, o.labels.terminated)
          .getByRole('link', { name: new RegExp(o.use.details) })
          .click()
        await expect(receipts(page)).toHaveCount(2, { timeout: 30_000 })
        const claims = [await savedClaims(page, receipts(page).first()), await savedClaims(page, receipts(page).last())]
        const wallet = cosmos.address
        expect(claims).toContainEqual(expect.objectContaining({ kind: 'order', order: ended?.id, wallet }))
        expect(claims).toContainEqual(expect.objectContaining({ kind: 'refund', order: ended?.id, wallet }))
      })
    })

    test('pays with the browser wallet, which shows the transaction and asks for confirmation', {
      tag: '@long',
    }, async ({ page, user, signIn, at }) => {
      test.setTimeout(120_000)
      await signIn(page, user)
      await page.goto(at('/mycenter?tab=2'))
      await importWallet(page, w)
      const asked = (title: string) => page.getByRole('dialog', { name: title })
      await claimCoins(user)
      await page.reload()

      await page.getByRole('button', { name: o.buy.now }).click()
      await page.getByRole('button', { name: w.dialog.use(w.dialog.inBrowser) }).click()
      // Navigation locked it.
      await asked(w.prompt.connect).getByRole('textbox').fill(WALLET_PASSWORD)
      await asked(w.prompt.connect).getByRole('button', { name: w.prompt.unlock }).click()
      await expect(asked(w.prompt.transaction)).toContainText(w.words.create('280 cTNT'))
      await expect(asked(w.prompt.transaction)).toContainText(w.words.hoursOf('4'))
      expect(await accessibilityViolations(page)).toEqual([])
      await asked(w.prompt.transaction).getByRole('button', { name: w.prompt.refuse }).click()
      await expectAlert(page, w.problems.rejected)
      expect(await balanceOf(user)).toBe(400)
      await dialog(page).getByRole('button', { name: o.pay.retry }).click()
      await asked(w.prompt.transaction).getByRole('button', { name: w.prompt.sign }).click()
      await expectToast(page, o.done.created)
      await expect(row(page, o.labels.running)).toBeVisible({ timeout: 30_000 })
      expect(await balanceOf(user)).toBe(120)
    })

    test('requests the price only for the last of many changes', { tag: '@long' }, async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      await linkFundedWallet(context, user)
      await signIn(page, user)
      await page.goto(at('/mycenter?tab=2'))
      await expect(page.getByText(o.coin('280', 'cTNT'), { exact: true })).toBeVisible()
      const priced: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/order/price')) priced.push(new URL(request.url()).searchParams.get('cpu') ?? '')
      })
      const slider = page.getByRole('slider').first()
      // In one call, because each call from the test to the browser takes an unknown time.
      await slider.evaluate((input: HTMLInputElement) => {
        const change = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
        for (let cores = 2; cores <= 11; cores++) {
          change?.call(input, String(cores))
          input.dispatchEvent(new Event('input', { bubbles: true }))
        }
      })
      await expect(slider).toHaveValue('11')
      // 4 × 100, 4 × 90 and 3 × 80 for cores, 100 for memory, 80 for disk; four hours at a quarter.
      await expect(page.getByText(o.coin('1,180', 'cTNT'), { exact: true })).toBeVisible()
      expect(priced).toEqual(['11'])
      await expect(page.getByText(o.buy.over)).toBeVisible()
      await expect(page.getByRole('button', { name: o.buy.now })).toBeDisabled()
    })

    test('the order stays unpaid if the wallet, the chain or another account rejects it, and can be cancelled', {
      tag: '@long',
    }, async ({ page, context, user, signIn, at }) => {
      test.setTimeout(120_000)
      const wallets = await linkFundedWallet(context, user)
      const { cosmos } = wallets
      const linked = cosmos.address
      await signIn(page, user)
      await page.goto(at('/mycenter?tab=2'))
      await connect(page)
      await page.getByRole('button', { name: o.buy.now }).click()
      const sign = dialog(page).getByRole('button', { name: o.pay.sign('Keplr') })
      const again = dialog(page).getByRole('button', { name: o.pay.retry })

      await expect(sign).toBeEnabled()
      cosmos.approve = false
      await sign.click()
      await expectAlert(page, w.problems.rejected)
      cosmos.approve = true
      for (const [words, text] of [
        ['Overflow: Cannot Sub with 1 and 2', w.problems.tokenFunds],
        ['Unauthorized', w.problems.notOwner],
        ['Insufficient funds', w.problems.wrongAmount],
        ['Bad request', w.problems.badRequest],
        ['Order Already exists', w.problems.orderExists],
        ['Order Not Found', w.problems.orderUnknown],
        ['Insufficient Capacity', w.problems.capacity],
        ['Shortened Duration', w.problems.shortened],
        ['something else', w.paymentFailed],
      ] as const) {
        cosmos.says = words
        await again.click()
        await sign.click()
        await expectAlert(page, text)
      }
      cosmos.says = ''

      await test.step('another account: both addresses are shown', async () => {
        await wallets.changeCosmosAccount()
        await again.click()
        await expect(dialog(page)).toContainText(linked)
        await expect(dialog(page)).toContainText(cosmos.address)
        await expect(sign).toHaveCount(0)
        await wallets.changeCosmosAccount()
      })
      await dialog(page).getByRole('button', { name: o.pay.later }).click()
      await expect(page).toHaveURL(at('/mycenter?tab=1'))
      await expect(row(page, o.labels.created).getByRole('button', { name: o.actions.use })).toBeDisabled()
      await expect(row(page, o.labels.created)).toContainText(o.why.unpaid)
      await act(page, o.labels.created, o.actions.cancel)
      await dialog(page).getByRole('button', { name: o.cancel.confirm }).click()
      await expect(row(page, o.labels.cancelled)).toBeVisible()
      expect(await balanceOf(user)).toBe(400)

      await test.step('an order of another account is not found', async () => {
        const [order] = await ordersOf(user)
        expect((await call('orders.details', { id: order?.id ?? '' }, '')).code).toBe(401)
      })
    })

    test('shows, copies and resets the console account and password', async ({ page, context, user, signIn, at }) => {
      await linkFundedWallet(context, user)
      await signIn(page, user)
      await page.goto(at('/mycenter?tab=1'))
      await page.getByRole('button', { name: o.use.password }).click()
      const password = dialog(page).getByLabel(o.password.password, { exact: true })
      const before = await password.inputValue()
      expect(before).not.toBe('')
      await expect(password).toHaveAttribute('readonly', '')
      expect(await accessibilityViolations(page)).toEqual([])
      await dialog(page).getByRole('button', { name: o.password.reset }).click()
      await expectToast(page, o.done.reset)
      await expect(password).not.toHaveValue(before)
    })
  })
