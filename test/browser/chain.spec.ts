import type { Page } from '@playwright/test'
import { texts as chainEn } from '../../apps/web/src/features/chain/texts.en.ts'
import { texts as chainZh } from '../../apps/web/src/features/chain/texts.zh.ts'
import { chainSettings, claim, linkWallet } from './chain-helpers.ts'
import { accessibilityViolations, data, expect, test, viewsFor } from './test-env.ts'

const NOWHERE = 'AB'.repeat(32)

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const w = view.lang === 'zh' ? chainZh : chainEn
    const field = (page: Page) => page.getByRole('textbox', { name: w.search })
    const heading = (page: Page) => page.getByRole('heading', { level: 1 })
    const find = async (page: Page, text: string) => {
      await field(page).fill(text)
      await page.getByRole('button', { name: w.find, exact: true }).click()
    }

    test('shows a transaction, its block and its addresses to visitors, linked to each other', async ({
      page,
      context,
      user,
      signIn,
      visitor,
      at,
    }) => {
      test.slow()
      await signIn(page, user)
      const address = await linkWallet(page, context, view, at('/testCoin'))
      const hash = await claim(user)
      const { chain_id, orders } = await chainSettings()
      // Not signed in.
      const reader = await visitor()
      await reader.goto(at('/storagenetwork'))
      await reader.getByRole('link', { name: w.eyebrow }).click()
      await expect(heading(reader)).toHaveText(w.title)
      await expect(reader.getByText(w.development)).toBeVisible()
      await expect(reader.getByText(chain_id)).toBeVisible()
      await expect(reader.locator(`main a[href="/chain/tx/${hash}"]`)).toBeVisible()
      expect(await accessibilityViolations(reader)).toEqual([])

      await test.step('finds it by hash, in upper or lower case', async () => {
        await find(reader, ` 0x${hash.toLowerCase()}`)
        await expect(reader).toHaveURL(at(`/chain/tx/${hash}`))
        await expect(heading(reader)).toHaveText(w.transaction)
        await expect(reader.getByText(w.done, { exact: true }).first()).toBeVisible()
        await expect(reader.locator('main ol li').first()).toContainText('400 cTNT')
        expect(await accessibilityViolations(reader)).toEqual([])
      })
      await test.step('its block lists it', async () => {
        await reader.locator('main dl a[href^="/chain/block/"]').click()
        await expect(reader).toHaveURL(/\/chain\/block\/\d+$/)
        await expect(reader.locator(`main a[href="/chain/tx/${hash}"]`)).toBeVisible()
        expect(await accessibilityViolations(reader)).toEqual([])
        const height = Number(reader.url().split('/').at(-1))
        await reader.getByRole('link', { name: w.earlier }).click()
        await expect(reader).toHaveURL(at(`/chain/block/${height - 1}`))
        await expect(heading(reader)).toHaveText(w.blockOf((height - 1).toLocaleString('en')))
      })
      await test.step('the wallet’s page lists it', async () => {
        await find(reader, address)
        await expect(reader).toHaveURL(at(`/chain/address/${address}`))
        await expect(reader.locator('main dl')).toContainText('400 cTNT')
        await expect(reader.locator('main dl')).toContainText(w.kinds.account)
        await expect(reader.locator(`main a[href="/chain/tx/${hash}"]`)).toBeVisible()
        expect(await accessibilityViolations(reader)).toEqual([])
      })
      await test.step('labels the orders contract', async () => {
        await reader.goto(at(`/chain/address/${orders}`))
        await expect(reader.locator('main dl')).toContainText(w.kinds.orders)
      })
    })

    test('shows a pending transaction as soon as a block contains it', { tag: '@long' }, async ({ page, at }) => {
      let there = false
      const { list } = await data<{ list: { hash: string }[] }>('chain.address', {
        address: (await chainSettings()).token.address,
      })
      await page.route('**/api/v1/chain/transaction?*', async (route) =>
        there ? route.continue() : route.fulfill({ json: { code: -1, err: 1000, msg: 'nothing' } }),
      )
      test.skip(list.length === 0, 'nothing was transferred on this chain yet')
      await page.goto(at(`/chain/tx/${list[0]?.hash}`))
      await expect(page.getByText(w.waiting)).toBeVisible()
      there = true
      await expect(page.getByText(w.waiting)).toHaveCount(0)
      await expect(page.locator('main ol li').first()).toBeVisible()
    })

    test('distinguishes invalid input from unknown transactions and addresses', { tag: '@long' }, async ({
      page,
      at,
    }) => {
      const { prefix } = await chainSettings()
      await page.goto(at('/chain'))
      await find(page, 'harbour')
      await expect(page.locator('main').getByRole('alert')).toHaveText(w.notReadable(prefix))
      await expect(page).toHaveURL(at('/chain'))
      await page.goto(at('/chain/tx/harbour'))
      await expect(page.getByText(w.wrongHash)).toBeVisible()
      await page.goto(at(`/chain/tx/${NOWHERE}`))
      await expect(page.getByText(w.waiting)).toBeVisible()
      await page.goto(at('/chain/block/0'))
      await expect(page.getByText(w.wrongHeight)).toBeVisible()
      await page.goto(at('/chain/block/999999999'))
      await expect(page.getByText(w.noBlock, { exact: true })).toBeVisible()
      await page.goto(at('/chain/address/harbour'))
      await expect(page.getByText(w.wrongAddress)).toBeVisible()
      // An address with a typo.
      await page.goto(at(`/chain/address/${prefix}1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq`))
      await expect(page.getByText(w.failed)).toBeVisible()
    })
  })
