import { randomBytes } from 'node:crypto'
import { share, test } from './share-world.ts'
import { barriers, data, expect, views } from './world.ts'

for (const view of views)
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
