import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { chatPage, findConversation } from './chat-helpers.ts'
import { accessibilityViolations, downloaded, expect, operator, test, viewsFor } from './test-env.ts'

for (const view of viewsFor('narrow'))
  test.describe(`${view.name}: files in the support chat`, () => {
    test.use({ view })
    const { w, d, panel, log, field, open, arrived } = chatPage(view.lang)

    test('files are sent both ways, encrypted, and come back as they were; one that is too large is refused', {
      tag: '@long',
    }, async ({ page, visitor, signIn, file, at, t }) => {
      const boss = await operator()
      const text = `See the log ${randomUUID()}`
      const [sent, back] = [file('日志 1.txt', 300_000), file('fixed.bin', 5000)]
      await page.goto(at('/about'))
      await open(page, t)
      const choose = (target: Page, path: string) => target.locator('input[type=file]').last().setInputFiles(path)

      await choose(page, file('large.bin', 10 * 1024 * 1024).path)
      await expect(panel(page).getByRole('alert')).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      await panel(page)
        .getByRole('button', { name: w.file.remove('large.bin') })
        .click()

      await choose(page, sent.path)
      await field(page).fill(text)
      await panel(page).getByRole('button', { name: w.send, exact: true }).click()
      await arrived(page, text)
      await expect(log(page).getByRole('button', { name: w.file.download('日志 1.txt') })).toBeVisible()

      const desk = await visitor()
      await signIn(desk, boss)
      const { id } = await findConversation(text, boss)
      await desk.goto(at(`/admin?view=chats&open=${id}`))
      const thread = desk.getByRole('log', { name: d.conversation })
      const received = await downloaded(desk, () =>
        thread.getByRole('button', { name: w.file.download('日志 1.txt') }).click(),
      )
      expect(received.name).toBe('日志 1.txt')
      expect(received.bytes.equals(sent.bytes)).toBe(true)

      // A file needs no text.
      await choose(desk, back.path)
      await desk.getByRole('button', { name: d.sendAnswer }).click()
      const answered = await downloaded(page, () =>
        log(page)
          .getByRole('button', { name: w.file.download('fixed.bin') })
          .click(),
      )
      expect(answered.bytes.equals(back.bytes)).toBe(true)
      expect(await accessibilityViolations(desk)).toEqual([])
    })
  })
