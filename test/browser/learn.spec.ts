import { texts as learnEn } from '../../apps/web/src/features/learn/texts.en.ts'
import { texts as learnZh } from '../../apps/web/src/features/learn/texts.zh.ts'
import { accessibilityViolations, expect, overflows, test, viewsFor } from './test-env.ts'

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })
    const [own, other] = view.lang === 'zh' ? [learnZh, learnEn] : [learnEn, learnZh]

    test('filters articles by kind and keeps the filter when the language changes', async ({ page, at, t }) => {
      await page.goto(at('/learn'))
      await expect(page.getByRole('heading', { name: own.title.BASICS, level: 1 })).toBeVisible()
      const list = page.getByRole('main').getByRole('article')
      const titles = async () => (await list.getByRole('heading').allTextContents()).join()
      const shown = new Set([await titles()])
      for (const type of ['NEWS', 'CASES'] as const) {
        const kinds = page.getByRole('navigation', { name: own.kinds })
        await kinds.getByRole('link', { name: own.title[type] }).click()
        await expect(page).toHaveURL(at(`/learn?type=${type}`))
        await expect(page.getByRole('heading', { name: own.title[type], level: 1 })).toBeVisible()
        await expect(kinds.locator('[aria-current=page]')).toHaveText(own.title[type])
        await expect(page).toHaveTitle(new RegExp(`^${own.title[type]}`))
        expect(await list.count()).toBeGreaterThan(0)
        shown.add(await titles())
      }
      expect(shown.size).toBe(3)
      expect(await accessibilityViolations(page)).toEqual([])

      await page.getByRole('button', { name: t.language.label }).click()
      await page.getByRole('button', { name: view.lang === 'en' ? t.language.zh : t.language.en }).click()
      await expect(page.getByRole('heading', { name: other.title.CASES, level: 1 })).toBeVisible()
      await expect(page).toHaveURL(at('/learn?type=CASES'))
      await page.goBack()
      await expect(page).toHaveURL(at('/learn?type=NEWS'))
      await expect(page.getByRole('heading', { name: other.title.NEWS, level: 1 })).toBeVisible()
    })

    test('a table wider than the screen scrolls by itself', async ({ page, at }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      // Only the English table is wider than that.
      await page.context().addCookies([{ name: 'lang', value: 'en', url: at('/') }])
      await page.goto(at('/learndetail?slug=run-a-node'))
      const table = page.getByRole('table').first().locator('..')
      await expect(table).toBeVisible()
      // Fonts of the page arrive after its text.
      await expect.poll(() => table.evaluate((box) => box.scrollWidth > box.clientWidth)).toBe(true)
      expect(await overflows(page)).toBe(false)
    })

    test('an unknown kind shows the basics', async ({ page, at }) => {
      await page.goto(at('/learn?type=GOSSIP'))
      await expect(page.getByRole('heading', { name: own.title.BASICS, level: 1 })).toBeVisible()
    })
  })
