import { randomUUID } from 'node:crypto'
import { texts as adminEn } from '../../apps/web/src/features/admin/texts.en.ts'
import { texts as adminZh } from '../../apps/web/src/features/admin/texts.zh.ts'
import { chatPage } from './chat-helpers.ts'
import { accessibilityViolations, createUser, data, expect, operator, overflows, test, viewsFor } from './test-env.ts'

for (const view of viewsFor('wide'))
  test.describe(`${view.name}: the agents’ desk`, () => {
    test.use({ view })
    const { w, d } = chatPage(view.lang)
    const area = view.lang === 'zh' ? adminZh : adminEn

    test('an agent takes, answers with a canned answer, notes, closes; the customer never sees the note, and rates', {
      tag: '@long',
    }, async ({ page, visitor, user, signIn, at, t }) => {
      const question = `My upload fails ${randomUUID()}`
      const boss = await operator()
      const name = `Upload ${randomUUID().slice(0, 8)}`
      await data(
        'chatDesk.saveCanned',
        { name, text_en: 'Please try another network.', text_cn: '请换一个网络重试。' },
        boss.token,
      )
      await data('chat.send', { id: randomUUID(), text: question }, user.token)
      const agent = await createUser()
      await data('admin.setRole', { uid: agent.uid, role: 'agent', reason: 'answers customers' }, boss.token)
      await signIn(page, agent)
      await test.step('the desk is all that an agent has of the operator area', async () => {
        await page.goto(at('/admin?view=users'))
        await expect(page.getByRole('heading', { level: 1, name: area.views.chats })).toBeVisible()
        await expect(page.getByRole('navigation', { name: area.menu }).getByRole('link')).toHaveText([
          area.views.chats,
          area.toConsole,
        ])
      })
      const thread = page.getByRole('log', { name: d.conversation })
      await expect(page.getByRole('button', { name: question })).toBeVisible()
      // From anywhere on the page: the first of the queue.
      await page.keyboard.press('Alt+ArrowDown')
      await expect(thread).toBeVisible()
      // It may be another customer's; on small screens the conversation hides the list.
      const back = page.getByRole('button', { name: d.back })
      if (await back.isVisible()) await back.click()
      await page.getByRole('button', { name: question }).click()
      await expect(thread.getByText(question)).toBeVisible()
      expect(await overflows(page)).toBe(false)

      await test.step('the account is beside it', async () => {
        const customer = page.getByRole('complementary', { name: d.customer })
        await expect(customer.getByText(user.email).last()).toBeVisible()
        await expect(customer.getByRole('link')).toHaveCount(0)
        await expect(customer.getByText(d.free)).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
      })

      await page.getByRole('button', { name: d.take, exact: true }).click()
      await expect(page.getByRole('button', { name: d.take, exact: true })).toHaveCount(0)
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

    test('a plan that an operator changes reaches an open page within 5 seconds', { tag: '@long' }, async ({
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
