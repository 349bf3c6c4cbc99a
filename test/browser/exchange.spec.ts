import type { Page } from '@playwright/test'
import {
  CLOSED,
  confirmedExchange,
  exchangeWords,
  FIRST,
  linkWalletWithTnt4,
  payWithOtherRemarks,
  recordsOf,
  setFaults,
  setRate,
  walletOf,
} from './exchange-helpers.ts'
import { dialog, lastSigned } from './order-helpers.ts'
import { accessibilityViolations, data, expect, operator, test, viewsFor } from './test-env.ts'

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const { x, w, a, o, admin } = exchangeWords(view)

    const verify = async (page: Page, account: string) => {
      await page.getByLabel(x.account.label).fill(account)
      await page.getByRole('button', { name: x.account.button, exact: true }).click()
    }
    const quote = async (page: Page, account = FIRST.uid) => {
      await verify(page, account)
      await expect(page.getByRole('button', { name: x.account.change })).toBeVisible()
      await page.getByRole('button', { name: x.points.quote }).click()
    }
    const connect = async (page: Page) => {
      await page.getByRole('button', { name: x.wallet.button }).click()
      await page.getByRole('button', { name: w.dialog.use('Keplr') }).click()
      await expect(page.getByText('Keplr', { exact: true })).toBeVisible()
    }
    const confirm = (page: Page) => page.getByRole('button', { name: x.confirm.button, exact: true })
    const sign = (page: Page) =>
      dialog(page)
        .getByRole('button', { name: o.pay.sign('Keplr') })
        .click()
    /** The card of the exchange that goes on. */
    const card = (page: Page) => page.getByRole('region', { name: x.ongoing.title }).getByRole('listitem').first()
    const records = (page: Page) => page.getByRole('table', { name: x.recordsTitle }).locator('tbody tr')

    test('prices credits exactly and refuses invalid amounts, without an account', async ({ page, at }) => {
      await page.goto(at('/exchangePnuts'))
      const credits = page.getByLabel(x.points.label, { exact: true })
      const bill = page.getByRole('region', { name: x.quoteTitle })
      await expect(bill).toContainText(x.tnt4('36.909449'))
      await credits.fill('2,032')
      await expect(bill).toContainText(x.tnt4('75'))
      await expect(page.locator('del').getByText(x.tnt4('100'))).toBeVisible()
      for (const [typed, why] of [
        ['', x.points.problems.missing],
        ['99', x.points.problems.least('100')],
        ['10000001', x.points.problems.most('10,000,000')],
        ['100.5', x.points.problems.whole],
      ] as const) {
        await credits.fill(typed)
        await expect(credits).toHaveAccessibleDescription(why)
        await expect(bill).not.toContainText(x.tnt4('75'))
      }
      await expect(page.getByRole('button', { name: x.points.quote })).toBeDisabled()
      await expect(page.getByText(x.simulated, { exact: true }).first()).toBeVisible()
    })

    test('a wallet gets TNT4 of the test network, once a day', async ({ page, context, user, signIn, at }) => {
      const wallets = await linkWalletWithTnt4(context, user, false)
      await signIn(page, user)
      await page.goto(at('/exchangePnuts'))
      await page.getByRole('button', { name: x.wallet.fund(x.tnt4('1,000')) }).click()
      // It takes the place of the button, which had the focus.
      await expect(page.getByRole('status').filter({ hasText: x.tnt4('1,000') })).toBeFocused()
      await expect(page.getByText(x.wallet.funding.done)).toBeVisible({ timeout: 30_000 })
      await expect(page.getByText(x.tnt4('1,000'), { exact: true })).toBeVisible()
      await expect(page.getByText(x.wallet.fundedToday)).toBeVisible()
      await page.getByRole('link', { name: x.wallet.seeTransaction }).click()
      await expect(page.locator(`a[href="/chain/address/${wallets.cosmos.address}"]`).first()).toBeVisible()
    })

    test('verifies the account, shows the payment in words, and credits it', async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      test.setTimeout(120_000)
      const { cosmos } = await linkWalletWithTnt4(context, user)
      await signIn(page, user)
      await page.goto(at('/exchangePnuts'))
      await connect(page)

      await test.step('an unknown account is refused', async () => {
        await verify(page, 'nobody@partner.example')
        const field = page.getByLabel(x.account.label)
        await expect(field).toHaveAttribute('aria-invalid', 'true')
        await expect(field).toBeFocused()
        await expect(page.getByRole('button', { name: x.points.quote })).toBeDisabled()
      })

      await test.step('the quote names account, amount and discount', async () => {
        await verify(page, FIRST.email)
        await expect(page.getByText(x.account.verified(FIRST.name, FIRST.uid)).first()).toBeVisible()
        await expect(page.getByRole('button', { name: x.account.change })).toBeFocused()
        await page.getByRole('button', { name: x.points.quote }).click()
        const quoted = page.getByRole('group', { name: x.confirm.quoteFor('1,000') })
        await expect(quoted).toBeFocused()
        await expect(quoted).toContainText(x.tnt4('36.909449'))
        await expect(quoted.locator('del')).toContainText(x.tnt4('49.212599'))
        await expect(quoted.getByRole('timer')).toHaveText(/\d+/)
        await expect(quoted).toContainText(x.simulated)
        expect(await accessibilityViolations(page)).toEqual([])
      })

      await test.step('the payment is decoded from what is signed', async () => {
        await confirm(page).click()
        const [order] = await recordsOf(user)
        await expect(dialog(page)).toContainText(w.words.send('36.909449 TNT4'))
        await expect(dialog(page)).toContainText(String(order?.id))
        await expect(dialog(page)).toContainText(x.confirm.text)
        await expect(dialog(page)).toContainText(cosmos.address)
        expect(lastSigned(cosmos)).toBe('')
        expect(await accessibilityViolations(page)).toEqual([])
        await sign(page)
        // Its progress is above what was used.
        await expect(card(page)).toBeInViewport()
        await expect(card(page).locator('[data-state=completed]')).toBeVisible({ timeout: 30_000 })
        const signed = JSON.parse(lastSigned(cosmos))
        expect(signed.memo).toBe(order?.id)
        expect(signed.msgs[0].value.msg.transfer.amount).toBe('36909449')
      })

      await test.step('the record links to the payment', async () => {
        await card(page).getByRole('link', { name: x.ongoing.details }).click()
        const details = page.getByRole('dialog')
        const [order] = await recordsOf(user)
        await expect(details.locator(`a[href="/chain/tx/${order?.payments[0]?.hash}"]`)).toBeVisible()
        await expect(details).toContainText(x.results.credited)
        await expect(details).toContainText(String(order?.reference))
        expect(await accessibilityViolations(page)).toEqual([])
        await page.keyboard.press('Escape')
        await card(page).getByRole('button', { name: x.ongoing.dismiss }).click()
        await expect(page.getByRole('region', { name: x.ongoing.title })).toHaveCount(0)
        await expect(records(page)).toHaveCount(1)
        expect((await walletOf(user)).tnt4).toBe('963.090551')
      })
    })

    test('a changed rate is shown and confirmed again before signing', { tag: '@long' }, async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      test.setTimeout(120_000)
      const { cosmos } = await linkWalletWithTnt4(context, user)
      await signIn(page, user)
      await page.goto(at('/exchangePnuts'))
      await connect(page)
      await quote(page)
      await expect(confirm(page)).toBeVisible()
      await setRate(1016)
      try {
        await confirm(page).click()
        await expect(page.getByText(x.confirm.recalculated(x.tnt4('36.909449'), x.tnt4('18.454725')))).toBeVisible()
        await expect(dialog(page)).toHaveCount(0)
        expect(lastSigned(cosmos)).toBe('')
        await confirm(page).click()
        await expect(dialog(page)).toContainText(w.words.send('18.454725 TNT4'))
        await sign(page)
        await expect(card(page).locator('[data-state=completed]')).toBeVisible({ timeout: 30_000 })
        expect((await recordsOf(user))[0]).toMatchObject({ tnt4: '18.454725', status: 'completed' })
      } finally {
        await setRate(508)
      }
    })

    test('modified remarks: nothing is sent, and the record says failure', { tag: '@long' }, async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      const { cosmos } = await linkWalletWithTnt4(context, user)
      await signIn(page, user)
      await page.goto(at('/exchangePnuts'))
      await connect(page)
      await quote(page)
      cosmos.remarks = 'for First'
      await confirm(page).click()
      await sign(page)
      await expect(page.getByText(x.ongoing.modified)).toBeVisible()
      await expect(card(page).locator('[data-state=failure]')).toBeVisible()
      await expect(records(page).locator('[data-state=failure]')).toHaveCount(1)
      expect(await recordsOf(user)).toMatchObject([{ status: 'failure', payments: [] }])
      expect((await walletOf(user)).tnt4).toBe('1000')
    })

    test('a payment with other remarks fails, is refunded less the fee, and stays on record', { tag: '@long' }, async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      test.setTimeout(120_000)
      const { cosmos } = await linkWalletWithTnt4(context, user)
      await signIn(page, user)
      const asked = await confirmedExchange(user)
      await page.goto(at('/exchangePnuts'))
      await expect(confirm(page)).toBeVisible()
      const hash = await payWithOtherRemarks(cosmos, asked)
      await expect(card(page).locator('[data-state=failure]')).toBeVisible({ timeout: 30_000 })
      await expect
        .poll(async () => (await recordsOf(user))[0]?.payments[0]?.result, { timeout: 30_000 })
        .toBe('refunded')
      const [order] = await recordsOf(user)
      expect(order).toMatchObject({ id: asked.order.id, status: 'failure', reason: 'memo' })
      await records(page).getByRole('link').first().click()
      const details = page.getByRole('dialog')
      const [payment] = order?.payments ?? []
      await expect(details.locator(`a[href="/chain/tx/${hash}"]`)).toBeVisible()
      await expect(details).toContainText(x.results.refunded)
      await expect(details).toContainText(x.tnt4('36.809449'))
      await expect(details.locator('div').filter({ hasText: x.details.fee }).last()).toContainText(x.tnt4('0.1'))
      await details.locator(`a[href="/chain/tx/${payment?.refund?.hash}"]`).click()
      await expect(page.locator(`a[href="/chain/address/${cosmos.address}"]`).first()).toBeVisible()
      expect((await walletOf(user)).tnt4).toBe('999.9')
    })

    test('an exchange continues in a new tab', { tag: '@long' }, async ({ page, context, user, signIn, at }) => {
      test.setTimeout(120_000)
      await linkWalletWithTnt4(context, user)
      await signIn(page, user)
      await page.goto(at('/exchangePnuts'))
      await connect(page)
      await quote(page)
      await expect(confirm(page)).toBeVisible()

      await test.step('before it is paid', async () => {
        await page.close()
        page = await context.newPage()
        await page.goto(at('/exchangePnuts'))
        await expect(confirm(page)).toBeVisible()
        await connect(page)
      })

      await test.step('after it was paid, while the partner fails', async () => {
        await setFaults([{ on: 'any', kind: 'error before', times: 1000 }])
        try {
          await confirm(page).click()
          await sign(page)
          await expect(card(page)).toBeVisible()
          await page.close()
          page = await context.newPage()
          await page.goto(at('/exchangePnuts'))
          await expect(card(page).locator('[data-state=incomplete]')).toBeVisible({ timeout: 30_000 })
          await expect(confirm(page)).toHaveCount(0)
        } finally {
          await setFaults([])
        }
        await expect(card(page).locator('[data-state=completed]')).toBeVisible({ timeout: 60_000 })
        expect((await recordsOf(user)).map(({ status, payments }) => [status, payments.length])).toEqual([
          ['completed', 1],
        ])
      })
    })

    test('what the partner refuses is refunded in full', { tag: '@long' }, async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      test.setTimeout(120_000)
      await linkWalletWithTnt4(context, user)
      await signIn(page, user)
      await page.goto(at('/exchangePnuts'))
      await connect(page)
      await quote(page, CLOSED.uid)
      await confirm(page).click()
      await sign(page)
      await expect(card(page).locator('[data-state=failure]')).toBeVisible({ timeout: 30_000 })
      await expect.poll(async () => (await walletOf(user)).tnt4, { timeout: 30_000 }).toBe('1000')
    })

    test('records are filtered by state and day', { tag: '@long' }, async ({ page, context, user, signIn, at }) => {
      await linkWalletWithTnt4(context, user)
      const { order } = await confirmedExchange(user)
      await data('exchange.cancel', { id: order.id }, user.token)
      const { order: second } = await confirmedExchange(user, 500)
      await signIn(page, user)
      await page.goto(at('/exchangePnuts'))
      await expect(records(page)).toHaveCount(2)
      const status = page.getByLabel(x.records.status)
      await status.selectOption(x.statuses.failure)
      await expect(records(page)).toHaveCount(1)
      await expect(records(page).getByRole('link', { name: x.records.open(order.id) })).toBeVisible()
      await status.selectOption(x.statuses.in_progress)
      await expect(records(page).getByRole('link', { name: x.records.open(second.id) })).toBeVisible()
      await expect(records(page)).toHaveCount(1)
      await status.selectOption(x.statuses.completed)
      await expect(page.getByText(x.records.noneMatch)).toBeVisible()
      await page.getByRole('button', { name: x.records.clear }).click()
      await expect(records(page)).toHaveCount(2)
      await page.getByLabel(x.records.to, { exact: true }).fill('2026-01-31')
      await expect(page.getByText(x.records.noneMatch)).toBeVisible()
      await page.getByLabel(x.records.to, { exact: true }).fill('')
      await page.getByLabel(x.records.from, { exact: true }).fill('2026-01-31')
      await expect(records(page)).toHaveCount(2)
      expect(await accessibilityViolations(page)).toEqual([])
    })

    test('operators see totals that add up, find an exchange, and change the rate with a reason', {
      tag: '@long',
    }, async ({ page, context, user, signIn, at }) => {
      test.setTimeout(120_000)
      const { cosmos } = await linkWalletWithTnt4(context, user)
      await payWithOtherRemarks(cosmos, await confirmedExchange(user))
      await expect
        .poll(async () => (await recordsOf(user))[0]?.payments[0]?.result, { timeout: 30_000 })
        .toBe('refunded')
      const [order] = await recordsOf(user)
      await signIn(page, await operator())
      await page.goto(at(`/admin?view=exchange&q=${order?.id}`))
      await expect(page.getByText(a.totals.equation)).toBeVisible()
      await expect(page.getByText(a.totals.mismatch('').split('0')[0] ?? '')).toHaveCount(0)
      await expect(page.getByText(x.simulated, { exact: true }).first()).toBeVisible()
      await expect(page.getByText(x.statuses.failure, { exact: true }).last()).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByRole('button', { name: admin.details(String(order?.id)) }).click()
      const details = page.getByRole('dialog')
      await expect(details).toContainText(user.email)
      await expect(details).toContainText(x.results.refunded)
      expect(await accessibilityViolations(page)).toEqual([])
      await page.keyboard.press('Escape')

      await page.getByRole('button', { name: a.health.changeRate }).click()
      const change = page.getByRole('dialog', { name: a.rate.title })
      await change.getByLabel(a.rate.discount).fill('100')
      await change.getByLabel(admin.reason).fill('as agreed')
      await change.getByRole('button', { name: a.rate.confirm }).click()
      await expect(change.getByText(a.rate.discountWrong)).toBeVisible()
      await change.getByLabel(a.rate.discount).fill('25')
      await change.getByRole('button', { name: a.rate.confirm }).click()
      await expect(change).toHaveCount(0)
      await expect(page.getByText(a.health.rateOf('0.0508', '400', '25'))).toBeVisible()
    })
  })
