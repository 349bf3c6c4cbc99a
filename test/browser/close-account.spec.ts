import { texts as en } from '../../apps/web/src/features/account/closing-texts.en.ts'
import { texts as zh } from '../../apps/web/src/features/account/closing-texts.zh.ts'
import { texts as recentAuthEn } from '../../apps/web/src/features/recent-auth/texts.en.ts'
import { texts as recentAuthZh } from '../../apps/web/src/features/recent-auth/texts.zh.ts'
import { data, expect, test, viewsFor } from './test-env.ts'

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const [c, r] = view.lang === 'zh' ? [zh, recentAuthZh] : [en, recentAuthEn]

    test('deleting the account takes its address and the password, typed at once, and is undone with one click', async ({
      page,
      user,
      signIn,
      at,
    }) => {
      const closing = async () => (await data<{ closing_at: string }>('closing.state', {}, user.token)).closing_at
      // As if the user had signed in long ago.
      let asked = 0
      await page.route('**/api/v1/user/closing', async (route) => {
        if (route.request().method() !== 'POST' || asked++ > 0) return route.fallback()
        await route.fulfill({ json: { code: -1, err: 1030, msg: '' } })
      })
      await signIn(page, user)
      await page.goto(at('/closeAccount'))
      const address = page.getByLabel(c.typeTo(user.email))
      await address.fill('somebody else')
      await page.keyboard.press('Enter')
      await expect(page.getByText(c.wrong)).toBeVisible()
      await expect(address).toBeFocused()
      await address.fill(user.email)
      await page.keyboard.press('Enter')

      const password = page.getByRole('dialog').getByLabel(r.password, { exact: true })
      await expect(password).toBeFocused()
      await page.keyboard.type('not my password')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('dialog').getByRole('alert')).toContainText(/./)
      expect(await closing()).toBe('')
      // What was refused is selected, so that typing replaces it.
      await page.keyboard.type(user.password)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('button', { name: c.keep }).first()).toBeVisible()
      expect(await closing()).not.toBe('')

      await page.goto(at('/dashboard'))
      await page.getByRole('button', { name: c.keep }).click()
      await expect(page.getByText(c.kept)).toBeVisible()
      expect(await closing()).toBe('')
    })
  })
