import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { chatPage, findConversation } from './chat-helpers.ts'
import {
  accessibilityViolations,
  call,
  codeFor,
  expect,
  freshEmail,
  operator,
  PASSWORD,
  type Texts,
  test,
  typeCode,
  viewsFor,
} from './test-env.ts'

for (const view of viewsFor('wide'))
  test.describe(`${view.name}: what a visitor wrote`, () => {
    test.use({ view })
    const { w } = chatPage(view.lang)

    /** Writes two messages without an account, then signs up. */
    async function writeAndSignUp(page: Page, t: Texts, at: (path: string) => string, first: string): Promise<void> {
      await page.goto(at('/about'))
      await page.getByRole('button', { name: t.support.open, exact: true }).last().click()
      const dialog = page.getByRole('dialog', { name: w.title })
      for (const text of [first, 'Second message']) {
        await dialog.getByRole('textbox', { name: w.message }).fill(text)
        await page.keyboard.press('Enter')
        await expect(dialog.getByRole('log').getByText(text)).toBeVisible()
      }
      await expect(dialog.getByText(w.sending)).toHaveCount(0)
      const email = freshEmail()
      await page.goto(at('/login?mode=signup'))
      await page.getByLabel(t.accounts.email).fill(email)
      await page.getByRole('button', { name: t.accounts.sendCode }).click()
      await typeCode(page, t, await codeFor(email))
      await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(PASSWORD)
      await page.getByLabel(t.accounts.confirm).fill(PASSWORD)
      await page.getByRole('checkbox').click()
      await page.getByRole('button', { name: t.accounts.signUp, exact: true }).click()
      await expect(page).toHaveURL(/fileStorage/)
    }

    test('is offered at sign-up, and added when the person agrees', async ({ page, at, t }) => {
      const first = `Before the account ${randomUUID()}`
      await writeAndSignUp(page, t, at, first)
      const offer = page.getByRole('dialog', { name: w.adopt.title(2) })
      await expect(offer).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      const boss = await operator()
      expect((await findConversation(first, boss)).uid).toBe('')
      await offer.getByRole('button', { name: w.adopt.add }).click()
      await expect(page.getByRole('log').getByText(first)).toBeVisible()
      expect((await findConversation(first, boss)).uid).not.toBe('')
      await page.reload()
      await expect(page.locator('h1')).toBeVisible()
      await expect(offer).toHaveCount(0)
    })

    test('is not added when the person refuses, and is gone from the device', async ({ page, at, t }) => {
      const first = `Somebody else wrote ${randomUUID()}`
      await writeAndSignUp(page, t, at, first)
      const offer = page.getByRole('dialog', { name: w.adopt.title(2) })
      await offer.getByRole('button', { name: w.adopt.discard }).click()
      await expect(offer).toBeHidden()
      await page.getByRole('button', { name: t.support.open, exact: true }).last().click()
      await expect(page.getByText(w.introTitle)).toBeVisible()
      await expect(page.getByText(first)).toHaveCount(0)
      expect((await findConversation(first, await operator())).uid).toBe('')
      expect((await call('chat.state', { visitor: 'invalid' })).code).not.toBe(0)
    })
  })
