import type { Page } from '@playwright/test'
import { texts as accountsEn } from '../../apps/web/src/features/accounts/texts.en.ts'
import { texts as accountsZh } from '../../apps/web/src/features/accounts/texts.zh.ts'
import { texts as walletEn } from '../../apps/web/src/features/wallet/texts.en.ts'
import { texts as walletZh } from '../../apps/web/src/features/wallet/texts.zh.ts'
import { expect, type View } from './test-env.ts'

export const shortAddress = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`

/** The texts and the dialog for signing in with a wallet. */
export function walletSteps({ lang }: View) {
  const w = lang === 'zh' ? walletZh : walletEn
  const { walletIn } = lang === 'zh' ? accountsZh : accountsEn
  return {
    w,
    /** The wallet dialog of /login. */
    async openSignIn(page: Page, at: (path: string) => string) {
      await page.goto(at('/login'))
      await page.getByRole('button', { name: walletIn }).click()
      await expect(page.getByRole('dialog', { name: w.dialog.signIn })).toBeVisible()
    },
    use: (page: Page, name: string) => page.getByRole('button', { name: w.dialog.use(name) }),
    inDialog: (page: Page) => page.getByRole('dialog'),
  }
}

/** Types the words that the check of a new wallet asks for. */
export async function typeWords(page: Page, words: readonly string[]): Promise<void> {
  for (const field of await page.getByRole('dialog').getByRole('textbox').all()) {
    const number = Number(/\d+/.exec((await field.locator('xpath=ancestor::div[1]').innerText()) ?? '')?.[0])
    await field.fill(words[number - 1] ?? '')
  }
}
