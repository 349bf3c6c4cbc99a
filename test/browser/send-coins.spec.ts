import { Secp256k1HdWallet } from '@cosmjs/amino'
import {
  balanceOf,
  claimCoins,
  dialog,
  expectToast,
  importWallet,
  linkFundedWallet,
  ordersWords,
  WALLET_PASSWORD,
} from './order-helpers.ts'
import { accessibilityViolations, expect, test, viewsFor } from './test-env.ts'

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const { o, w } = ordersWords(view)

    test('sends coins from the browser wallet, up to its balance', { tag: '@long' }, async ({
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
      await page.goto(at('/myAccount'))
      await page.getByRole('button', { name: w.own.manage }).click()

      const [receiver] = await (await Secp256k1HdWallet.generate(12, { prefix: 'tide' })).getAccounts()
      const amount = page.getByRole('textbox', { name: w.own.amount, exact: true })
      const send = page.getByRole('button', { name: w.own.send, exact: true })
      await page.getByRole('textbox', { name: w.own.to, exact: true }).fill(receiver?.address ?? '')
      for (const [typed, problem] of [
        ['400.01', w.own.amounts.above],
        ['0', w.own.amounts.zero],
        ['1.234', w.own.amounts.digits(2)],
      ] as const) {
        await amount.fill(typed)
        await send.click()
        await expect(page.getByText(problem)).toBeVisible()
      }
      expect(await accessibilityViolations(page)).toEqual([])

      await amount.fill('12.5')
      await send.click()
      const asked = (title: string) => page.getByRole('dialog', { name: title })
      await asked(w.prompt.connect).getByRole('textbox').fill(WALLET_PASSWORD)
      await asked(w.prompt.connect).getByRole('button', { name: w.prompt.unlock }).click()
      await expect(asked(w.prompt.transaction)).toContainText(w.words.send('12.5 cTNT'))
      await expect(asked(w.prompt.transaction)).toContainText(receiver?.address ?? '')
      await asked(w.prompt.transaction).getByRole('button', { name: w.prompt.sign }).click()
      await expectToast(page, w.own.sent)
      expect(await balanceOf(user)).toBe(387.5)
    })

    test('signs nothing before the details are visible, by click or Enter', { tag: '@long' }, async ({
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
      await page.goto(at('/myAccount'))
      await page.getByRole('button', { name: w.own.manage }).click()
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      // The chunk that renders the details loads late.
      await page.route(/transaction-summary/, async (route) => {
        await held
        await route.continue()
      })
      const [receiver] = await (await Secp256k1HdWallet.generate(12, { prefix: 'tide' })).getAccounts()
      await page.getByRole('textbox', { name: w.own.to, exact: true }).fill(receiver?.address ?? '')
      await page.getByRole('textbox', { name: w.own.amount, exact: true }).fill('12.5')
      await page.getByRole('button', { name: w.own.send, exact: true }).click()
      const asked = (title: string) => page.getByRole('dialog', { name: title })
      await asked(w.prompt.connect).getByRole('textbox').fill(WALLET_PASSWORD)
      await asked(w.prompt.connect).getByRole('button', { name: w.prompt.unlock }).click()
      const sign = asked(w.prompt.transaction).getByRole('button', { name: w.prompt.sign })
      await expect(sign).toBeDisabled()
      await asked(w.prompt.transaction).press('Enter')
      await sign.evaluate((button) => (button as HTMLButtonElement).form?.requestSubmit())
      await expect(sign).toBeDisabled()
      release()
      await expect(asked(w.prompt.transaction)).toContainText(w.words.send('12.5 cTNT'))
      await expect(sign).toBeEnabled()
      await asked(w.prompt.transaction).getByRole('button', { name: w.prompt.refuse }).click()
      expect(await balanceOf(user)).toBe(400)
    })

    test.describe('when a part of the page cannot be fetched', () => {
      test.use({ expected: [/ERR_FAILED|transaction-summary/] })

      test('shows the raw transaction if details cannot be rendered, and signs on consent', { tag: '@long' }, async ({
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
        await page.goto(at('/myAccount'))
        await page.getByRole('button', { name: w.own.manage }).click()
        await page.route(/transaction-summary/, (route) => route.abort())
        const [receiver] = await (await Secp256k1HdWallet.generate(12, { prefix: 'tide' })).getAccounts()
        await page.getByRole('textbox', { name: w.own.to, exact: true }).fill(receiver?.address ?? '')
        await page.getByRole('textbox', { name: w.own.amount, exact: true }).fill('12.5')
        await page.getByRole('button', { name: w.own.send, exact: true }).click()
        const asked = (title: string) => page.getByRole('dialog', { name: title })
        await asked(w.prompt.connect).getByRole('textbox').fill(WALLET_PASSWORD)
        await asked(w.prompt.connect).getByRole('button', { name: w.prompt.unlock }).click()
        const prompt = asked(w.prompt.transaction)
        await expect(prompt.locator('pre')).toContainText(receiver?.address ?? '')
        await expect(prompt.getByRole('button', { name: w.prompt.sign })).toBeDisabled()
        expect(await accessibilityViolations(page)).toEqual([])
        await prompt.getByRole('checkbox').click()
        await prompt.getByRole('button', { name: w.prompt.sign }).click()
        await expectToast(page, w.own.sent)
        expect(await balanceOf(user)).toBe(387.5)
      })
    })

    test('rejects a payment from a wallet other than the linked one, and shows both', { tag: '@long' }, async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      test.setTimeout(120_000)
      const wallets = await linkFundedWallet(context, user)
      const linked = wallets.cosmos.address
      await signIn(page, user)
      await page.goto(at('/mycenter?tab=2'))
      await page.getByRole('button', { name: o.buy.now }).click()
      await page.getByRole('button', { name: w.dialog.use('Keplr') }).click()
      await expect(dialog(page)).toContainText(linked)
      await wallets.changeCosmosAccount()
      await dialog(page)
        .getByRole('button', { name: o.pay.sign('Keplr') })
        .click()
      await expect(dialog(page)).toContainText(wallets.cosmos.address)
      await expect(dialog(page)).toContainText(linked)
      expect(wallets.cosmos.address).not.toBe(linked)
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await balanceOf(user)).toBe(400)
    })
  })
