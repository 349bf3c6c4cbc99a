import { randomBytes } from 'node:crypto'
import type { Locator } from '@playwright/test'
import { share, test } from './share-world.ts'
import { barriers, data, expect, journeys } from './world.ts'

for (const view of journeys('wide'))
  test.describe(view.name, () => {
    test.use({ view })

    test('a page of this portal is shown, and one that it names is offered', async ({ page, at, w }) => {
      await page.goto(at('/redirect?url=%2Flearn%3Ftype%3DNEWS'))
      await expect(page).toHaveURL(/\/learn\?type=NEWS$/)
      await page.goto(at('/redirect?url=https%3A%2F%2Ftus.io%2F'))
      await expect(page.getByRole('heading', { name: w.redirect.leaving })).toBeVisible()
      await expect(page.getByRole('link', { name: w.redirect.go('tus.io') })).toHaveAttribute('href', 'https://tus.io/')
      expect(await barriers(page)).toEqual([])
    })

    test('where the operator is elsewhere stands in the footer, the side menu and the panel, and is led to without a question', async ({
      page,
      at,
      person,
      signIn,
      t,
    }) => {
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
      await expect(link(page.getByRole('dialog'))).toHaveAttribute('href', onward)
      expect(await barriers(page)).toEqual([])
      await link(page.getByRole('dialog')).click()
      await expect(page).toHaveURL(outside)

      await signIn(page, person)
      await page.goto(at('/dashboard'))
      if (view.width < 1024) await page.getByRole('button', { name: t.shell.openMenu }).click()
      const menu = view.width < 1024 ? page.getByRole('dialog') : page.locator('aside')
      await expect(link(menu)).toHaveAttribute('href', onward)
      await link(menu).click()
      await expect(page).toHaveURL(outside)
    })

    test('a footer without anything elsewhere says nothing of it', async ({ page, at }) => {
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

    test('a node sends people whom it refuses to the page that says why', async ({ page, person, at, w }) => {
      const { cid } = await share(person, 'x.txt', randomBytes(100))
      const { url } = await data<{ url: string[] }>('downloads.open', { user_id: person.uid, asset_cid: cid })
      await page.goto((url[0] ?? '').replace(/token=[^&]+/, 'token=a.b.c'))
      await expect(page).toHaveURL(at('/redirect?errCode=10012'))
      await expect(page.getByRole('heading', { name: w.redirect.errors['10012']?.[0] ?? '' })).toBeVisible()
      expect(await barriers(page)).toEqual([])
      await page.goto(at('/redirect?errCode=10011'))
      await expect(page.getByRole('heading', { name: w.redirect.errors['10011']?.[0] ?? '' })).toBeVisible()
      await page.goto(at('/redirect?errCode=<img>'))
      await expect(page.getByRole('heading', { name: w.redirect.unknown })).toBeVisible()
    })

    test('refused are addresses that lead astray: nothing on the page leads there', async ({ page, at, w }) => {
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
