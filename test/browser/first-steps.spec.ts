import { randomUUID } from 'node:crypto'
import { createStorage } from '@tidenet/storage'
import { texts as accountEn } from '../../apps/web/src/features/account/texts.en.ts'
import { texts as accountZh } from '../../apps/web/src/features/account/texts.zh.ts'
import { texts as adminEn } from '../../apps/web/src/features/admin/texts.en.ts'
import { texts as adminZh } from '../../apps/web/src/features/admin/texts.zh.ts'
import { texts as dashboardEn } from '../../apps/web/src/features/dashboard/texts.en.ts'
import { texts as dashboardZh } from '../../apps/web/src/features/dashboard/texts.zh.ts'
import { texts as consoleEn } from '../../apps/web/src/features/shell/console-texts.en.ts'
import { texts as consoleZh } from '../../apps/web/src/features/shell/console-texts.zh.ts'
import { faucetWords } from './chain-helpers.ts'
import { accessibilityViolations, countClicks, data, expect, operator, test, viewsFor } from './test-env.ts'
import { typeWords, walletSteps } from './wallet-helpers.ts'

const PASSWORD = 'harbour-light-7'

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const { w } = walletSteps(view)
    const console = view.lang === 'zh' ? consoleZh : consoleEn
    const d = view.lang === 'zh' ? dashboardZh : dashboardEn
    const f = faucetWords(view)

    test('a new account without a wallet has its first coins after five clicks', async ({ page, user, signIn, at }) => {
      test.slow()
      await signIn(page, user)
      await page.goto(at('/dashboard'))
      // On a phone, the menu is behind a button; the first steps lead there as well.
      const link =
        view.width < 1024
          ? page.getByRole('region', { name: d.steps.title }).getByRole('link', { name: d.steps.actions.claim })
          : page.getByRole('navigation', { name: console.consoleMenu }).getByRole('link', { name: console.claim })
      // Until then the page is prerendered only, and a link loads another page.
      await expect(page.locator('[data-prerendered]')).toHaveCount(0)
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

    test('the first steps complete themselves, and stay hidden once closed', async ({ page, user, signIn, at }) => {
      await signIn(page, user)
      await page.goto(at('/dashboard'))
      const steps = page.getByRole('region', { name: d.steps.title })
      await expect(steps.getByRole('listitem')).toHaveCount(3)
      await expect(steps.getByRole('link')).toHaveText([
        d.steps.actions.upload,
        d.steps.actions.share,
        d.steps.actions.claim,
      ])
      expect(await accessibilityViolations(page)).toEqual([])

      const storage = createStorage({ token: user.token, url: String(process.env.TIDENET_URL) })
      const { code, data: stored } = await storage.uploadAsset(new File(['soundings'], 'soundings.txt'))
      expect(code).toBe(0)
      const { cid } = stored as { cid: string }
      await page.reload()
      await expect(steps.getByRole('link')).toHaveText([d.steps.actions.share, d.steps.actions.claim])
      const happened = page.getByRole('region', { name: d.events.title })
      await expect(happened.getByRole('link')).toContainText(['soundings.txt'])
      await data('shares.create', { cid, username: user.uid }, user.token)
      await page.reload()
      await expect(steps.getByRole('link')).toHaveText([d.steps.actions.claim])

      await steps.getByRole('button', { name: d.steps.close }).click()
      await expect(steps).toHaveCount(0)
      await page.reload()
      await expect(happened).toBeVisible()
      await expect(steps).toHaveCount(0)
    })

    test('what needs attention leads to what solves it', async ({ page, user, signIn, at }) => {
      const { trace_id } = await data<{ trace_id: string }>(
        'traces.report',
        { trace_id: '', state: 2, transfer_type: 'upload', cid: '', cost_ms: 1, total_size: 1, rate: 1 },
        user.token,
      )
      await signIn(page, user)
      await page.goto(at('/dashboard'))
      const attention = page.getByRole('region', { name: d.attention.title })
      await expect(attention.getByRole('listitem')).toHaveCount(1)
      expect(await accessibilityViolations(page)).toEqual([])
      await attention.getByRole('link', { name: d.attention.actions.transfers }).click()
      await expect(page).toHaveURL(at(`/dashboard?trace=${trace_id}`))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    })

    test('PCDN is not in the menu, and its page says that the service does not exist yet', async ({
      page,
      user,
      signIn,
      at,
      t,
    }) => {
      const a = view.lang === 'zh' ? accountZh : accountEn
      await signIn(page, user)
      await page.goto(at('/myPCDN'))
      await expect(page.getByText(a.pcdnState)).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      const isPhone = view.width < 1024
      if (isPhone) await page.getByRole('button', { name: t.shell.openMenu }).click()
      const menu = page.getByRole('navigation', { name: isPhone ? t.shell.mainMenu : console.consoleMenu })
      await expect(menu.getByRole('link', { name: console.claim })).toBeVisible()
      await expect(menu.locator('[href="/myPCDN"]')).toHaveCount(0)
    })

    test('operators see a problem first, and reach the list that it counts', { tag: '@long' }, async ({
      page,
      user,
      signIn,
      at,
    }) => {
      const w = view.lang === 'zh' ? adminZh : adminEn
      await data('chat.send', { id: randomUUID(), text: 'a question' }, user.token)
      await signIn(page, await operator())
      await page.goto(at('/admin'))
      const problems = page.getByRole('region', { name: w.overview.problems })
      await expect(problems.getByRole('listitem').first()).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      const clicks = await countClicks(page)
      await problems.getByRole('link', { name: w.overview.look.chatsWaiting }).click()
      await expect(page).toHaveURL(at('/admin?view=chats'))
      expect(await clicks()).toBe(1)

      await test.step('every figure opens a filtered list', async () => {
        for (const [name, address] of [
          [w.overview.nodes, '/admin?view=nodes&status=online'],
          [w.overview.contents, '/admin?view=contents'],
          [w.overview.mails, '/admin?view=mails&state=waiting'],
          [w.overview.locked, '/admin?view=users&locked=true'],
        ] as const) {
          await page.goto(at('/admin'))
          await page.getByRole('main').getByRole('link', { name, exact: true }).click()
          await expect.poll(() => decodeURIComponent(page.url()).replaceAll('"', '')).toBe(at(address))
        }
      })
    })
  })
