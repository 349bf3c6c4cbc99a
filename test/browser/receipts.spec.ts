import type { Page } from '@playwright/test'
import { createStorage } from '@tidenet/storage'
import { texts as en } from '../../apps/web/src/ui/receipt-texts.en.ts'
import { texts as zh } from '../../apps/web/src/ui/receipt-texts.zh.ts'
import { faucetWords, linkWallet } from './chain-helpers.ts'
import { claimCoins } from './order-helpers.ts'
import { accessibilityViolations, downloaded, expect, overflows, test, views } from './test-env.ts'

for (const view of views)
  test.describe(view.name, () => {
    test.use({ view })
    const w = view.lang === 'zh' ? zh : en

    /** Saves the receipt, and returns what it says. */
    async function claimsOf(page: Page): Promise<Record<string, unknown>> {
      const button = page.getByRole('button', { name: w.receiptOf('') })
      const { name, bytes } = await downloaded(page, () => button.first().click())
      expect(name).toMatch(/^receipt-\d+\.json$/)
      const file = JSON.parse(bytes.toString()) as { tidenet: string; receipt: string }
      expect(file.tidenet).toBe('receipt')
      return JSON.parse(Buffer.from(file.receipt.split('.')[1] ?? '', 'base64url').toString())
    }

    test('the details of a file save the receipt of its upload', async ({ page, user, signIn, at }) => {
      const storage = createStorage({ url: at(''), token: user.token })
      const uploaded = await storage.uploadAsset(new TextEncoder().encode(view.name), { name: 'proof.txt' })
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await page.getByRole('button', { name: 'proof.txt', exact: true }).click()
      await expect(page.getByRole('dialog').getByRole('button', { name: w.receiptOf('proof.txt') })).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
      expect(await claimsOf(page)).toMatchObject({ kind: 'upload', cid: (uploaded.data as { cid: string }).cid })
    })

    test('the record of the faucet saves the receipt of a claim, once it is paid', async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      await signIn(page, user)
      const wallet = await linkWallet(page, context, view, at('/testCoin'))
      await claimCoins(user)
      await page.goto(at('/testCoin'))
      await expect(page.getByText(faucetWords(view).states.done).first()).toBeAttached({ timeout: 30_000 })
      await expect(page.getByRole('button', { name: w.receiptOf('') })).toHaveCount(1)
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
      expect(await claimsOf(page)).toMatchObject({ kind: 'claim', purpose: 'faucet', wallet })
    })
  })
