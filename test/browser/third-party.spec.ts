import type { Page } from '@playwright/test'
import { texts as en } from '../../apps/web/src/features/external-sign-in/texts.en.ts'
import { texts as zh } from '../../apps/web/src/features/external-sign-in/texts.zh.ts'
import { accessibilityViolations, expect, freshEmail, test, type View, viewsFor } from './test-env.ts'

const wordsOf = ({ lang }: View) => (lang === 'zh' ? zh : en)
const harbour = ({ lang }: View) => (lang === 'zh' ? '海港' : 'Harbour')

/** Confirms or declines the sign-in at the external service. */
async function answerAs(page: Page, name: string | undefined): Promise<void> {
  if (name === undefined) return page.getByRole('button', { name: 'Decline' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
}

for (const view of viewsFor('narrow'))
  test.describe(`external sign-in, ${view.name}`, () => {
    test.use({ view })
    const words = wordsOf(view)

    test('creates an account, continues to the requested page, and stays signed in', async ({ page, at, t }) => {
      const email = freshEmail()
      await page.goto(at('/key'))
      await page.getByRole('link', { name: words.continueWith(harbour(view)) }).click()
      await answerAs(page, email)
      await expect(page).toHaveURL(at('/key'))
      await page.goto(at('/myAccount'))
      await expect(page.getByText(email).filter({ visible: true }).first()).toBeVisible()
      await expect(page.getByRole('button', { name: words.card.unlinkService(harbour(view)) })).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByRole('button', { name: t.shell.signOut }).filter({ visible: true }).last().click()
      await expect(page).not.toHaveURL(/myAccount/)
    })

    test('leaves no token in the URL, and each token works once', { tag: '@long' }, async ({ page, at }) => {
      await page.goto(at('/login'))
      const [returned] = await Promise.all([
        page.waitForRequest((request) => request.url().includes('/oauth/harbour/callback')),
        page
          .getByRole('link', { name: words.continueWith(harbour(view)) })
          .click()
          .then(() => answerAs(page, freshEmail())),
      ])
      await expect(page).toHaveURL(at('/fileStorage'))
      expect(
        await page.evaluate(() =>
          performance
            .getEntriesByType('navigation')
            .map(({ name }) => name)
            .join(),
        ),
      ).not.toMatch(/token/)
      await page.evaluate(() => localStorage.clear())
      await page.goto(returned.url())
      await expect(page.getByText(words.failures.expired)).toBeVisible()
    })

    test('shows an error if the service is unreachable', { tag: '@long' }, async ({ page, at }) => {
      await page.goto(at('/login?redirect=/key'))
      await page.getByRole('link', { name: words.continueWith('Closed Bay') }).click()
      await expect(page.getByText(words.failures.unreachable)).toBeVisible()
      await expect(page).toHaveURL(at('/login?redirect=%2Fkey'))
      expect(await accessibilityViolations(page)).toEqual([])
    })

    test('shows an error if the browser blocked the cookie', { tag: '@long' }, async ({ page, context, at }) => {
      await page.goto(at('/login'))
      await page.getByRole('link', { name: words.continueWith(harbour(view)) }).click()
      await page.getByLabel('Name').waitFor()
      await context.clearCookies({ name: /^sign-in-/ })
      await answerAs(page, freshEmail())
      await expect(page.getByText(words.failures.browser)).toBeVisible()
    })

    test('shows an error if the user declined', { tag: '@long' }, async ({ page, at }) => {
      await page.goto(at('/login'))
      await page.getByRole('link', { name: words.continueWith('GitHub') }).click()
      await answerAs(page, undefined)
      await expect(page.getByText(words.failures.denied)).toBeVisible()
      expect(await page.evaluate(() => localStorage.getItem('tidenet.login') ?? '')).not.toMatch(/"token":"[^"]/)
    })

    test('links to an account with the same e-mail address only while signed in to it', { tag: '@long' }, async ({
      page,
      at,
      user,
      signIn,
      visitor,
    }) => {
      const stranger = await visitor()
      await stranger.goto(at('/login'))
      await stranger.getByRole('link', { name: words.continueWith(harbour(view)) }).click()
      await answerAs(stranger, user.email)
      await expect(stranger.getByRole('alert').filter({ hasText: /./ })).toBeVisible()
      await expect(stranger).toHaveURL(at('/login'))

      await signIn(page, user)
      await page.goto(at('/myAccount'))
      await page.getByRole('button', { name: words.card.linkService(harbour(view)), exact: true }).click()
      await answerAs(page, user.email)
      await expect(page).toHaveURL(at('/myAccount'))
      await expect(page.getByRole('button', { name: words.card.unlinkService(harbour(view)) })).toBeVisible()

      await stranger.getByRole('link', { name: words.continueWith(harbour(view)) }).click()
      await expect(stranger).toHaveURL(at('/fileStorage'))
    })

    test('can be unlinked', { tag: '@long' }, async ({ page, at, user, signIn }) => {
      await signIn(page, user)
      await page.goto(at('/myAccount'))
      await page.getByRole('button', { name: words.card.linkService('GitHub'), exact: true }).click()
      await answerAs(page, freshEmail())
      await page.getByRole('button', { name: words.card.unlinkService('GitHub') }).click()
      await page.getByRole('dialog').getByRole('button', { name: words.card.unlink, exact: true }).click()
      await expect(page.getByRole('button', { name: words.card.linkService('GitHub'), exact: true })).toBeVisible()
    })
  })
