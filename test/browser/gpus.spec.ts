import type { Page } from '@playwright/test'
import { priceOf } from '../../packages/contract/src/price.ts'
import { linkFundedWallet, ordersWords } from './order-helpers.ts'
import { accessibilityViolations, expect, test, viewsFor } from './test-env.ts'

/** GPUs of an order. No machine of the tests has one, so the answer about what is offered is changed on its way to the page. */

const SMALLEST = { cpu: 1, ram: 1, storage: 40 }

async function offerGpus(page: Page, most: number): Promise<void> {
  await page.route('**/api/v1/platform/order/offers*', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: { clusters: { name: string; gpus: number }[] } }
    for (const cluster of answer.data.clusters) if (cluster.name === 'distributed') cluster.gpus = most
    await route.fulfill({ response, json: answer })
  })
}

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const { o } = ordersWords(view)
    const choice = (page: Page) => page.getByRole('combobox', { name: o.buy.gpus })

    test('GPUs can be chosen where they are offered, as many as one order can have, and have their price', async ({
      page,
      context,
      user,
      signIn,
      at,
    }) => {
      await linkFundedWallet(context, user)
      await signIn(page, user)
      await offerGpus(page, 2)
      await page.goto(at('/mycenter?tab=2'))
      await choice(page).click()
      await expect(page.getByRole('option')).toHaveText([o.buy.noGpu, o.units.gpus('1'), o.units.gpus('2')])
      await page.getByRole('option', { name: o.units.gpus('2') }).click()
      const field = page.getByLabel(o.exact(o.names.duration), { exact: true })
      await field.fill('1')
      await field.press('Enter')
      const price = priceOf({ ...SMALLEST, duration: 1, gpus: 2 }).toLocaleString('en')
      await expect(page.getByText(o.coin(price, 'cTNT'), { exact: true })).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
    })

    test('GPUs are not shown where there are none', async ({ page, context, user, signIn, at }) => {
      await linkFundedWallet(context, user)
      await signIn(page, user)
      await page.goto(at('/mycenter?tab=2'))
      await expect(page.getByRole('radio', { name: o.regions.distributed })).toBeChecked()
      // What is offered has arrived.
      await expect(page.getByRole('radio', { name: o.regions.centralized })).toBeDisabled()
      await expect(choice(page)).toHaveCount(0)
    })
  })
