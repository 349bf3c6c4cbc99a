import { randomBytes } from 'node:crypto'
import type { Locator } from '@playwright/test'
import { share, test } from './share-helpers.ts'
import { accessibilityViolations, data, expect, viewsFor } from './test-env.ts'

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })

    test('shows portal pages, and offers links to known sites', async ({ page, at, w }) => {
      await page.goto(at('/redirect?url=%2Flearn%3Ftype%3DNEWS'))
      await expect(page).toHaveURL(/\/learn\?type=NEWS$/)
      await page.goto(at('/redirect?url=https%3A%2F%2Ftus.io%2F'))
      await expect(page.getByRole('heading', { name: w.redirect.leaving })).toBeVisible()
      await expect(page.getByRole('link', { name: w.redirect.go('tus.io') })).toHaveAttribute('href', 'https://tus.io/')
      expect(await accessibilityViolations(page)).toEqual([])
    })

    test('shows the operator’s channels in footer, side menu and panel, and opens them without a warning', {
      tag: '@long',
    }, async ({ page, at, user, signIn, t }) => {
      const outside = 'https://chat.tidenet.example/tide'
      await page.route('https://chat.tidenet.example/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<title>elsewhere</title>' }),
      )
      const onward = `/redirect?${new URLSearchParams({ url: outside })}`
      const link = (part: Locator) => part.getByRole('link', { name: 'Telegram', exact: true })
      await page.goto(at('/about'))
      const footer = page.getByRole('contentinfo')
      await expect(page.locator('[data-prerendered]')).toHaveCount(0)
      await footer.scrollIntoViewIfNeeded()
      await expect(link(footer)).toHaveAttribute('href', onward)
      await page.getByRole('button', { name: t.support.open, exact: true }).last().click()
      // Beside the forms; the first topic is the chat.
      await page.getByRole('dialog').getByRole('radio').last().check({ force: true })
      await expect(link(page.getByRole('dialog'))).toHaveAttribute('href', onward)
      expect(await accessibilityViolations(page)).toEqual([])
      await link(page.getByRole('dialog')).click()
      await expect(page).toHaveURL(outside)

      await signIn(page, user)
      await page.goto(at('/dashboard'))
      if (view.width < 1024) await page.getByRole('button', { name: t.shell.openMenu }).click()
      const menu = view.width < 1024 ? page.getByRole('dialog') : page.locator('aside')
      await expect(link(menu)).toHaveAttribute('href', onward)
      await link(menu).click()
      await expect(page).toHaveURL(outside)
    })

    test('the footer omits channels that are not configured', async ({ page, at }) => {
      await page.route('**/api/v1/portal/settings', async (route) => {
        const answer = await route.fetch()
        const { data, ...rest } = await answer.json()
        await route.fulfill({ response: answer, json: { ...rest, data: { ...data, social: {} } } })
      })
      const told = page.waitForResponse('**/api/v1/portal/settings')
      await page.goto(at('/about'))
      await expect(page.locator('[data-prerendered]')).toHaveCount(0)
      await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
      await told
      await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Telegram' })).toHaveCount(0)
    })

    test('a node redirects rejected visitors to a page with the reason', async ({ page, user, at, w }) => {
      const { cid } = await share(user, 'x.txt', randomBytes(100))
      const { url } = await data<{ url: string[] }>('downloads.open', { user_id: user.uid, asset_cid: cid })
      await page.goto((url[0] ?? '').replace(/token=[^&]+/, 'token=a.b.c'))
      await expect(page).toHaveURL(at('/redirect?errCode=10012'))
      await expect(page.getByRole('heading', { name: w.redirect.errors['10012']?.[0] ?? '' })).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      await page.goto(at('/redirect?errCode=10011'))
      await expect(page.getByRole('heading', { name: w.redirect.errors['10011']?.[0] ?? '' })).toBeVisible()
      await page.goto(at('/redirect?errCode=<img>'))
      await expect(page.getByRole('heading', { name: w.redirect.unknown })).toBeVisible()
    })

    test('does not link to unsafe addresses', { tag: '@long' }, async ({ page, at, w }) => {
      for (const [url, why] of [
        ['javascript:alert(1)', w.redirect.why.scheme],
        ['data:text/html,x', w.redirect.why.scheme],
        ['//elsewhere.test/x', w.redirect.why.form],
        ['/\\elsewhere.test', w.redirect.why.form],
        ['https://portal@elsewhere.test/', w.redirect.why.credentials],
        ['https://elsewhere.test/', w.redirect.why.host],
        ['/redirect?url=/', w.redirect.why.loop],
      ] as const) {
        await page.goto(at(`/redirect?${new URLSearchParams({ url })}`))
        await expect(page.getByRole('heading', { name: w.redirect.refused })).toBeVisible()
        await expect(page.getByText(why)).toBeVisible()
        expect(new URL(page.url()).pathname).toBe('/redirect')
        const hrefs = await page
          .locator('main a')
          .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))
        for (const href of hrefs) expect(href.startsWith(at('/'))).toBe(true)
      }
      await page.goto(at('/redirect'))
      await expect(page.getByText(w.redirect.why.missing)).toBeVisible()
    })
  })
