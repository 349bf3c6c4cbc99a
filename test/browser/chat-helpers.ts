import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { texts as deskEn } from '../../apps/web/src/features/admin/chats-texts.en.ts'
import { texts as deskZh } from '../../apps/web/src/features/admin/chats-texts.zh.ts'
import { texts as chatEn } from '../../apps/web/src/features/chat/texts.en.ts'
import { texts as chatZh } from '../../apps/web/src/features/chat/texts.zh.ts'
import { data, expect, type TestUser, type Texts } from './test-env.ts'

/** For tests of the support chat. */

export interface Row {
  id: number
  uid: string
  last_text: string
}

/** The conversation whose last message is this one. */
export async function findConversation(text: string, boss: TestUser): Promise<Row> {
  let found: Row | undefined
  await expect(async () => {
    const { list } = await data<{ list: Row[] }>('chatDesk.list', { list: 'all', q: text }, boss.token)
    found = list[0]
    expect(found).toBeDefined()
  }).toPass()
  return found as Row
}

export const answer = (id: number, text: string, boss: TestUser) =>
  data('chatDesk.send', { id, message_id: randomUUID(), text }, boss.token)

/** The chat in the language of a page. */
export function chatPage(lang: 'en' | 'zh') {
  const w = lang === 'zh' ? chatZh : chatEn
  const d = lang === 'zh' ? deskZh : deskEn
  const panel = (page: Page) => page.getByRole('dialog', { name: w.title })
  const log = (page: Page) => panel(page).getByRole('log', { name: w.log })
  const field = (page: Page) => panel(page).getByRole('textbox', { name: w.message })
  /** In one language the footer has a button of the same name. */
  const button = (page: Page, t: Texts, unread = '') =>
    page
      .getByRole('button', {
        name: unread ? `${t.support.open}, ${t.support.unread(unread)}` : t.support.open,
        exact: true,
      })
      .last()
  const open = async (page: Page, t: Texts) => {
    await button(page, t).click()
    await expect(field(page)).toBeVisible()
  }
  const write = async (page: Page, text: string) => {
    await field(page).fill(text)
    await panel(page).getByRole('button', { name: w.send, exact: true }).click()
  }
  /** The message arrived: it is no longer being sent. */
  const arrived = async (page: Page, text: string) => {
    await expect(log(page).getByText(text)).toBeVisible()
    await expect(log(page).getByText(w.sending)).toHaveCount(0)
    await expect(log(page).getByText(w.notSent)).toHaveCount(0)
  }
  return { w, d, panel, log, field, button, open, write, arrived }
}
