import type { BrowserContext, Page } from '@playwright/test'
import { expect, type TestUser, test, viewsFor } from './test-env.ts'

/** At services.localhost the test network shows the services variant of the portal (global-setup.ts). */
const onServicesHost = (url: string) => url.replace('127.0.0.1', 'services.localhost')

async function speak(context: BrowserContext, lang: string, url: string): Promise<void> {
  await context.addCookies([{ name: 'lang', value: lang, url }])
}

for (const view of viewsFor('wide'))
  test.describe(`${view.name}: on the services host`, () => {
    test.use({ view })
    const signInByHand = async (
      page: Page,
      t: { accounts: { email: string; password: string; signIn: string } },
      user: TestUser,
    ) => {
      await page.getByLabel(t.accounts.email).fill(user.email)
      await page.getByRole('textbox', { name: t.accounts.password, exact: true }).fill(user.password)
      await page.getByRole('button', { name: t.accounts.signIn, exact: true }).click()
    }

    test('opens with the services, and allows signing in to the dashboard', async ({ page, context, user, at, t }) => {
      const there = (path: string) => onServicesHost(at(path))
      await speak(context, view.lang, there('/'))
      await page.goto(there('/'))
      await expect(page.locator('html')).toHaveAttribute('data-variant', 'services')
      const main = page.getByRole('main')
      await expect(main.getByRole('link', { name: t.pages.storage })).toBeVisible()
      await expect(main.getByRole('link', { name: t.accounts.signIn, exact: true })).toBeVisible()
      await page.goto(there('/dashboard'))
      await expect(page).toHaveURL(/^http:\/\/services\.localhost:\d+\/\?redirect=/)
      await signInByHand(page, t, user)
      await expect(page).toHaveURL(there('/dashboard'))
      await expect(page.getByRole('heading', { name: t.pages.dashboard })).toBeVisible()
      await page.goto(there('/myAccount'))
      await expect(page.getByRole('heading', { name: t.pages.account, level: 1 })).toBeVisible()
      await page.goto(there('/signup'))
      await expect(page).toHaveURL(there('/dashboard'))
    })

    test('shows the services without scripts', async ({ browser, at, t }) => {
      const context = await browser.newContext({ javaScriptEnabled: false, viewport: view })
      await speak(context, view.lang, onServicesHost(at('/')))
      const page = await context.newPage()
      await page.goto(onServicesHost(at('/')))
      await expect(page.locator('html')).toHaveAttribute('data-variant', 'services')
      await expect(page.locator('h1')).toBeVisible()
      await expect(page.getByRole('main').getByRole('link', { name: t.pages.storage })).toBeVisible()
      await context.close()
    })

    test('all other addresses work as usual', { tag: '@long' }, async ({ page, context, at, t }) => {
      const there = (path: string) => onServicesHost(at(path))
      await speak(context, view.lang, there('/'))
      await page.goto(there('/about'))
      await expect(page).toHaveURL(at('/about'))
      await page.goto(there('/'))
      await expect(page.locator('h1')).toBeVisible()
      await page.getByRole('contentinfo').getByRole('link', { name: t.pages.privacy }).click()
      await expect(page).toHaveURL(at('/privacy-policy'))
      await expect(page.locator('html')).not.toHaveAttribute('data-variant')
      await page.goto(there('/login'))
      await expect(page.getByRole('heading', { name: t.accounts.signInTitle, level: 1 })).toBeVisible()
      expect(new URL(page.url()).hostname).toBe('services.localhost')
    })
  })
