import { readFileSync } from 'node:fs'
import type { Locator } from '@playwright/test'
import { cosmosWallet } from '../../apps/server/src/identity/wallets/sample-wallets.fixture.ts'
import { texts as designEn } from '../../apps/web/src/features/dev/texts.en.ts'
import { texts as docsEn } from '../../apps/web/src/features/docs/texts.en.ts'
import { texts as docsZh } from '../../apps/web/src/features/docs/texts.zh.ts'
import { accessibilityViolations, data, expect, filesWords, long, test, viewsFor } from './test-env.ts'

/** The script of a lazily loaded page, named by its hash only. */
const pageScript = /\/assets\/[\w-]{7}\.js/

const docs = ({ lang }: { lang: 'en' | 'zh' }) => (lang === 'zh' ? docsZh : docsEn)

// Other files test their dialogs in light mode.
for (const view of viewsFor('narrow'))
  for (const colorScheme of long ? (['light', 'dark'] as const) : (['dark'] as const))
    test.describe(`${view.name}, ${colorScheme}`, () => {
      test.use({ view, colorScheme })

      test('dialogs and menus are accessible', { tag: '@long' }, async ({ page, user, signIn, at, t }) => {
        await data('folders.create', { name: 'Quay', parent: 0 }, user.token)
        await signIn(page, user)
        await page.goto(at('/fileStorage'))
        const { files } = filesWords(t)
        for (const action of [files.share, files.details, files.rename, files.move, files.toTrash]) {
          await page.getByLabel(files.actions('Quay'), { exact: true }).click()
          await expect(page.getByRole('menuitem', { name: action, exact: true })).toBeVisible()
          await page.getByRole('menuitem', { name: action, exact: true }).click()
          await expect(page.getByRole('dialog')).toBeVisible()
          await expect(page.getByText(t.words.loading)).toHaveCount(0)
          expect(await accessibilityViolations(page), action).toEqual([])
          await page.keyboard.press('Escape')
          await expect(page.getByRole('dialog')).toBeHidden()
        }
        await page.goto(at('/key'))
        await page.getByRole('button', { name: t.keys.create }).click()
        await page.getByRole('radio', { name: t.keys.normal }).click()
        expect(await accessibilityViolations(page)).toEqual([])
      })
    })

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })

    test('switches the language and drops the fragment', async ({ page, at, t }) => {
      await page.goto(at('/docs/api#folders'))
      await expect(page.getByRole('heading', { name: docs(view).title })).toBeVisible()
      await page.getByRole('button', { name: t.language.label }).click()
      await page.getByRole('button', { name: view.lang === 'en' ? t.language.zh : t.language.en }).click()
      await expect(page).toHaveURL(at('/docs/api'))
      await expect(page.locator('html')).toHaveAttribute('lang', view.lang === 'en' ? 'zh-CN' : 'en')
      await expect(page.getByRole('heading', { name: docs(view).title })).toBeHidden()
    })

    test('applies the chosen theme before the first paint', async ({ page, at, t }) => {
      await page.goto(at('/'))
      // The page is prerendered before its code has loaded.
      await expect(async () => {
        await page.getByRole('button', { name: t.theme.label }).click()
        await expect(page.getByRole('button', { name: t.theme.dark })).toBeVisible({ timeout: 500 })
      }).toPass()
      await page.getByRole('button', { name: t.theme.dark }).click()
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
      await page.reload({ waitUntil: 'commit' })
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    })

    test('shows the account shortened and copies it in full', async ({ page, context, user, signIn, at, t }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await signIn(page, user)
      await page.goto(at('/dashboard'))
      const short = `${user.email.slice(0, 3)}…${user.email.slice(user.email.indexOf('@'))}`
      await page.getByRole('button', { name: `${t.shell.account} ${short}` }).click()
      await page.getByRole('menuitem', { name: t.shell.copyAccountId }).click()
      await expect(page.getByText(t.words.copied)).toBeVisible()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(user.uid)
    })

    test('the API reader finds an operation and shows how to call it', async ({ page, at }) => {
      await page.goto(at('/docs/api'))
      await page.getByRole('searchbox').fill('create_asset')
      await page.getByText('/api/v1/storage/create_asset').first().click()
      await expect(page.getByRole('region', { name: docs(view).example })).toContainText('curl -X POST')
      await page.getByRole('searchbox').fill('no such thing')
      await expect(page.getByText(docs(view).noMatch)).toBeVisible()
      const waiting = page.waitForEvent('download')
      await page.getByRole('link', { name: docs(view).raw }).click()
      const document = JSON.parse(readFileSync(await (await waiting).path(), 'utf8'))
      expect(document.openapi).toMatch(/^3\./)
    })
  })

for (const lang of ['en', 'cn'])
  test(`the whole header fits a screen of 320 px: ${lang}`, async ({ page, user, signIn, at }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.context().addCookies([{ name: 'lang', value: lang, url: at('/') }])
    const outside = () =>
      page
        .getByRole('banner')
        .locator('a:visible, button:visible')
        .evaluateAll((items) => items.filter((item) => item.getBoundingClientRect().right > innerWidth).length)
    await page.goto(at('/learn'))
    await expect.poll(outside).toBe(0)
    await signIn(page, user)
    await page.goto(at('/key'))
    await expect(page.getByRole('banner').getByRole('button')).toHaveCount(4)
    expect(await outside()).toBe(0)
  })

test('reaches every page by the menu on small screens', async ({ page, user, signIn, at, t }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, user)
  await page.goto(at('/dashboard'))
  for (const [name, path] of [
    [t.pages.files, '/fileStorage'],
    [t.pages.keys, '/key'],
    [t.pages.storage, '/tss'],
    [t.pages.dashboard, '/dashboard'],
  ] as const) {
    await page.getByRole('button', { name: t.shell.openMenu }).click()
    await page.getByRole('dialog').getByRole('link', { name, exact: true }).first().click()
    await expect(page).toHaveURL(at(path))
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page).toHaveTitle(new RegExp(`^${name}`))
  }
})

test('keeps the menu open when the next page, with another layout, arrives', async ({ page, user, signIn, at, t }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, user)
  await page.goto(at('/key'))
  const open = () => page.getByRole('button', { name: t.shell.openMenu }).click()
  const menu = page.getByRole('dialog')
  await open()
  // The menu has a chunk of its own, which must not be held.
  await expect(menu).toBeVisible()
  let held = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    held += 1
    await released
    await route.continue()
  })
  await menu.getByRole('link', { name: t.pages.storage, exact: true }).first().click()
  await expect(menu).toBeHidden()
  await expect.poll(() => held).toBeGreaterThan(0)
  await open()
  await expect(menu).toBeVisible()
  release()
  await expect(page.getByRole('contentinfo', { includeHidden: true })).toBeAttached()
  await expect(menu).toBeVisible()
})

test('a prerendered page accepts no input before hydration, and looks the same', async ({ page, at, t }) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/assets\/[^/]*\.js$/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(at('/login'), { waitUntil: 'commit' })
  const email = page.getByLabel(t.accounts.email)
  await expect(email).toBeDisabled()
  await expect(email).toHaveCSS('opacity', '1')
  const support = page.getByRole('button', { name: t.support.open, exact: true }).last()
  const left = async () => (await support.boundingBox())?.x
  const prerendered = await left()
  expect(prerendered).toBeGreaterThan(0)
  release()
  await email.fill('tide@tidenet.example')
  await expect(email).toHaveValue('tide@tidenet.example')
  expect(await left()).toBe(prerendered)
})

test.describe('the zoom of pages', () => {
  test('is 0.8 from 768 to 1500 px and 1 elsewhere', async ({ page, at }) => {
    await page.goto(at('/about'))
    const size = () => page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
    for (const [width, wanted] of [
      [390, 16],
      [767, 16],
      [768, 12.8],
      [1280, 12.8],
      [1500, 12.8],
      [1501, 16],
      [1920, 16],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(size, `${width} px`).toBeCloseTo(wanted, 1)
    }
  })

  test('keeps menus, popovers and sliders in position', { tag: '@long' }, async ({ page, at, t, user, signIn }) => {
    const hits = (part: Locator) =>
      part.evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
      })
    await signIn(page, user)
    await page.goto(at('/about'))
    for (const name of [t.menus.webServices, t.pages.learn]) {
      await page.getByRole('navigation', { name: t.shell.mainMenu }).getByRole('button', { name }).click()
      for (const link of await page.locator('[data-panel]:visible').getByRole('link').all())
        await expect.poll(() => hits(link)).toBe(true)
    }
    await page.getByRole('button', { name: t.shell.account }).click()
    for (const item of await page.getByRole('menuitem').all()) await expect.poll(() => hits(item)).toBe(true)
    await page.keyboard.press('Escape')

    // Orders need a wallet.
    const { address, publicKey, sign } = cosmosWallet()
    const { code } = await data<{ code: string }>('wallets.bindNonce', { address }, user.token)
    await data('wallets.bindKeplr', { address, publicKey, sign: await sign(code) }, user.token)
    await page.goto(at('/mycenter?tab=2'))
    await expect(page.getByRole('slider').first()).toBeVisible()
    for (const slider of await page.getByRole('slider').all()) {
      const [least, most] = [Number(await slider.getAttribute('min')), Number(await slider.getAttribute('max'))]
      const shareOf = async () => (Number(await slider.inputValue()) - least) / (most - least)
      /** Uses the slider until it shows a share; content that loads late can move it. */
      const shows = (share: number, use: (xAt: (share: number) => number, y: number) => Promise<void>) =>
        expect(async () => {
          const box = await slider.boundingBox()
          if (!box) throw new Error('the slider is not drawn')
          await use((at) => box.x + box.width * at, box.y + box.height / 2)
          expect(Math.abs((await shareOf()) - share)).toBeLessThan(0.03)
        }).toPass()
      for (const share of [0.25, 0.75]) await shows(share, (xAt, y) => page.mouse.click(xAt(share), y))
      // The thumb follows the pointer.
      await shows(0.5, async (xAt, y) => {
        await page.mouse.move(xAt(0.75), y)
        await page.mouse.down()
        await page.mouse.move(xAt(0.5), y, { steps: 5 })
        await page.mouse.up()
      })
    }
  })
})

test('gives up loading a page chunk after two minutes, and offers a retry', async ({ page, at, t, expected }) => {
  expected.push(/Loading the page timed out/)
  await page.clock.install()
  let held = true
  await page.route(pageScript, async (route) => {
    if (!held) await route.continue()
  })
  // A page that is not prerendered.
  await page.goto(at('/dev/ui'))
  await expect(page.getByText(t.words.loading)).toBeVisible()
  await page.clock.fastForward(100_000)
  await expect(page.getByText(t.words.loading)).toBeVisible()
  // The timeout starts with the request of the chunk, which may come after the first scripts with such names.
  await expect(async () => {
    await page.clock.fastForward(60_000)
    await expect(page.getByRole('heading', { name: t.errors.chunkTitle })).toBeVisible({ timeout: 1000 })
  }).toPass()
  held = false
  await page.getByRole('button', { name: t.errors.reload }).click()
  await expect(page.getByRole('heading', { name: designEn.title })).toBeVisible()
})

test('offers a retry if a page chunk fails to load', async ({ page, at, expected, t }) => {
  expected.push(/ERR_FAILED/, /dynamically imported module/)
  await page.route(pageScript, (route) => route.abort())
  await page.goto(at('/docs/api'))
  await expect(page.getByRole('heading', { name: t.errors.chunkTitle })).toBeVisible()
  await page.unroute(pageScript)
  await page.getByRole('button', { name: t.errors.reload }).click()
  await expect(page.getByRole('heading', { name: docsEn.title })).toBeVisible()
})

test.describe('rejections', () => {
  test('asks visitors of the console to sign in', async ({ page, at }) => {
    for (const path of ['/dashboard', '/fileStorage', '/key']) {
      await page.goto(at(path))
      await expect(page).toHaveURL(/\/\?redirect=/)
    }
  })

  test('blocks scripts and styles that are not files of the portal', async ({ page, at, expected }) => {
    expected.push(/Content Security Policy/)
    await page.goto(at('/'))
    const ran = await page.evaluate(async () => {
      const script = document.createElement('script')
      script.textContent = 'window.ran = true'
      document.head.append(script)
      const style = document.createElement('style')
      style.textContent = 'body { display: none }'
      document.head.append(style)
      return { script: 'ran' in window, hidden: getComputedStyle(document.body).display === 'none' }
    })
    expect(ran).toEqual({ script: false, hidden: false })
  })
})
