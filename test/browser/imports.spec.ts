import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importErrorText } from '@tidenet/contract'
import { type Program, startProcess } from '@tidenet/testnet'
import { texts as importsEn } from '../../apps/web/src/features/files/import-texts.en.ts'
import { texts as importsZh } from '../../apps/web/src/features/files/import-texts.zh.ts'
import { expect, filesWords, test, viewsFor } from './test-env.ts'

/** Imports in the portal, with a gateway that runs them. */

const SCRIPT = fileURLToPath(new URL('../../apps/s3/dist/main.js', import.meta.url))
const FOLDER = process.env.TIDENET_SCREENSHOTS

let gateway: Program
let source: Server
let address = ''
test.beforeAll(async () => {
  const folder = process.env.TIDENET_BROWSER_DATA ?? ''
  gateway = startProcess({
    name: `imports-${process.pid}`,
    script: SCRIPT,
    logFile: join(folder, 'logs', `imports-${process.pid}.log`),
    env: {
      TIDENET_ENV: 'test',
      TIDENET_SERVER: process.env.TIDENET_URL ?? '',
      TIDENET_S3_GATEWAY_SECRET: readFileSync(join(folder, 'secrets', 's3-gateway.key'), 'utf8').trim(),
      TIDENET_S3_IMPORTS_POLL_MS: '300',
    },
  })
  await gateway.ready
  source = createServer((request, response) => {
    if (request.url === '/tides.txt') response.end('low tide at six\n')
    else if (request.url === '/slow.bin') response.writeHead(200, { 'content-length': 10_000_000 }).write('slow')
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(source.address() as AddressInfo).port}`
})
test.afterAll(async () => {
  await gateway?.stop()
  source?.closeAllConnections()
  source?.close()
})

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })

    test('files are imported, listed with what to do about failures, cancelled and retried', async ({
      page,
      user,
      signIn,
      at,
      t,
    }) => {
      const w = filesWords(t)
      const words = view.lang === 'zh' ? importsZh : importsEn
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await page.getByRole('button', { name: w.files.upload, exact: true }).click()
      await page.getByRole('menuitem', { name: w.files.import }).click()
      const panel = page.getByRole('dialog')
      await expect(panel.getByText(words.none)).toBeVisible()
      const row = (name: string) => panel.getByRole('listitem').filter({ hasText: name })
      const begin = async (path: string) => {
        await panel.getByLabel(words.url).fill(address + path)
        await panel.getByRole('button', { name: words.start }).click()
        await expect(row(path)).toBeVisible()
      }
      await panel.getByRole('button', { name: words.start }).click()
      await expect(panel.getByText(words.missing)).toBeVisible()
      await begin('/tides.txt')
      await expect(row('/tides.txt')).toContainText(words.states.done)
      await begin('/missing')
      await expect(row('/missing')).toContainText(words.states.failed)
      await begin('/slow.bin')
      await expect(row('/slow.bin')).toContainText(words.states.running)
      if (FOLDER) await page.screenshot({ path: join(FOLDER, `imports-${view.lang}-${view.width}.png`) })
      await row('/slow.bin').getByRole('button', { name: words.cancel }).click()
      await expect(row('/slow.bin')).toContainText(words.states.cancelled)
      await row('/missing').getByRole('button', { name: words.retry }).click()
      await expect(row('/missing')).toContainText(words.states.failed)

      await panel.getByRole('button', { name: words.kinds.s3 }).click()
      await panel.getByRole('button', { name: words.start }).click()
      await expect(panel.getByText(words.missing)).toHaveCount(4)
      if (FOLDER) {
        await page.emulateMedia({ colorScheme: 'dark' })
        await page.screenshot({ path: join(FOLDER, `imports-${view.lang}-${view.width}-s3-dark.png`) })
      }
      await panel.getByRole('button', { name: words.kinds.cid }).click()
      await expect(panel.getByText(words.notOffered)).toBeVisible()
      await panel.getByRole('button', { name: t.words.close }).click()
      await expect(page.getByText('tides.txt', { exact: true })).toBeVisible()
    })

    test('one that waits for another try says why', async ({ page, user, signIn, at, t }) => {
      const w = filesWords(t)
      const words = view.lang === 'zh' ? importsZh : importsEn
      const error = importErrorText('queued', 'unreachable', view.lang === 'zh' ? 'cn' : 'en')
      await page.route('**/api/v1/storage/imports?*', async (route) => {
        const response = await route.fetch()
        const json = await response.json()
        const list = json.data.list.map((item: object) => ({ ...item, state: 'queued', ended: null, error }))
        await route.fulfill({ response, json: { ...json, data: { ...json.data, list } } })
      })
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await page.getByRole('button', { name: w.files.upload, exact: true }).click()
      await page.getByRole('menuitem', { name: w.files.import }).click()
      const panel = page.getByRole('dialog')
      await panel.getByLabel(words.url).fill(`${address}/tides.txt`)
      await panel.getByRole('button', { name: words.start }).click()
      const row = panel.getByRole('listitem').filter({ hasText: '/tides.txt' })
      await expect(row).toContainText(words.states.queued)
      await expect(row).toContainText(error)
      if (FOLDER) await page.screenshot({ path: join(FOLDER, `imports-${view.lang}-${view.width}-waits.png`) })
    })
  })
