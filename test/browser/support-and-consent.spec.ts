import type { Locator, Page } from '@playwright/test'
import { accessibilityViolations, expect, test, viewsFor } from './test-env.ts'

for (const view of viewsFor('narrow'))
  test.describe(`${view.name}: the support button`, () => {
    test.use({ view })
    const wide = view.lang === 'zh' ? 100 : 138
    /** In one language the footer has a button of the same name. */
    const floating = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last()
    /** A point of the half that is always in the window. */
    const point = async (button: Locator) => {
      const box = await button.boundingBox()
      if (!box) throw new Error('the button is not drawn')
      return { x: box.x + box.width / 4, y: box.y + box.height / 2 }
    }

    test('can be dragged within the window and grows while pressed', { tag: '@long' }, async ({ page, at, t }) => {
      await page.goto(at('/about'))
      const button = floating(page, t.support.open)
      // The prerendered button does nothing until the page's scripts run.
      await expect(button).toBeEnabled()
      await expect(button).toHaveCSS('width', '48px')
      await expect(button).toHaveCSS('height', '48px')
      const from = await point(button)
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await expect(button).toHaveCSS('width', `${wide}px`)
      await page.mouse.move(from.x - 150, from.y - 220, { steps: 6 })
      await page.mouse.up()
      await expect(button).toHaveCSS('width', '48px')
      const to = await point(button)
      expect(Math.round(to.x - from.x)).toBe(-150)
      expect(Math.round(to.y - from.y)).toBe(-220)
      await expect(page.getByRole('dialog')).toHaveCount(0)

      for (const [x, y] of [
        [-500, -500],
        [view.width + 500, view.height + 500],
      ] as const) {
        const start = await point(button)
        await page.mouse.move(start.x, start.y)
        await page.mouse.down()
        await page.mouse.move(x, y, { steps: 4 })
        await expect(button).toHaveCSS('width', `${wide}px`)
        await expect(button).toBeInViewport({ ratio: 1 })
        await page.mouse.up()
        await expect(button).toHaveCSS('width', '48px')
        await expect(button).toBeInViewport({ ratio: 1 })
      }
      await page.setViewportSize({ width: 320, height: 480 })
      await expect(button).toBeInViewport({ ratio: 1 })
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })

    test('opens the panel on click and by keyboard, not on a long press', async ({ page, at, t }) => {
      await page.goto(at('/about'))
      const button = floating(page, t.support.open)
      await button.click({ delay: 350 })
      await expect(button).toHaveCSS('width', '48px')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await button.click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
      await button.press('Enter')
      await expect(page.getByRole('dialog')).toBeVisible()
    })

    test('gives way while one scrolls down a small screen, and comes back', async ({ page, at, t }) => {
      test.skip(view.width >= 1024)
      await page.goto(at('/about'))
      const button = floating(page, t.support.open)
      await expect(button).toHaveCSS('opacity', '1')
      await page.mouse.move(100, 400)
      // Prerendered pages scroll before their scripts run.
      await expect(async () => {
        await page.mouse.wheel(0, 100)
        await expect(button).toHaveCSS('opacity', '0', { timeout: 500 })
      }).toPass()
      expect(await accessibilityViolations(page)).toEqual([])
      await page.mouse.wheel(0, -100)
      await expect(button).toHaveCSS('opacity', '1')
      await page.mouse.wheel(0, 100)
      await expect(button).toHaveCSS('opacity', '0')
      await button.focus()
      await expect(button).toHaveCSS('opacity', '1')
      await button.blur()
      await page.mouse.wheel(0, 100)
      await expect(button).toHaveCSS('opacity', '0')
      // At the end, nothing is behind it.
      await page.mouse.wheel(0, 100_000)
      await expect(button).toHaveCSS('opacity', '1')
    })

    test('is hidden on redirect pages', async ({ page, at, t }) => {
      await page.goto(at('/ext_download'), { waitUntil: 'commit' })
      await expect(page.locator('h1')).toBeVisible()
      if (page.url().includes('/ext_download'))
        await expect(page.getByRole('button', { name: t.support.open, exact: true })).toHaveCount(0)
      // Closing a browser during navigation can hang.
      await expect(page).not.toHaveURL(/ext_download/)
    })
  })

for (const view of viewsFor('narrow'))
  test.describe(`${view.name}: analytics consent`, () => {
    test.use({ view })

    for (const answer of ['decline', 'accept'] as const)
      test(`is requested until answered; ${answer}ed, ${answer === 'accept' ? 'a visit is counted' : 'nothing is sent'}`, {
        tag: answer === 'accept' ? [] : '@long',
      }, async ({ browser, at, t }) => {
        const context = await browser.newContext({ viewport: { width: view.width, height: view.height } })
        await context.addCookies([{ name: 'lang', value: view.lang, url: at('/') }])
        const counted: string[] = []
        context.on('request', (request) => {
          if (/\/portal\/event/.test(request.url())) counted.push(request.postData() ?? '')
        })
        const page = await context.newPage()
        const notice = page.getByRole('region', { name: t.cookies.title })
        await page.goto(at('/about'))
        await expect(notice).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
        // The support button covers neither its text nor its buttons.
        await expect(async () => {
          const [asked, button] = [
            await notice.boundingBox(),
            await page.getByRole('button', { name: t.support.open, exact: true }).last().boundingBox(),
          ]
          if (!asked || !button) throw new Error('one of them is not drawn')
          expect(button.x >= asked.x + asked.width || button.y + button.height <= asked.y).toBe(true)
        }).toPass()
        await page.goto(at('/privacy-policy'))
        await expect(notice).toBeVisible()
        await notice.getByRole('button', { name: t.cookies[answer] }).click()
        await expect(notice).toBeHidden()
        await page.reload()
        await expect(page.locator('h1')).toBeVisible()
        await expect(notice).toBeHidden()
        await page.goto(at('/ext_download?source=poster&medium=qr'))
        await expect(page).not.toHaveURL(/ext_download/, { timeout: 6000 })
        if (answer === 'decline') expect(counted).toEqual([])
        else {
          expect(counted).toHaveLength(1)
          expect(counted[0]).toContain('poster')
        }
        await context.close()
      })
  })
