import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { texts as adoptEn } from '../../apps/web/src/features/adoption/texts.en.ts'
import { texts as adoptZh } from '../../apps/web/src/features/adoption/texts.zh.ts'
import { texts as goingEn } from '../../apps/web/src/features/home/texts.en.ts'
import { texts as goingZh } from '../../apps/web/src/features/home/texts.zh.ts'
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
  test.describe(`${view.name}: what a visitor left`, () => {
    test.use({ view })
    const { w } = chatPage(view.lang)
    const a = view.lang === 'zh' ? adoptZh : adoptEn
    const home = view.lang === 'zh' ? goingZh : goingEn

    /** Uploads a file and writes two messages without an account, then signs up. */
    async function leaveAndSignUp(
      page: Page,
      t: Texts,
      at: (path: string) => string,
      { first, path }: { first: string; path: string },
    ): Promise<void> {
      await page.goto(at('/'))
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: home.card.choose, exact: true }).first().click()
      await (await chooser).setFiles(path)
      await expect(page).toHaveURL(/\/homeupload\?cid=/, { timeout: 30_000 })
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
      await expect(page).toHaveURL(/dashboard/)
    }

    test('is offered at sign-up, and added when the person agrees', async ({ page, file, at, t }) => {
      const first = `Before the account ${randomUUID()}`
      await leaveAndSignUp(page, t, at, { first, path: file('left 文件.bin', 5000).path })
      const offer = page.getByRole('dialog', { name: a.title(3) })
      await expect(offer).toBeVisible()
      await expect(offer.getByText(a.files(1))).toBeVisible()
      await expect(offer.getByText('left 文件.bin')).toBeVisible()
      await expect(offer.getByText(a.messages(2))).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      const boss = await operator()
      expect((await findConversation(first, boss)).uid).toBe('')
      await offer.getByRole('button', { name: a.add }).click()
      await expect(page.getByRole('log').getByText(first)).toBeVisible()
      expect((await findConversation(first, boss)).uid).not.toBe('')
      await page.goto(at('/fileStorage'))
      await expect(page.getByText('left 文件.bin')).toBeVisible()
      await expect(offer).toHaveCount(0)
    })

    test('is not added when the person refuses, and is gone from the device', { tag: '@long' }, async ({
      page,
      file,
      at,
      t,
    }) => {
      const first = `Somebody else wrote ${randomUUID()}`
      await leaveAndSignUp(page, t, at, { first, path: file('left 文件.bin', 5000).path })
      const offer = page.getByRole('dialog', { name: a.title(3) })
      await offer.getByRole('button', { name: a.discard }).click()
      await expect(offer).toBeHidden()
      await expect(page.getByText('left 文件.bin')).toHaveCount(0)
      await page.reload()
      await expect(page.locator('h1')).toBeVisible()
      await expect(offer).toHaveCount(0)
      await page.getByRole('button', { name: t.support.open, exact: true }).last().click()
      await expect(page.getByText(w.introTitle)).toBeVisible()
      await expect(page.getByText(first)).toHaveCount(0)
      expect((await findConversation(first, await operator())).uid).toBe('')
      expect((await call('chat.state', { visitor: 'invalid' })).code).not.toBe(0)
    })
  })
