import type { Locator, Page } from '@playwright/test'
import { cosmosWallet } from '../../apps/server/src/identity/wallets/sample-wallets.fixture.ts'
import { addresses } from '../../apps/web/src/addresses.ts'
import { texts as shellEn } from '../../apps/web/src/features/shell/console-texts.en.ts'
import { texts as shellZh } from '../../apps/web/src/features/shell/console-texts.zh.ts'
import { barriers, data, expect, type Person, test, views } from './world.ts'

const desks = views.map((view) => ({ ...view, name: `${view.lang}, 1280 px`, width: 1280, height: 900 }))

/** Goes on with Tab until something is reached. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(wanted).toBeFocused({ timeout: 50 })
  }).toPass({ intervals: [0], timeout: 10_000 })
}

async function bindWallet({ token }: Person): Promise<void> {
  const { address, publicKey, sign } = cosmosWallet()
  const { code } = await data<{ code: string }>('wallets.bindNonce', { address }, token)
  await data('wallets.bindKeplr', { address, publicKey, sign: await sign(code) }, token)
}

const panelOf = async (page: Page, button: Locator) =>
  page.locator(`[id="${await button.getAttribute('aria-controls')}"]`)

for (const view of desks)
  test.describe(`${view.name}: the menus of the header`, () => {
    test.use({ view })

    test('are opened, walked through and left by the keyboard alone', async ({ page, at, t }) => {
      await page.goto(at('/privacy-policy'))
      await expect(page.locator('h1')).toBeVisible()
      const menu = page.getByRole('navigation', { name: t.shell.mainMenu })
      for (const title of [t.menus.userNetwork, t.menus.webServices, t.pages.learn]) {
        const button = menu.getByRole('button', { name: title })
        await tabTo(page, button)
        await page.keyboard.press('Enter')
        await expect(button).toHaveAttribute('aria-expanded', 'true')
        const links = (await panelOf(page, button)).getByRole('link')
        const count = await links.count()
        expect(count).toBeGreaterThan(2)
        for (let index = 0; index < count; index++) {
          await page.keyboard.press('ArrowDown')
          await expect(links.nth(index)).toBeFocused()
        }
        await page.keyboard.press('ArrowDown')
        await expect(links.first()).toBeFocused()
        await page.keyboard.press('ArrowUp')
        await expect(links.last()).toBeFocused()
        await page.keyboard.press('Home')
        await expect(links.first()).toBeFocused()
        expect(await barriers(page), title).toEqual([])
        await page.keyboard.press('Escape')
        await expect(button).toBeFocused()
        await expect(button).toHaveAttribute('aria-expanded', 'false')
      }

      await test.step('and an arrow opens one, Enter follows a link in it', async () => {
        await page.keyboard.press('ArrowUp')
        const links = menu.locator('[data-panel]:visible').getByRole('link')
        await expect(links.last()).toBeFocused()
        await page.keyboard.press('Home')
        await page.keyboard.press('Enter')
        await expect(page).toHaveURL(at('/learn?type=BASICS'))
        await expect(menu.locator('[data-panel]:visible')).toHaveCount(0)
      })

      await test.step('and what is beside them is reached as well', async () => {
        for (const name of [t.menus.docs, t.menus.download]) await tabTo(page, menu.getByRole('link', { name }))
        await tabTo(page, page.getByRole('banner').getByRole('link', { name: t.shell.signIn }))
        await page.keyboard.press('Enter')
        await expect(page).toHaveURL(at('/login'))
      })
    })

    test('show who is signed in: in short, with the way to the dashboard and out', async ({
      page,
      at,
      t,
      person,
      signIn,
    }) => {
      await signIn(page, person)
      await page.goto(at('/about'))
      const header = page.getByRole('banner')
      const short = `${person.email.slice(0, 3)}…${person.email.slice(person.email.indexOf('@'))}`
      await expect(header.getByRole('link', { name: t.shell.signIn })).toHaveCount(0)
      const account = header.getByRole('button', { name: t.shell.account })
      await expect(account).toHaveText(short)
      await tabTo(page, account)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('menuitem').first()).toBeFocused()
      expect(await barriers(page)).toEqual([])
      await page.keyboard.press('ArrowDown')
      await expect(page.getByRole('menuitem', { name: t.shell.dashboard })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(at('/dashboard'))
      await header.getByRole('button', { name: t.shell.account }).press('Enter')
      await page.keyboard.press('End')
      await expect(page.getByRole('menuitem', { name: t.shell.signOut })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(at('/'))
      await expect(header.getByRole('link', { name: t.shell.signIn })).toBeVisible()
    })
  })

for (const view of desks)
  test.describe(`${view.name}: the menu at the side`, () => {
    test.use({ view })
    const words = view.lang === 'zh' ? shellZh : shellEn

    test('leads to every page of the console, marks where one is, and begins each at its top', async ({
      page,
      at,
      t,
      person,
      signIn,
    }) => {
      // Pages that need a wallet ask nobody who has one.
      await bindWallet(person)
      await signIn(page, person)
      await page.setViewportSize({ width: 1280, height: 420 })
      await page.goto(at('/dashboard'))
      // Before that the page only stands drawn.
      await expect(page.locator('[data-prerendered]')).toHaveCount(0)
      const menu = page.getByRole('navigation', { name: t.shell.consoleMenu })
      await expect(menu).toBeVisible()
      const links = menu.getByRole('link')
      for (const link of await links.all()) {
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
        const href = (await link.getAttribute('href')) ?? ''
        // A page with little on it leaves nothing to scroll.
        await link.click()
        await expect(page).toHaveURL(at(href))
        await expect(link).toHaveAttribute('aria-current', 'page')
        await expect(page.locator('h1')).toBeVisible()
        await expect.poll(() => page.evaluate(() => window.scrollY), href).toBe(0)
      }
      expect(await links.count()).toBeGreaterThanOrEqual(9)
    })

    test('leads to the docs, to people, and to a form that differs by language', async ({
      page,
      at,
      t,
      person,
      signIn,
    }) => {
      const { feedback_urls } = await data<{ feedback_urls: Record<'cn' | 'en', string> }>('portal.settings')
      expect(feedback_urls.cn).not.toBe(feedback_urls.en)
      await signIn(page, person)
      await page.goto(at('/myAccount'))
      const aside = page.locator('aside').first()
      await expect(aside.getByRole('link', { name: t.shell.feedback })).toHaveAttribute(
        'href',
        feedback_urls[view.lang === 'zh' ? 'cn' : 'en'],
      )
      await aside.getByRole('button', { name: words.support }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await page.keyboard.press('Escape')
      await aside.getByRole('link', { name: t.shell.feedback }).click()
      await expect(page.locator('#feedback')).toBeInViewport()
      await page.goBack()
      await aside.getByRole('link', { name: t.menus.docs }).click()
      await expect(page).toHaveURL(at('/developer'))
    })
  })

for (const view of views)
  test.describe(`${view.name}: below every public page`, () => {
    test.use({ view })

    test('is the footer, once, and it opens the panel where one writes to us', async ({ page, at, t }) => {
      test.slow()
      const site = Object.values(addresses).filter(({ frame, path }) => frame === 'site' && path !== '/signup')
      for (const { path } of site) {
        await page.goto(at(path))
        await expect(page.getByRole('contentinfo'), path).toHaveCount(1)
        await expect(page.getByRole('contentinfo'), path).toBeVisible()
      }
      const footer = page.getByRole('contentinfo')
      for (const name of [t.menus.docs, t.footer.blog, t.menus.download, t.footer.whitepaper, t.pages.about])
        await expect(footer.getByRole('link', { name, exact: true })).toBeVisible()
      for (const name of [t.footer.contact, t.footer.support]) {
        await footer.getByRole('button', { name }).click()
        await expect(page.getByRole('dialog')).toBeVisible()
        expect(await barriers(page), name).toEqual([])
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toBeHidden()
      }
      await footer.getByRole('link', { name: t.footer.community, exact: true }).click()
      await expect(page.locator('#community')).toBeInViewport()
    })
  })

for (const lang of ['en', 'zh'] as const)
  test.describe(`${lang}, 390 px: the menu of small screens`, () => {
    test.use({ view: { name: lang, lang, width: 390, height: 844 } })

    test('opens, closes in three ways, and tells how many nodes are online', async ({ page, at, t }) => {
      const { online_device_num: online } = await data<{ online_device_num: number }>('network.onlineDevices')
      await page.goto(at('/about'))
      const opener = page.getByRole('button', { name: t.shell.openMenu })
      const menu = page.getByRole('dialog')
      await opener.click()
      await expect(menu).toBeVisible()
      await expect(menu.getByText(t.shell.online(online), { exact: true })).toBeVisible()
      expect(await barriers(page)).toEqual([])
      await page.keyboard.press('Escape')
      await expect(menu).toBeHidden()
      await expect(opener).toBeFocused()
      await opener.click()
      await menu.getByRole('button', { name: t.words.close }).click()
      await expect(menu).toBeHidden()
      await opener.click()
      await page.mouse.click(8, 400)
      await expect(menu).toBeHidden()
    })
  })
