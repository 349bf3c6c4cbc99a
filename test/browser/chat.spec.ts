import { randomUUID } from 'node:crypto'
import { answer, chatPage, findConversation } from './chat-helpers.ts'
import { accessibilityViolations, data, expect, freshEmail, operator, test, viewsFor } from './test-env.ts'

for (const view of viewsFor('narrow'))
  test.describe(`${view.name}: the support chat`, () => {
    test.use({ view })
    const { w, d, panel, log, field, button, open, write, arrived } = chatPage(view.lang)

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

    test('what cannot be sent is kept, sent again, and arrives once', { tag: '@long' }, async ({
      page,
      context,
      at,
      t,
      expected,
    }) => {
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

    test('160 unread answers are shown as 99+, a drag does not open the panel, and a long history is drawn in parts', {
      tag: '@long',
    }, async ({ page, user, signIn, at, t }) => {
      const boss = await operator()
      const question = `Many answers please ${randomUUID()}`
      await data('chat.send', { id: randomUUID(), text: question }, user.token)
      const { id } = await findConversation(question, boss)
      for (let count = 1; count <= 160; count++) await answer(id, `Answer ${count}`, boss)
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
      await expect(log(page).getByText('Answer 160')).toBeVisible()
      // The first page has the last messages; earlier ones come on request.
      await expect(log(page).getByText('Answer 1', { exact: true })).toHaveCount(0)
      const earlier = log(page).getByRole('button', { name: w.earlier })
      for (let pages = 0; pages < 3; pages++) await earlier.click()
      await expect(log(page).getByText(question)).toHaveCount(1)
      await expect(earlier).toHaveCount(0)
      // Back at the end, only the last ones are drawn; the others are there at once.
      await log(page).evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
      await expect(log(page).getByText(question)).toHaveCount(0)
      await page.route(/\/chat\/messages$/, (route) => route.abort())
      await earlier.click()
      await expect(log(page).getByText(question)).toHaveCount(1)
      await page.unroute(/\/chat\/messages$/)
      await page.keyboard.press('Escape')
      await expect(button(page, t)).toHaveText('')
      await page.reload()
      await expect(button(page, t)).toHaveText('')
    })

    test('without an agent, a visitor leaves an address and gets the answer by e-mail and in the chat', {
      tag: '@long',
    }, async ({ page, at, t }) => {
      const question = `Is anybody here ${randomUUID()}?`
      const email = freshEmail()
      await page.goto(at('/about'))
      await open(page, t)
      await expect(field(page)).toBeFocused()
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
