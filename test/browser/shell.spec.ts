import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { cosmosWallet } from '../../apps/server/src/identity/wallets/sample-wallets.fixture.ts'
import { texts as designEn } from '../../apps/web/src/features/dev/texts.en.ts'
import { texts as docsEn } from '../../apps/web/src/features/docs/texts.en.ts'
import { texts as docsZh } from '../../apps/web/src/features/docs/texts.zh.ts'
import { accessibilityViolations, data, expect, filesWords, test, views } from './test-env.ts'

/** The script of a lazily loaded page, named by its hash only. */
const pageScript = /\/assets\/[\w-]{7}\.js/

const docs = ({ lang }: { lang: 'en' | 'zh' }) => (lang === 'zh' ? docsZh : docsEn)

for (const view of views)
  for (const colorScheme of ['light', 'dark'] as const)
    test.describe(`${view.name}, ${colorScheme}`, () => {
      test.use({ view, colorScheme })

      test('dialogs and menus are accessible', async ({ page, user, signIn, at, t }) => {
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

for (const view of views)
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

test('a prerendered page accepts no input before hydration, and looks the same', async ({ page, at, t }) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/app-*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(at('/login'), { waitUntil: 'commit' })
  const email = page.getByLabel(t.accounts.email)
  await expect(email).toBeDisabled()
  await expect(email).toHaveCSS('opacity', '1')
  release()
  await email.fill('tide@tidenet.example')
  await expect(email).toHaveValue('tide@tidenet.example')
})

for (const view of views)
  test.describe(`${view.name}: the support button`, () => {
    test.use({ view })
    const wide = view.lang === 'zh' ? 100 : 138
    /** In one language the footer has a button of the same name. */
    const floating = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last()
    const middle = async (button: Locator) => {
      const box = await button.boundingBox()
      if (!box) throw new Error('the button is not drawn')
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    }

    test('can be dragged within the window and grows while pressed', async ({ page, at, t }) => {
      await page.goto(at('/about'))
      const button = floating(page, t.support.open)
      await expect(button).toHaveCSS('width', '48px')
      await expect(button).toHaveCSS('height', '48px')
      const from = await middle(button)
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await expect(button).toHaveCSS('width', `${wide}px`)
      await page.mouse.move(from.x - 150, from.y - 220, { steps: 6 })
      await page.mouse.up()
      await expect(button).toHaveCSS('width', '48px')
      const to = await middle(button)
      expect(Math.round(to.x - from.x)).toBe(-150)
      expect(Math.round(to.y - from.y)).toBe(-220)
      await expect(page.getByRole('dialog')).toHaveCount(0)

      for (const [x, y] of [
        [-500, -500],
        [view.width + 500, view.height + 500],
      ] as const) {
        const start = await middle(button)
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

    test('shows the unread count up to 99+, and none after opening', async ({ page, at, t }) => {
      // Starts with 120 unread notices instead of none.
      let changed = 0
      await page.route(/\/assets\/.*\.js$/, async (route) => {
        const answer = await route.fetch()
        const code = await answer.text()
        const begins = /topic:void 0,unread:0/
        if (begins.test(code)) changed += 1
        await route.fulfill({ response: answer, body: code.replace(begins, 'topic:void 0,unread:120') })
      })
      await page.goto(at('/about'))
      const button = page.getByRole('button', { name: `${t.support.open}, ${t.support.unread('99+')}` })
      await expect(button).toContainText('99+')
      expect(changed).toBe(1)
      expect(await accessibilityViolations(page)).toEqual([])
      await button.click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(floating(page, t.support.open)).toHaveText('')
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

for (const view of views)
  test.describe(`${view.name}: analytics consent`, () => {
    test.use({ view })

    for (const answer of ['decline', 'accept'] as const)
      test(`is requested until answered; ${answer}ed, ${answer === 'accept' ? 'a visit is counted' : 'nothing is sent'}`, async ({
        browser,
        at,
        t,
      }) => {
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

  test('keeps menus, popovers and sliders in position', async ({ page, at, t, user, signIn }) => {
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
    // Pending content must not shift the click target.
    await page.goto(at('/mycenter?tab=2'), { waitUntil: 'networkidle' })
    await expect(page.getByRole('slider').first()).toBeVisible()
    for (const slider of await page.getByRole('slider').all()) {
      const [least, most] = [Number(await slider.getAttribute('min')), Number(await slider.getAttribute('max'))]
      const box = await slider.boundingBox()
      if (!box) throw new Error('the slider is not drawn')
      for (const share of [0.25, 0.75]) {
        await page.mouse.click(box.x + box.width * share, box.y + box.height / 2)
        const at = (Number(await slider.inputValue()) - least) / (most - least)
        expect(Math.abs(at - share)).toBeLessThan(0.03)
      }
      // The thumb follows the pointer.
      await page.mouse.move(box.x + box.width * 0.75, box.y + box.height / 2)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2, { steps: 5 })
      await page.mouse.up()
      expect(Math.abs((Number(await slider.inputValue()) - least) / (most - least) - 0.5)).toBeLessThan(0.03)
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
  // The timeout starts with the request of the chunk; the page frame may be visible earlier.
  const asked = page.waitForRequest(pageScript)
  // A page that is not prerendered.
  await page.goto(at('/dev/ui'))
  await asked
  await page.clock.fastForward(100_000)
  await expect(page.getByText(t.words.loading)).toBeVisible()
  await page.clock.fastForward(20_000)
  await expect(page.getByRole('heading', { name: t.errors.chunkTitle })).toBeVisible()
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
