import type { Locator, Page } from '@playwright/test'
import { identityIn, KEYS_PATH, type ReceiptClaims, verifyReceipt } from '@tidenet/receipts'
import { texts as en } from '../../apps/web/src/ui/receipt-texts.en.ts'
import { texts as zh } from '../../apps/web/src/ui/receipt-texts.zh.ts'
import { downloaded, expect, type View } from './test-env.ts'

export const receiptWords = ({ lang }: View) => (lang === 'zh' ? zh : en)

/** Presses the button of a receipt. What it saves must be genuine for everybody who knows the portal. @returns what it says */
export const savedClaims = async (page: Page, button: Locator): Promise<ReceiptClaims | undefined> =>
  (await savedReceipt(page, button)).claims

/** As `savedClaims`, with the content of the file. */
export async function savedReceipt(page: Page, button: Locator) {
  const { name, bytes } = await downloaded(page, () => button.click())
  expect(name).toMatch(/^receipt-\d+\.json$/)
  const keys = await page.request.get(new URL(KEYS_PATH, page.url()).href)
  const { result, claims } = await verifyReceipt(bytes, identityIn(await keys.json()))
  expect(result).toBe('valid')
  return { claims, bytes }
}
