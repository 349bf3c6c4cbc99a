import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { peakMemory, treePath, writeTree } from '../large-files.ts'
import { data, expect, filesWords, test, uploadTo } from './test-env.ts'

/** TIDENET_TEST_MANY sets five times another number. */
const FILES = Number(process.env.TIDENET_TEST_MANY ?? 100_000) / 5
/** Resident MiB of a process of the browser at most. */
const BOUND = 1000
const TIMEOUT_MS = 3_600_000

/** The most resident memory of a process of this browser, MiB. */
async function browserMemory(browser: Browser): Promise<number> {
  const devtools = await browser.newBrowserCDPSession()
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
  await devtools.detach()
  return Math.max(...processInfo.map(({ id }) => peakMemory(id)))
}

test.describe.configure({ retries: 0 })

test(
  `a folder of ${FILES} files is uploaded in flat memory, also after a reload, and every file is there once`,
  {
    // Its transfers would fill the lists of the latest ones.
    tag: ['@long', '@alone'],
  },
  async ({ page, user, signIn, browser, at, t }, info) => {
    test.setTimeout(2 * TIMEOUT_MS)
    const w = filesWords(t)
    const tree = join(info.outputDir, 'tree')
    writeTree(tree, FILES)
    const count = async () => (await data<{ AssetCount: number }>('usage.storageSize', {}, user.token)).AssetCount
    page.on('dialog', (dialog) => void dialog.accept())
    const queue = page.getByRole('region', { name: w.transfers.queueTitle })

    await signIn(page, user)
    await page.goto(at('/fileStorage'))
    await uploadTo(page, t, 'folder', tree)
    await expect.poll(count, { timeout: TIMEOUT_MS }).toBeGreaterThan(FILES / 4)
    await page.reload()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: w.upload.unfinishedChooseFolder }).click()
    await (await chooser).setFiles(tree)
    await expect(queue).toContainText(w.transfers.queueDone(1), { timeout: TIMEOUT_MS })
    expect(await count()).toBe(FILES)
    const most = await browserMemory(browser)
    info.annotations.push({ type: 'MiB', description: String(most) })
    expect(most).toBeGreaterThan(50)
    expect(most).toBeLessThan(BOUND)

    // The last file is listed in its folder, and found.
    await queue.getByRole('link', { name: w.transfers.openFolder('tree') }).click()
    await expect(page.getByRole('link', { name: /^tide \d{3}$/ }).first()).toBeVisible()
    const last =
      treePath(FILES - 1)
        .split('/')
        .at(-1) ?? ''
    await page.getByRole('searchbox', { name: w.view.search }).fill(last)
    await expect(page.getByRole('button', { name: last, exact: true })).toBeVisible()
  },
)
