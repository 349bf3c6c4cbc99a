import { texts as abuseEn } from '../../apps/web/src/features/abuse/texts.en.ts'
import { texts as abuseZh } from '../../apps/web/src/features/abuse/texts.zh.ts'
import { texts as reportsEn } from '../../apps/web/src/features/admin/abuse-texts.en.ts'
import { texts as reportsZh } from '../../apps/web/src/features/admin/abuse-texts.zh.ts'
import { texts as adminEn } from '../../apps/web/src/features/admin/texts.en.ts'
import { texts as adminZh } from '../../apps/web/src/features/admin/texts.zh.ts'
import {
  accessibilityViolations,
  countClicks,
  data,
  expect,
  filesWords,
  operator,
  overflows,
  test,
  uploadTo,
  views,
} from './test-env.ts'

for (const view of views)
  test.describe(view.name, () => {
    test.use({ view })
    const zh = view.lang === 'zh'
    const a = zh ? abuseZh : abuseEn
    const r = zh ? reportsZh : reportsEn
    const admin = zh ? adminZh : adminEn

    test('a visitor reports a shared file, an operator blocks it in two clicks, its owner objects and is answered', async ({
      page,
      visitor,
      user,
      signIn,
      file,
      at,
      t,
      expected,
    }) => {
      // The page asks for the sources of a blocked content.
      expected.push(/451|2067/)
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      const name = `r${Date.now()}.txt`
      await uploadTo(page, t, 'files', file(name).path)
      await expect(page.getByRole('button', { name, exact: true })).toBeVisible()
      await page.getByRole('button', { name: filesWords(t).transfers.clear }).click()
      const { list } = await data<{ list: { AssetOverview?: { AssetRecord: { CID: string } } }[] }>(
        'folders.contents',
        { parent: 0, page: 1, page_size: 5 },
        user.token,
      )
      const cid = list[0]?.AssetOverview?.AssetRecord.CID ?? ''
      expect(cid).toBeTruthy()
      const { url } = await data<{ url: string }>('shortLinks.create', { cid }, user.token)

      const reader = await visitor()
      await test.step('the report begins on the page of the link, whose key stays there', async () => {
        await reader.goto(`${url}#secret`)
        await reader.getByRole('link', { name: a.link }).click()
        await expect(reader.getByLabel(a.target)).toHaveValue(url)
        expect(await accessibilityViolations(reader)).toEqual([])
        expect(await overflows(reader)).toBe(false)
        await reader.getByRole('button', { name: a.send }).click()
        await expect(reader.getByText(a.problems.category)).toBeVisible()
        await reader.getByLabel(a.category).selectOption('malware')
        await reader.getByLabel(a.words).fill('<img src="https://tracker.test/x.png"> steals wallets')
        await reader.getByRole('button', { name: a.send }).click()
        await expect(reader.getByText(a.sentTitle)).toBeVisible()
      })

      const boss = await visitor()
      await signIn(boss, await operator())
      await test.step('two clicks lead from the report to the block', async () => {
        const foreign: string[] = []
        boss.on('request', (request) => {
          if (!request.url().startsWith(at('/'))) foreign.push(request.url())
        })
        await boss.goto(at(`/admin?view=reports&q=${cid}`))
        await boss.getByRole('button', { name: new RegExp(r.title(1).replace('1', '\\d+')) }).click()
        const panel = boss.getByRole('dialog').first()
        await expect(panel.getByText('steals wallets')).toBeVisible()
        expect(await accessibilityViolations(boss)).toEqual([])
        const clicks = await countClicks(boss)
        await panel.getByRole('button', { name: r.block }).click()
        await boss.getByRole('dialog', { name: r.blockTitle }).getByRole('button', { name: r.block }).click()
        await expect(boss.getByText(r.blockedToast)).toBeVisible()
        expect(await clicks()).toBe(2)
        expect(foreign).toEqual([])
      })

      await test.step('the owner objects', async () => {
        await expect
          .poll(() => data('abuse.blockedFiles', { page: 1, page_size: 10 }, user.token))
          .toMatchObject({ total: 1 })
        await page.goto(at('/blockedFiles'))
        await expect(page.getByText(name).first()).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
        expect(await overflows(page)).toBe(false)
        await page.getByRole('button', { name: a.object }).click()
        await page.getByRole('dialog').getByRole('textbox').fill('It is my holiday photo.')
        await page.getByRole('button', { name: a.sendObjection }).click()
        await expect(page.getByText('It is my holiday photo.')).toBeVisible()
      })

      await test.step('the operator answers, and the owner reads it', async () => {
        await boss.goto(at('/admin?view=blocks'))
        const objection = boss.getByRole('listitem').filter({ hasText: 'It is my holiday photo.' })
        expect(await accessibilityViolations(boss)).toEqual([])
        await objection.getByRole('button', { name: r.answer }).click()
        const dialog = boss.getByRole('dialog', { name: r.answer })
        await dialog.getByRole('textbox', { name: admin.reason }).fill('It is a program.')
        await dialog.getByRole('button', { name: r.answer }).click()
        // An open dialog hides the list from roles.
        await expect(dialog).toBeHidden()
        await expect(objection).toHaveCount(0)
        await page.reload()
        await expect(page.getByText('It is a program.')).toBeVisible()
      })
    })
  })
