import { ordersWords } from './order-helpers.ts'
import { act, data, expect, filesWords, test } from './test-env.ts'

const folderOf = (token: string) =>
  data<{ group: { id: number } }>('folders.create', { name: 'Harbour', parent: 0 }, token)

test.describe('the console', () => {
  test.beforeEach(async ({ page, user, signIn }) => signIn(page, user))

  test('keeps Ctrl-K and text typed before the palette has loaded', async ({ page, at, t }) => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/assets\/palette-(?!trigger)[^/]*\.js$/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto(at('/fileStorage'))
    // The prerendered page is there before any script: it does not know who is signed in.
    await expect(page.getByRole('banner').getByText('@')).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('harbour')
    release()
    await expect(page.getByRole('combobox', { name: filesWords(t).palette.placeholder })).toHaveValue('harbour')
  })

  for (const way of ['shortcut', 'button'] as const)
    test(`takes the name of a new folder at once, after the ${way}, before more scripts arrive`, async ({
      page,
      at,
      t,
    }) => {
      const words = filesWords(t).files
      await page.goto(at('/fileStorage'), { waitUntil: 'networkidle' })
      await page.route(/\/assets\/[^/]*\.js$/, () => {})
      if (way === 'button') await page.getByRole('button', { name: words.newFolder }).focus()
      // Keys do not wait for what the page does with the ones before.
      await Promise.all([page.keyboard.press(way === 'button' ? 'Enter' : 'n'), page.keyboard.type('Guard')])
      await expect(page.getByLabel(words.folderName)).toHaveValue('Guard')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('link', { name: 'Guard' })).toBeVisible()
    })

  test('says that a folder could not be loaded while offline, and loads it afterwards', { tag: '@long' }, async ({
    page,
    at,
    t,
    user,
    context,
    expected,
  }) => {
    expected.push(/ERR_INTERNET_DISCONNECTED/)
    await folderOf(user.token)
    await page.goto(at('/fileStorage'))
    const link = page.getByRole('link', { name: 'Harbour' }).first()
    await expect(link).toBeVisible()
    await context.setOffline(true)
    await link.click()
    const words = filesWords(t).files
    await expect(page.getByText(words.listFailed)).toBeVisible()
    await expect(page.getByText(words.folderGone)).toHaveCount(0)
    await context.setOffline(false)
    await page.getByRole('button', { name: t.words.retry }).click()
    await expect(page.getByText(words.listFailed)).toHaveCount(0)
  })

  test('asks users without a wallet to link one', { tag: '@long' }, async ({ page, at, t, view }) => {
    await page.goto(at('/dashboard'))
    await page.goto(at('/mycenter'))
    await expect(page.getByText(ordersWords(view).o.use.needsWallet)).toBeVisible()
    await expect(page.getByRole('button', { name: t.words.retry })).toHaveCount(0)
  })

  test('keeps its rows and menu clear of the support button and the cookie notice', async ({ page, at, t, user }) => {
    await folderOf(user.token)
    await page.addInitScript(() => localStorage.setItem('tidenet.cookies', 'undecided'))
    await page.goto(at('/fileStorage'))
    // Until then the page is prerendered only.
    await expect(page.locator('[data-prerendered]')).toHaveCount(0)
    const box = async (locator: ReturnType<typeof page.locator>) => {
      await expect(locator).toBeVisible()
      const found = await locator.boundingBox()
      if (!found) throw new Error('it is not shown')
      return found
    }
    const support = await box(page.getByRole('button', { name: t.support.open, exact: true }))
    const menu = await box(page.getByLabel(filesWords(t).files.actions('Harbour'), { exact: true }))
    expect(menu.x + menu.width).toBeLessThanOrEqual(support.x)
    const question = await box(page.getByRole('region', { name: t.cookies.title }))
    const side = await box(page.locator('aside'))
    expect(question.x).toBeGreaterThanOrEqual(side.x + side.width)
    expect(question.x + question.width).toBeLessThanOrEqual(support.x)
    expect(question.width).toBeLessThan(0.33 * 1280)
  })

  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const)
    test(`at ${width} px, neither messages nor the support button cover what can be pressed`, async ({
      page,
      at,
      t,
      user,
    }) => {
      const names = Array.from({ length: 10 }, (_, number) => `Quay ${number}`)
      for (const name of names) await data('folders.create', { name, parent: 0 }, user.token)
      await page.setViewportSize({ width, height })
      await page.goto(at('/fileStorage'))
      const { files } = filesWords(t)
      await act(page, t, 'Quay 9', files.rename)
      await page.getByLabel(files.newName).fill('Pier')
      await page.keyboard.press('Enter')
      await expect(page.getByText(files.renamed)).toBeVisible()
      /** What covers the middle of an element; undefined outside the window and its list. */
      const covering = (element: Element) => {
        const box = element.getBoundingClientRect()
        const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
        const floating = top?.closest('[data-toasts], .support-button')
        return floating?.textContent || floating?.getAttribute('aria-label') || undefined
      }
      await expect(page.getByRole('button', { name: t.support.open, exact: true }).last()).toHaveCSS('opacity', '1')
      for (const button of await page.getByRole('main').getByRole('button').all())
        expect(await button.evaluate(covering)).toBeUndefined()
    })
})
