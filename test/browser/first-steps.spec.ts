import type { Page } from '@playwright/test'
import { texts as consoleEn } from '../../apps/web/src/features/shell/console-texts.en.ts'
import { texts as consoleZh } from '../../apps/web/src/features/shell/console-texts.zh.ts'
import { faucetWords } from './chain-helpers.ts'
import { data, expect, test, viewsFor } from './test-env.ts'
import { typeWords, walletSteps } from './wallet-helpers.ts'

const PASSWORD = 'harbour-light-7'

/** Counts what the user presses from now on, until the page is loaded again. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = window as unknown as { clicks: number }
    counted.clicks = 0
    window.addEventListener('pointerdown', ({ isTrusted }) => isTrusted && counted.clicks++, { capture: true })
  })
  return () => page.evaluate(() => (window as unknown as { clicks: number }).clicks)
}

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const { w } = walletSteps(view)
    const console = view.lang === 'zh' ? consoleZh : consoleEn
    const f = faucetWords(view)

    test('a new account without a wallet has its first coins after five clicks', async ({ page, user, signIn, at }) => {
      await signIn(page, user)
      await page.goto(at('/dashboard'))
      const link = page
        .getByRole('navigation', { name: console.consoleMenu })
        .getByRole('link', { name: console.claim })
      await expect(link).toBeVisible()
      const clicks = await countClicks(page)
      await link.click()
      await expect(page.getByRole('dialog', { name: w.dialog.bind })).toContainText(f.needed)
      await page.getByRole('button', { name: w.dialog.create }).click()
      const items = page.getByRole('dialog').locator('ol > li')
      await expect(items).toHaveCount(12)
      const words = (await items.allInnerTexts()).map((text) => text.replace(/\d+/, '').trim())
      await page.getByRole('textbox', { name: w.own.password, exact: true }).fill(PASSWORD)
      await page.getByRole('textbox', { name: w.own.repeat, exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: w.own.wordsDone }).click()
      await typeWords(page, words)
      await page.getByRole('button', { name: w.own.finish }).click()
      const prompt = page.getByRole('dialog', { name: w.prompt.text })
      await expect(prompt).toContainText(new URL(at('/')).host)
      await prompt.getByRole('button', { name: w.prompt.sign }).click()
      await expect(page.getByText(f.progress.done)).toBeVisible({ timeout: 30_000 })
      expect(await clicks()).toBe(5)
      expect((await data<{ balance: string }>('faucet.balance', {}, user.token)).balance).toBe('400')
    })
  })
