import type { Page } from '@playwright/test'
import { createStorage } from '@tidenet/storage'
import { texts as verifyEn } from '../../apps/web/src/features/verify/texts.en.ts'
import { texts as verifyZh } from '../../apps/web/src/features/verify/texts.zh.ts'
import { faucetWords, linkWallet } from './chain-helpers.ts'
import { claimCoins } from './order-helpers.ts'
import { receiptWords, savedClaims, savedReceipt } from './receipt-helpers.ts'
import { accessibilityViolations, act, expect, filesWords, overflows, test, viewsFor } from './test-env.ts'

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const w = receiptWords(view)
    const v = view.lang === 'zh' ? verifyZh : verifyEn

    const claimsOf = (page: Page) => savedClaims(page, page.getByRole('button', { name: w.receiptOf('') }).first())

    test('the details of a file save the receipt of its upload, which is genuine without a connection', async ({
      page,
      visitor,
      user,
      signIn,
      at,
      t,
    }) => {
      const storage = createStorage({ url: at(''), token: user.token })
      const uploaded = await storage.uploadAsset(new TextEncoder().encode(view.name), { name: 'proof.txt' })
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await act(page, t, 'proof.txt', filesWords(t).files.details)
      await expect(page.getByRole('dialog').getByRole('button', { name: w.receiptOf('proof.txt') })).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
      const { claims, bytes } = await savedReceipt(page, page.getByRole('button', { name: w.receiptOf('') }).first())
      expect(claims).toMatchObject({ kind: 'upload', cid: (uploaded.data as { cid: string }).cid })

      // The same file convinces whoever opened /verify before the connection was lost.
      const reader = await visitor()
      await reader.goto(at('/verify'), { waitUntil: 'networkidle' })
      await expect(reader.getByRole('textbox', { name: v.key })).toHaveValue(/^.{43}$/)
      await reader.context().setOffline(true)
      const choose = (name: string, buffer: Buffer) =>
        reader.locator('input[type=file]').setInputFiles([{ name, mimeType: 'application/json', buffer }])
      await choose('proof.json', bytes)
      const result = reader.getByRole('region', { name: 'proof.json', exact: true })
      await expect(result.getByRole('heading', { level: 3 })).toHaveText(v.results.valid)
      await expect(result).toContainText(v.levels.logged(''))
      const changed = Buffer.from(bytes)
      const place = bytes.indexOf('"receipt"') + 200
      changed[place] = bytes[place] === 65 ? 66 : 65
      await choose('changed.json', changed)
      const other = reader.getByRole('region', { name: 'changed.json', exact: true })
      await expect(other.getByRole('heading', { level: 3 })).toHaveText(v.results.invalid)
    })

    test('the record of the faucet saves the receipt of a claim, once it is paid', { tag: '@long' }, async ({
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
