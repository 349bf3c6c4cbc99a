import { readFileSync } from 'node:fs'
import { barriers, data, expect, test, views } from './world.ts'

const open = ['/', '/login', '/login?mode=code', '/login?mode=signup', '/login?mode=reset', '/docs/api', '/nowhere']
const console_ = ['/dashboard', '/fileStorage', '/key']

for (const view of views)
  for (const colorScheme of ['light', 'dark'] as const)
    test.describe(`${view.name}, ${colorScheme}`, () => {
      test.use({ view, colorScheme })

      test('every page is free of barriers and of sideways scrolling', async ({
        page,
        person,
        signIn,
        at,
        expected,
        t,
      }) => {
        test.slow()
        // What is nowhere says so by its status as well.
        expected.push(/404/)
        await data('folders.create', { name: 'Harbour', parent: 0 }, person.token)
        await data('apiKeys.create', { key_name: 'harbour', perms: 'readFile' }, person.token)
        const look = async (path: string) => {
          await page.goto(at(path))
          await expect(page.locator('h1')).toBeVisible()
          await expect(page.getByText(t.words.loading)).toHaveCount(0)
          expect(await barriers(page), path).toEqual([])
          for (const width of [view.width, 390, 768, 1920]) {
            await page.setViewportSize({ width, height: view.height })
            const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
            expect(over, `${path} at ${width} px`).toBeLessThanOrEqual(0)
          }
          await page.setViewportSize({ width: view.width, height: view.height })
        }
        for (const path of open) await look(path)
        await signIn(page, person)
        for (const path of console_) await look(path)
      })

      test('dialogs and menus are free of barriers', async ({ page, person, signIn, at, t }) => {
        await data('folders.create', { name: 'Quay', parent: 0 }, person.token)
        await signIn(page, person)
        await page.goto(at('/fileStorage'))
        for (const action of [t.files.share, t.files.details, t.files.rename, t.files.move, t.words.delete]) {
          await page.getByLabel(t.files.actions('Quay'), { exact: true }).click()
          await expect(page.getByRole('menuitem', { name: action })).toBeVisible()
          await page.getByRole('menuitem', { name: action }).click()
          await expect(page.getByRole('dialog')).toBeVisible()
          await expect(page.getByText(t.words.loading)).toHaveCount(0)
          expect(await barriers(page), action).toEqual([])
          await page.keyboard.press('Escape')
          await expect(page.getByRole('dialog')).toBeHidden()
        }
        await page.goto(at('/key'))
        await page.getByRole('button', { name: t.keys.create }).click()
        await page.getByRole('radio', { name: t.keys.normal }).click()
        expect(await barriers(page)).toEqual([])
      })
    })

for (const view of views)
  test.describe(view.name, () => {
    test.use({ view })

    test('the other language is a click away, and what follows # is dropped', async ({ page, at, t }) => {
      await page.goto(at('/docs/api#folders'))
      await expect(page.getByRole('heading', { name: t.docs.title })).toBeVisible()
      await page.getByRole('button', { name: t.language.label }).click()
      await page.getByRole('button', { name: view.lang === 'en' ? t.language.zh : t.language.en }).click()
      await expect(page).toHaveURL(at('/docs/api'))
      await expect(page.locator('html')).toHaveAttribute('lang', view.lang === 'en' ? 'zh-CN' : 'en')
      await expect(page.getByRole('heading', { name: t.docs.title })).toBeHidden()
    })

    test('a theme that was chosen is there before anything is drawn', async ({ page, at, t }) => {
      await page.goto(at('/'))
      await page.getByRole('button', { name: t.theme.label }).click()
      await page.getByRole('button', { name: t.theme.dark }).click()
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
      await page.reload({ waitUntil: 'commit' })
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    })

    test('the account is named in short and copied whole', async ({ page, context, person, signIn, at, t }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await signIn(page, person)
      await page.goto(at('/dashboard'))
      const short = `${person.email.slice(0, 3)}…${person.email.slice(person.email.indexOf('@'))}`
      await page.getByRole('button', { name: `${t.shell.account} ${short}` }).click()
      await page.getByRole('menuitem', { name: t.shell.copyAccountId }).click()
      await expect(page.getByText(t.words.copied)).toBeVisible()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(person.uid)
    })

    test('the API reader finds an operation and shows how to call it', async ({ page, at, t }) => {
      await page.goto(at('/docs/api'))
      await page.getByRole('searchbox').fill('create_asset')
      await page.getByText('/api/v1/storage/create_asset').first().click()
      await expect(page.getByRole('region', { name: t.docs.example })).toContainText('curl -X POST')
      await page.getByRole('searchbox').fill('no such thing')
      await expect(page.getByText(t.docs.noMatch)).toBeVisible()
      const waiting = page.waitForEvent('download')
      await page.getByRole('link', { name: t.docs.raw }).click()
      const document = JSON.parse(readFileSync(await (await waiting).path(), 'utf8'))
      expect(document.openapi).toMatch(/^3\./)
    })
  })

test('on a small screen one gets everywhere by the menu', async ({ page, person, signIn, at, t }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, person)
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
  }
})

test('a part of the page that does not load can be tried again', async ({ page, at, expected, t }) => {
  expected.push(/ERR_FAILED/, /dynamically imported module/)
  await page.route(/\/assets\/api-page.*\.js/, (route) => route.abort())
  await page.goto(at('/docs/api'))
  await expect(page.getByRole('heading', { name: t.errors.chunkTitle })).toBeVisible()
  await page.unroute(/\/assets\/api-page.*\.js/)
  await page.getByRole('button', { name: t.errors.reload }).click()
  await expect(page.getByRole('heading', { name: t.docs.title })).toBeVisible()
})

test.describe('refused are', () => {
  test('visitors of the console, who are asked to sign in', async ({ page, at }) => {
    for (const path of console_) {
      await page.goto(at(path))
      await expect(page).toHaveURL(/\/login\?redirect=/)
    }
  })

  test('scripts and styles that are not files of the portal', async ({ page, at, expected }) => {
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
