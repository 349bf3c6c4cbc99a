import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { texts as deskEn } from '../../apps/web/src/features/admin/chats-texts.en.ts'
import { texts as deskZh } from '../../apps/web/src/features/admin/chats-texts.zh.ts'
import { texts as chatEn } from '../../apps/web/src/features/chat/texts.en.ts'
import { texts as chatZh } from '../../apps/web/src/features/chat/texts.zh.ts'
import {
  accessibilityViolations,
  call,
  codeFor,
  data,
  downloaded,
  expect,
  freshEmail,
  operator,
  overflows,
  PASSWORD,
  type TestUser,
  type Texts,
  test,
  typeCode,
  viewsFor,
} from './test-env.ts'

interface Row {
  id: number
  uid: string
  last_text: string
}

/** The conversation whose last message is this one. */
async function findConversation(text: string, boss: TestUser): Promise<Row> {
  let found: Row | undefined
  await expect(async () => {
    const { list } = await data<{ list: Row[] }>('chatDesk.list', { list: 'all', q: text }, boss.token)
    found = list[0]
    expect(found).toBeDefined()
  }).toPass()
  return found as Row
}

const answer = (id: number, text: string, boss: TestUser) =>
  data('chatDesk.send', { id, message_id: randomUUID(), text }, boss.token)

for (const view of viewsFor('narrow'))
  test.describe(`${view.name}: the support chat`, () => {
    test.use({ view })
    const w = view.lang === 'zh' ? chatZh : chatEn
    const d = view.lang === 'zh' ? deskZh : deskEn
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

    test('a visitor writes, an agent answers: the badge shows 1, and 0 after opening, in every tab', async ({
      page,
      context,
      visitor,
      signIn,
      at,
      t,
    }) => {
      const question = `Where is my file ${randomUUID()}?`
      const boss = await operator()
      const desk = await visitor()
      await signIn(desk, boss)
      await desk.goto(at('/admin?view=chats'))
      await expect(desk.getByText(d.online(1))).toBeVisible()

      await page.goto(at('/about'))
      await open(page, t)
      await expect(panel(page).getByText(w.online)).toBeVisible()
      await write(page, question)
      await arrived(page, question)
      expect(await accessibilityViolations(page)).toEqual([])

      await test.step('the agent sees it at once and answers', async () => {
        await desk.getByRole('button', { name: question }).click()
        const thread = desk.getByRole('log', { name: d.conversation })
        await expect(thread.getByText(question)).toBeVisible()
        await desk.getByRole('textbox', { name: d.answer }).fill('Under “Files”.')
        await desk.keyboard.press('Enter')
        await expect(thread.getByText('Under “Files”.')).toBeVisible()
        await expect(log(page).getByText('Under “Files”.')).toBeVisible()
      })

      await test.step('with the panel closed, both tabs show one unread answer', async () => {
        await page.keyboard.press('Escape')
        await expect(panel(page)).toBeHidden()
        const second = await context.newPage()
        await second.goto(at('/'))
        const { id } = await findConversation(question, boss)
        await answer(id, 'Is it there?', boss)
        for (const tab of [page, second]) {
          await expect(button(tab, t, '1')).toContainText('1')
          await expect(tab).toHaveTitle(/^\(1\) /)
        }
        await button(page, t, '1').click()
        await expect(log(page).getByText('Is it there?')).toBeVisible()
        for (const tab of [page, second]) await expect(tab).not.toHaveTitle(/^\(1\) /)
        await expect(button(second, t)).toHaveText('')
        await second.close()
      })

      await test.step('a reload keeps the conversation and the draft', async () => {
        await field(page).fill('Not yet, I')
        await page.reload()
        await open(page, t)
        await expect(log(page).getByText('Is it there?')).toBeVisible()
        await expect(log(page).getByText(question)).toHaveCount(1)
        await expect(field(page)).toHaveValue('Not yet, I')
      })
    })

    test('what cannot be sent is kept, sent again, and arrives once', async ({ page, context, at, t, expected }) => {
      expected.push(/Failed to load resource/)
      const boss = await operator()
      const [first, second, third] = [`first ${randomUUID()}`, `second ${randomUUID()}`, `third ${randomUUID()}`]
      await page.goto(at('/about'))
      await open(page, t)
      await write(page, first)
      await arrived(page, first)

      // The message reaches the server, and its answer is lost; the stream, or a retry, confirms it.
      let isLost = false
      await context.route(/\/chat\/send$/, async (route) => {
        if (isLost) return route.continue()
        isLost = true
        await route.fetch()
        await route.abort('connectionreset')
      })
      await write(page, second)
      await expect(log(page).getByText(second)).toHaveCount(1)
      await expect.poll(() => isLost).toBe(true)
      await expect(async () => {
        const retry = log(page).getByRole('button', { name: w.retry })
        // The stream may confirm it just now.
        if (await retry.isVisible()) await retry.click({ timeout: 1000 }).catch(() => {})
        await expect(log(page).getByText(w.notSent)).toHaveCount(0)
        await expect(log(page).getByText(w.sending)).toHaveCount(0)
      }).toPass()
      await expect(log(page).getByText(second)).toHaveCount(1)

      await test.step('what never reached the server says so, survives a reload, and is sent then', async () => {
        await context.route(/\/chat\/send$/, (route) => route.abort('connectionrefused'))
        await write(page, third)
        await expect(log(page).getByText(w.notSent)).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
        await context.unroute(/\/chat\/send$/)
        await page.reload()
        await open(page, t)
        await arrived(page, third)
      })
      const { id } = await findConversation(third, boss)
      const { messages } = await data<{ messages: { text: string }[] }>('chatDesk.conversation', { id }, boss.token)
      expect(messages.map(({ text }) => text)).toEqual([first, second, third])
    })

    test('120 unread answers are shown as 99+, and a drag does not open the panel', async ({
      page,
      user,
      signIn,
      at,
      t,
    }) => {
      const boss = await operator()
      const question = `Many answers please ${randomUUID()}`
      await data('chat.send', { id: randomUUID(), text: question }, user.token)
      const { id } = await findConversation(question, boss)
      for (let count = 1; count <= 120; count++) await answer(id, `Answer ${count}`, boss)
      await signIn(page, user)
      await page.goto(at('/about'))
      const floating = button(page, t, '99+')
      await expect(floating).toContainText('99+')
      expect(await accessibilityViolations(page)).toEqual([])
      const box = await floating.boundingBox()
      if (!box) throw new Error('the button is not drawn')
      await page.mouse.move(box.x + 20, box.y + 20)
      await page.mouse.down()
      await page.mouse.move(box.x - 80, box.y - 120, { steps: 5 })
      await page.mouse.up()
      await expect(panel(page)).toHaveCount(0)
      await floating.click()
      await expect(log(page).getByText('Answer 120')).toBeVisible()
      // The first page has the last messages; earlier ones come on request.
      await expect(log(page).getByText('Answer 1', { exact: true })).toHaveCount(0)
      for (let pages = 0; pages < 2; pages++) await log(page).getByRole('button', { name: w.earlier }).click()
      await expect(log(page).getByText(question)).toHaveCount(1)
      await page.keyboard.press('Escape')
      await expect(button(page, t)).toHaveText('')
      await page.reload()
      await expect(button(page, t)).toHaveText('')
    })

    test('files are sent both ways, encrypted, and come back as they were; one that is too large is refused', async ({
      page,
      visitor,
      signIn,
      file,
      at,
      t,
    }) => {
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

    test('without an agent, a visitor leaves an address and gets the answer by e-mail and in the chat', async ({
      page,
      at,
      t,
    }) => {
      const question = `Is anybody here ${randomUUID()}?`
      const email = freshEmail()
      await page.goto(at('/about'))
      await open(page, t)
      await write(page, question)
      const address = panel(page).getByRole('textbox', { name: w.away.email })
      await address.fill('nobody')
      await page.keyboard.press('Enter')
      await expect(panel(page).getByText(w.away.invalid)).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      await address.fill(email)
      await panel(page).getByRole('button', { name: w.away.save }).click()
      await expect(panel(page).getByText(w.away.on(email))).toBeVisible()
      const boss = await operator()
      const { id } = await findConversation(question, boss)
      await answer(id, 'Tomorrow at nine.', boss)
      await expect(log(page).getByText('Tomorrow at nine.')).toBeVisible()
    })
  })

for (const view of viewsFor('wide'))
  test.describe(`${view.name}: the agents’ desk`, () => {
    test.use({ view })
    const w = view.lang === 'zh' ? chatZh : chatEn
    const d = view.lang === 'zh' ? deskZh : deskEn

    test('an agent takes, answers with a canned answer, notes, closes; the customer never sees the note, and rates', async ({
      page,
      visitor,
      user,
      signIn,
      at,
      t,
    }) => {
      const question = `My upload fails ${randomUUID()}`
      const boss = await operator()
      const name = `Upload ${randomUUID().slice(0, 8)}`
      await data(
        'chatDesk.saveCanned',
        { name, text_en: 'Please try another network.', text_cn: '请换一个网络重试。' },
        boss.token,
      )
      await data('chat.send', { id: randomUUID(), text: question }, user.token)
      await signIn(page, boss)
      await page.goto(at('/admin?view=chats'))
      await page.getByRole('button', { name: question }).click()
      const thread = page.getByRole('log', { name: d.conversation })
      await expect(thread.getByText(question)).toBeVisible()
      expect(await overflows(page)).toBe(false)

      await test.step('the account is beside it', async () => {
        const customer = page.getByRole('complementary', { name: d.customer })
        await expect(customer.getByRole('link', { name: user.email })).toBeVisible()
        await expect(customer.getByText(d.free)).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
      })

      await page.getByRole('button', { name: d.take }).click()
      await expect(page.getByRole('button', { name: d.take })).toHaveCount(0)
      await page.getByRole('button', { name: d.canned.menu }).click()
      await page.getByRole('menuitem', { name }).click()
      await expect(page.getByRole('textbox', { name: d.answer })).toHaveValue('Please try another network.')
      await page.keyboard.press('Enter')
      await expect(thread.getByText('Please try another network.')).toBeVisible()

      const other = await visitor()
      await signIn(other, user)
      await other.goto(at('/dashboard'))
      const seen: string[] = []
      other.on('response', (response) => {
        if (/\/chat\/(messages|state|send)/.test(response.url())) void response.text().then((body) => seen.push(body))
      })
      await other.getByRole('button', { name: `${t.support.open}, ${t.support.unread('1')}` }).click()
      const theirs = other.getByRole('log', { name: w.log })
      await expect(theirs.getByText('Please try another network.')).toBeVisible()

      await test.step('a note stays among agents', async () => {
        await page.getByRole('radio', { name: d.kinds.note }).check({ force: true })
        await page.getByRole('textbox', { name: d.note }).fill('Customer of the first hour')
        await page.keyboard.press('Enter')
        await expect(thread.getByText('Customer of the first hour')).toBeVisible()
        await expect(page.getByRole('textbox', { name: d.answer })).toBeVisible()
        await page.getByRole('textbox', { name: d.answer }).fill('Did it help?')
        await page.keyboard.press('Enter')
        await expect(theirs.getByText('Did it help?')).toBeVisible()
        await expect(other.getByText('Customer of the first hour')).toHaveCount(0)
      })

      await test.step('closed, the customer rates it; writing opens it again', async () => {
        await page.getByRole('button', { name: d.close, exact: true }).click()
        await expect(theirs.getByText(w.events.closed)).toBeVisible()
        const dialog = other.getByRole('dialog', { name: w.title })
        await dialog.getByRole('group', { name: w.rating.title }).getByRole('radio').nth(3).check({ force: true })
        await dialog.getByRole('textbox', { name: w.rating.comment }).fill('Quick')
        expect(await accessibilityViolations(other)).toEqual([])
        await dialog.getByRole('button', { name: w.rating.send }).click()
        await expect(theirs.getByText(w.events.rated(4))).toBeVisible()
        await expect(thread.getByText(d.events.rated(4))).toBeVisible()
        await dialog.getByRole('textbox', { name: w.message }).fill('One more thing')
        await other.keyboard.press('Enter')
        await expect(thread.getByText('One more thing')).toBeVisible()
        await expect(page.getByRole('button', { name: d.close, exact: true })).toBeVisible()
      })

      await other.reload()
      await other.getByRole('button', { name: t.support.open, exact: true }).last().click()
      await expect(theirs.getByText('One more thing')).toBeVisible()
      await expect(other.getByText('Customer of the first hour')).toHaveCount(0)
      expect(seen.join()).not.toContain('Customer of the first hour')
    })

    test('a plan that an operator changes reaches an open page within 5 seconds', async ({
      page,
      user,
      signIn,
      at,
      t,
    }) => {
      const boss = await operator()
      await signIn(page, user)
      await page.goto(at('/dashboard'))
      await page.getByRole('button', { name: t.shell.account }).click()
      const badge = page.getByRole('menu').getByText(t.shell.vip, { exact: true })
      await expect(badge).toHaveCount(0)
      for (const vip of [true, false]) {
        await data('admin.setVip', { uid: user.uid, vip, reason: 'test' }, boss.token)
        await expect(badge).toHaveCount(vip ? 1 : 0, { timeout: 5000 })
      }
    })
  })

for (const view of viewsFor('wide'))
  test.describe(`${view.name}: what a visitor wrote`, () => {
    test.use({ view })
    const w = view.lang === 'zh' ? chatZh : chatEn

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
