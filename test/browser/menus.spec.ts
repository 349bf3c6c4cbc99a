import type { Locator, Page } from '@playwright/test'
import { cosmosWallet } from '../../apps/server/src/identity/wallets/sample-wallets.fixture.ts'
import { texts as shellEn } from '../../apps/web/src/features/shell/console-texts.en.ts'
import { texts as shellZh } from '../../apps/web/src/features/shell/console-texts.zh.ts'
import { accessibilityViolations, data, expect, type TestUser, test, viewsFor } from './test-env.ts'

/** One view of each language; these tests choose the width. */
const languages = (most: 'wide' | 'narrow') => [...new Map(viewsFor(most).map((view) => [view.lang, view])).values()]
const desks = languages('wide').map((view) => ({ ...view, name: `${view.lang}, 1280 px`, width: 1280, height: 900 }))

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(wanted).toBeFocused({ timeout: 50 })
  }).toPass({ intervals: [0], timeout: 10_000 })
}

async function linkWallet({ token }: TestUser): Promise<void> {
  const { address, publicKey, sign } = cosmosWallet()
  const { code } = await data<{ code: string }>('wallets.bindNonce', { address }, token)
  await data('wallets.bindKeplr', { address, publicKey, sign: await sign(code) }, token)
}

const panelOf = async (page: Page, button: Locator) =>
  page.locator(`[id="${await button.getAttribute('aria-controls')}"]`)

for (const view of desks)
  test.describe(`${view.name}: the menus of the header`, () => {
    test.use({ view })

    test('work by keyboard alone', async ({ page, at, t }) => {
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
        expect(await accessibilityViolations(page), title).toEqual([])
        await page.keyboard.press('Escape')
        await expect(button).toBeFocused()
        await expect(button).toHaveAttribute('aria-expanded', 'false')
      }

      await test.step('an arrow key opens a menu, Enter follows a link', async () => {
        await page.keyboard.press('ArrowUp')
        const links = menu.locator('[data-panel]:visible').getByRole('link')
        await expect(links.last()).toBeFocused()
        await page.keyboard.press('Home')
        await page.keyboard.press('Enter')
        await expect(page).toHaveURL(at('/learn?type=BASICS'))
        await expect(menu.locator('[data-panel]:visible')).toHaveCount(0)
      })

      await test.step('the controls next to them are reachable', async () => {
        for (const name of [t.menus.docs, t.menus.download]) await tabTo(page, menu.getByRole('link', { name }))
        await tabTo(page, page.getByRole('banner').getByRole('link', { name: t.shell.signIn }))
        await page.keyboard.press('Enter')
        await expect(page).toHaveURL(at('/login'))
      })
    })

    test('show the shortened account with links to the dashboard and to sign out', { tag: '@long' }, async ({
      page,
      at,
      t,
      user,
      signIn,
    }) => {
      await signIn(page, user)
      await page.goto(at('/about'))
      const header = page.getByRole('banner')
      const short = `${user.email.slice(0, 3)}…${user.email.slice(user.email.indexOf('@'))}`
      await expect(header.getByRole('link', { name: t.shell.signIn })).toHaveCount(0)
      const account = header.getByRole('button', { name: t.shell.account })
      await expect(account).toHaveText(short)
      await tabTo(page, account)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('menuitem').first()).toBeFocused()
      expect(await accessibilityViolations(page)).toEqual([])
      await page.keyboard.press('ArrowDown')
      await expect(page.getByRole('menuitem', { name: t.shell.dashboard })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(at('/dashboard'))
      await header.getByRole('button', { name: t.shell.account }).press('Enter')
      await expect(page.getByRole('menuitem').first()).toBeFocused()
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

    test('links to every console page, marks the current one, and scrolls to its top', { tag: '@long' }, async ({
      page,
      at,
      t,
      user,
      signIn,
    }) => {
      // With a linked wallet no page asks for one.
      await linkWallet(user)
      await signIn(page, user)
      await page.setViewportSize({ width: 1280, height: 420 })
      await page.goto(at('/dashboard'))
      // Until then the page is prerendered only.
      await expect(page.locator('[data-prerendered]')).toHaveCount(0)
      const menu = page.getByRole('navigation', { name: t.shell.consoleMenu })
      await expect(menu).toBeVisible()
      const links = menu.getByRole('link')
      for (const link of await links.all()) {
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
        const href = (await link.getAttribute('href')) ?? ''
        // Short pages do not scroll.
        await link.click()
        await expect(page).toHaveURL(at(href))
        await expect(link).toHaveAttribute('aria-current', 'page')
        await expect(page.locator('h1')).toBeVisible()
        await expect.poll(() => page.evaluate(() => window.scrollY), href).toBe(0)
      }
      expect(await links.count()).toBeGreaterThanOrEqual(9)
    })

    test('links to the docs, to contacts, and to a form in the page’s language', { tag: '@long' }, async ({
      page,
      at,
      t,
      user,
      signIn,
    }) => {
      const { feedback_urls } = await data<{ feedback_urls: Record<'cn' | 'en', string> }>('portal.settings')
      expect(feedback_urls.cn).not.toBe(feedback_urls.en)
      await signIn(page, user)
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

for (const view of viewsFor('narrow'))
  test.describe(`${view.name}: the footer`, () => {
    test.use({ view })

    test('links to pages and opens the contact panel', { tag: '@long' }, async ({ page, at, t }) => {
      await page.goto(at('/about'))
      const footer = page.getByRole('contentinfo')
      for (const name of [t.menus.docs, t.footer.blog, t.menus.download, t.footer.whitepaper, t.pages.about])
        await expect(footer.getByRole('link', { name, exact: true })).toBeVisible()
      for (const name of [t.footer.contact, t.footer.support]) {
        await footer.getByRole('button', { name }).click()
        await expect(page.getByRole('dialog')).toBeVisible()
        expect(await accessibilityViolations(page), name).toEqual([])
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toBeHidden()
      }
      await footer.getByRole('link', { name: t.footer.community, exact: true }).click()
      await expect(page.locator('#community')).toBeInViewport()
    })
  })

for (const view of languages('narrow'))
  test.describe(`${view.lang}, 390 px: the menu of small screens`, () => {
    test.use({ view: { ...view, width: 390, height: 844 } })

    test('opens, closes in three ways, and shows the number of online nodes', async ({ page, at, t }) => {
      const { online_device_num: online } = await data<{ online_device_num: number }>('network.onlineDevices')
      await page.goto(at('/about'))
      const opener = page.getByRole('button', { name: t.shell.openMenu })
      const menu = page.getByRole('dialog')
      await opener.click()
      await expect(menu).toBeVisible()
      await expect(menu.getByText(t.shell.online(online), { exact: true })).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
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
