import { readFileSync } from 'node:fs'
import { createNetwork, type Network } from '@tidenet/testnet'
import { texts as en } from '../../apps/web/src/features/workspaces/texts.en.ts'
import { texts as zh } from '../../apps/web/src/features/workspaces/texts.zh.ts'
import { buildFixture } from '../../tools/load-fixture.mjs'
import { accessibilityViolations, expect, test, viewsFor } from './test-env.ts'

// Programs have files here: the stand-in of the cluster runs the shell of this machine in a folder.
let network: Network
let others: string | undefined
test.beforeAll(async () => {
  test.setTimeout(120_000)
  others = process.env.TIDENET_URL
  const driver = await buildFixture('apps/server/src/compute/clusters/sample-driver.fixture.ts')
  network = await createNetwork({
    nodes: 1,
    mode: 'development',
    chain: { blockMs: 500 },
    env: {
      NODE_OPTIONS: `--import ${new URL(`sample-cluster.mjs?driver=${driver}`, import.meta.url).href}`,
      TIDENET_GUEST_WORKSPACES: '8',
    },
  })
  process.env.TIDENET_URL = network.url
})
test.afterAll(async () => {
  process.env.TIDENET_URL = others
  await network?.stop()
})

const SLOW = { timeout: 30_000 }

for (const view of viewsFor('wide'))
  test.describe(view.name, () => {
    test.use({ view })
    const w = view.lang === 'zh' ? zh : en
    const b = w.browser

    test('browses, uploads, renames, downloads and deletes files of a program', { tag: '@long' }, async ({
      page,
      at,
    }) => {
      test.setTimeout(150_000)
      await page.goto(at('/console/login'))
      await page.getByRole('button', { name: w.guest.start }).click()
      await expect(page.getByText(w.guest.running)).toBeVisible(SLOW)
      await page.getByRole('link', { name: new RegExp(`^${w.spaces.open}`) }).click()
      await page.getByRole('link', { name: 'machine', exact: true }).click()
      await page.getByRole('link', { name: w.one.files }).click()
      const files = page.getByRole('region', { name: b.title('machine') })
      const row = (name: string) => files.getByRole('listitem').filter({ hasText: name })
      const choose = async (name: string, action: string) => {
        await files.getByRole('button', { name: b.actions(name) }).click()
        await page.getByRole('menuitem', { name: action }).click()
      }
      await expect(files.getByText(b.empty)).toBeVisible(SLOW)

      await test.step('uploads files, also with strange names', async () => {
        const content = Buffer.alloc(3_000_000, 'abc')
        await files.locator('input[type=file]').setInputFiles([
          { name: 'big.bin', mimeType: 'application/octet-stream', buffer: content },
          { name: '-rf $(evil) 名.txt', mimeType: 'text/plain', buffer: Buffer.from('words') },
        ])
        await expect(row('-rf $(evil) 名.txt')).toBeVisible(SLOW)
        await expect(row('big.bin')).toContainText('2.9 MiB')
      })

      await test.step('creates a folder and opens it', async () => {
        await files.getByRole('button', { name: b.newFolder }).click()
        await page.getByRole('dialog').getByRole('textbox').fill('inner')
        await page.getByRole('dialog').getByRole('button', { name: b.create }).click()
        await files.getByRole('button', { name: 'inner', exact: true }).click()
        await expect(files.getByText(b.empty)).toBeVisible(SLOW)
        await files.getByRole('button', { name: 'data', exact: true }).click()
        await expect(row('big.bin')).toBeVisible(SLOW)
        expect(await accessibilityViolations(page)).toEqual([])
        const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect(over).toBeLessThanOrEqual(0)
      })

      await test.step('renames, but to no name that is taken', async () => {
        await choose('big.bin', b.rename)
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('textbox').fill('inner')
        await dialog.getByRole('button', { name: b.rename }).click()
        await expect(dialog.getByText(b.problems.taken)).toBeVisible(SLOW)
        await dialog.getByRole('textbox').fill('bigger.bin')
        await dialog.getByRole('button', { name: b.rename }).click()
        await expect(row('bigger.bin')).toBeVisible(SLOW)
      })

      await test.step('downloads what was uploaded', async () => {
        const saved = page.waitForEvent('download')
        await choose('bigger.bin', b.download)
        expect(readFileSync(await (await saved).path()).equals(Buffer.alloc(3_000_000, 'abc'))).toBe(true)
      })

      await test.step('deletes after a question', async () => {
        await choose('inner', b.remove)
        await expect(page.getByText(b.removeFolder)).toBeVisible()
        await page.getByRole('dialog').getByRole('button', { name: b.remove }).click()
        await expect(row('inner')).toHaveCount(0, SLOW)
      })
    })
  })
