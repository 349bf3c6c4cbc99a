import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { fromBufferPromise } from 'yauzl'
import {
  accessibilityViolations,
  act,
  countClicks,
  data,
  downloaded,
  expect,
  filesWords,
  test,
  throttle,
  uploadTo,
  viewsFor,
} from './test-env.ts'

const used = async (token: string) =>
  (await data<{ UsedSize: number; ReservedSize: number }>('usage.storageSize', {}, token)).UsedSize

const queueOf = (page: Page, w: ReturnType<typeof filesWords>) =>
  page.getByRole('region', { name: w.transfers.queueTitle })

test.beforeEach(async ({ page, user, signIn, at }) => {
  await signIn(page, user)
  await page.goto(at('/fileStorage'))
})

test('an upload continues on another node if the first one fails', { tag: '@long' }, async ({
  page,
  at,
  file,
  expected,
  t,
}) => {
  const w = filesWords(t)
  expected.push(/ERR_FAILED/)
  let first = ''
  await page.route(
    (url) => url.origin !== new URL(at('/')).origin,
    (route) => {
      const { origin } = new URL(route.request().url())
      first ||= origin
      return origin === first ? route.abort() : route.continue()
    },
  )
  await uploadTo(page, t, 'files', file('stubborn.bin', 500_000).path)
  await expect(queueOf(page, w)).toContainText(w.transfers.state.retrying)
  await expect(queueOf(page, w)).toContainText(w.transfers.queueDone(1), { timeout: 30_000 })
})

test('a cancelled upload leaves nothing; a failed one can be retried', { tag: '@long' }, async ({
  page,
  user,
  file,
  t,
}) => {
  const w = filesWords(t)
  const slow = await throttle(page, 1_000_000)
  await uploadTo(page, t, 'files', file('long.bin', 30_000_000).path)
  const queue = queueOf(page, w)
  await expect(queue).toContainText(w.transfers.state.uploading)
  await queue.getByRole('button', { name: w.transfers.cancelOne('long.bin') }).click()
  await expect(queue).toContainText(w.transfers.state.cancelled)
  await expect.poll(() => used(user.token)).toBe(0)
  await expect(page.getByText(w.files.emptyTitle)).toBeVisible()

  await slow.free()
  await queue.getByRole('button', { name: w.transfers.retryOne('long.bin') }).click()
  await expect(queue).toContainText(w.transfers.queueDone(1))
  await expect.poll(() => used(user.token)).toBe(30_000_000)
})

test('pauses and resumes an upload', { tag: '@long' }, async ({ page, user, file, t }) => {
  const w = filesWords(t)
  const slow = await throttle(page, 4_000_000)
  const { path, bytes } = file('paused.bin', 24_000_000)
  const offsets: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset'] ?? '')
  })
  await uploadTo(page, t, 'files', path)
  const queue = queueOf(page, w)
  // Resuming needs the first chunk of 16 MiB to be stored.
  await expect.poll(() => offsets.length, { timeout: 30_000 }).toBe(2)
  await queue.getByRole('button', { name: w.transfers.pauseOne('paused.bin') }).click()
  await expect(queue).toContainText(w.transfers.state.paused)
  await expect(queue).toContainText(w.transfers.queuePaused(1))
  expect(await accessibilityViolations(page)).toEqual([])
  await slow.free()
  await queue.getByRole('button', { name: w.transfers.resumeOne('paused.bin') }).click()
  await expect(queue).toContainText(w.transfers.queueDone(1), { timeout: 30_000 })
  expect(Number(offsets[2])).toBeGreaterThanOrEqual(16 << 20)
  expect(await used(user.token)).toBe(bytes.length)
})

test('an upload continues by itself after the computer slept', { tag: '@long' }, async ({
  page,
  user,
  file,
  expected,
  t,
}) => {
  const w = filesWords(t)
  expected.push(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_IO_SUSPENDED|ERR_FAILED/)
  await page.clock.install()
  const slow = await throttle(page, 4_000_000)
  const { path, bytes } = file('asleep.bin', 24_000_000)
  const offsets: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset'] ?? '')
  })
  await uploadTo(page, t, 'files', path)
  const queue = queueOf(page, w)
  await expect.poll(() => offsets.length, { timeout: 30_000 }).toBe(2)
  // Not `free` before: the rest would arrive before the network is gone.
  await slow.cut()
  await page.clock.fastForward('20:00')
  await expect(async () => {
    // Attempts that follow each other wait longer and longer.
    await page.clock.fastForward(30_000)
    await expect(queue).toContainText(w.transfers.state.offline, { timeout: 100 })
  }).toPass()
  expect(await accessibilityViolations(page)).toEqual([])
  await slow.free()
  await expect(queue).toContainText(w.transfers.queueDone(1), { timeout: 30_000 })
  expect(Number(offsets.at(-1))).toBeGreaterThanOrEqual(16 << 20)
  expect(await used(user.token)).toBe(bytes.length)
})

test('resumes an upload after a reload when the same file is selected', async ({ page, user, file, t }) => {
  const w = filesWords(t)
  const slow = await throttle(page, 4_000_000)
  const { path, bytes } = file('cut off.bin', 24_000_000)
  const offsets: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset'] ?? '')
  })
  page.on('dialog', (dialog) => void dialog.accept())
  await uploadTo(page, t, 'files', path)
  await expect.poll(() => offsets.length, { timeout: 30_000 }).toBe(2)
  await page.reload()
  await slow.free()
  await expect(page.getByText(w.upload.unfinished(1))).toBeVisible()

  const choose = async (what: string) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: w.upload.unfinishedChoose }).click()
    await (await chooser).setFiles(what)
  }
  await choose(file('another.bin', 1000).path)
  await expect(page.getByText(w.upload.unfinishedOther)).toBeVisible()
  await choose(path)
  await expect(queueOf(page, w)).toContainText(w.transfers.queueDone(1), { timeout: 30_000 })
  expect(Number(offsets.at(-1))).toBeGreaterThanOrEqual(16 << 20)
  expect(await used(user.token)).toBe(bytes.length)
  await expect(page.getByText(w.upload.unfinished(1))).toBeHidden()
})

test('uploads twenty files through the queue and shows the reason of each failure', { tag: '@long' }, async ({
  page,
  user,
  file,
  t,
}) => {
  const w = filesWords(t)
  const files = Array.from(
    { length: 20 },
    (_, index) => file(`queue ${index}.bin`, index === 7 ? 0 : 2000 + index).path,
  )
  await uploadTo(page, t, 'files', files)
  const queue = queueOf(page, w)
  await expect(queue).toContainText(w.transfers.queueDone(19), { timeout: 40_000 })
  await expect(queue).toContainText(w.transfers.queueFailed(1))
  const { total } = await data<{ total: number }>('folders.contents', {}, user.token)
  expect(total).toBe(19)
})

test('replacing a file keeps what it contained as a version, which can be restored and deleted with undo', async ({
  page,
  user,
  file,
  t,
}) => {
  const w = filesWords(t)
  const { versions: v } = w
  const queue = queueOf(page, w)
  const upload = (content: string) => uploadTo(page, t, 'files', file('tide.txt', Buffer.from(content)).path)
  const done = async () => {
    await expect(queue).toContainText(w.transfers.queueDone(1))
    await page.getByRole('button', { name: w.transfers.clear }).click()
  }
  await upload('ebb')
  await done()
  await upload('flood tide')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: w.conflicts.replace }).click()
  await expect(dialog).toContainText(w.conflicts.replaceVersion)
  await dialog.getByRole('button', { name: w.conflicts.go }).click()
  await done()
  const { total, list } = await data<{
    total: number
    list: { AssetOverview: { UserAssetDetail: { Version: number } } }[]
  }>('folders.contents', {}, user.token)
  expect([total, list[0]?.AssetOverview.UserAssetDetail.Version]).toEqual([1, 2])
  expect((await data<{ total: number }>('trash.list', {}, user.token)).total).toBe(0)

  await act(page, t, 'tide.txt', w.files.details)
  const section = page.getByRole('region', { name: v.title })
  await expect(section).toContainText(v.version(1))
  expect(await accessibilityViolations(page)).toEqual([])
  await section.getByRole('button', { name: v.preview(1) }).click()
  const preview = page.getByRole('dialog', { name: 'tide.txt' }).last()
  await expect(preview.getByText('ebb')).toBeVisible()
  await page.keyboard.press('Escape')
  await section.getByRole('button', { name: v.remove(1) }).click()
  await expect(section.getByRole('button', { name: v.undelete(1) })).toBeVisible()
  // Messages lie above the panel, and closing one leaves it open.
  await page
    .getByRole('status')
    .filter({ hasText: v.wasRemoved(1) })
    .getByRole('button', { name: t.words.close })
    .click()
  await section.getByRole('button', { name: v.undelete(1) }).click()
  await section.getByRole('button', { name: v.restore(1) }).click()
  await expect(section).toContainText(v.version(2))
  await expect(section).toContainText(v.version(1))
})

test('cancelling one of three downloads lets the others finish', { tag: '@long' }, async ({ page, file, t }) => {
  const w = filesWords(t)
  const files = ['one.bin', 'two.bin', 'three.bin'].map((name) => file(name, 9_000_000))
  await uploadTo(
    page,
    t,
    'files',
    files.map(({ path }) => path),
  )
  await expect(queueOf(page, w)).toContainText(w.transfers.queueDone(3), { timeout: 30_000 })
  await page.getByRole('button', { name: w.transfers.clear }).click()
  const slow = await throttle(page, -1, 1_000_000)
  const saved: string[] = []
  page.on('download', (download) => void saved.push(download.suggestedFilename()))
  const dialog = page.getByRole('dialog')
  for (const name of ['one.bin', 'two.bin', 'three.bin']) {
    await act(page, t, name, t.words.download)
    await expect(dialog.getByText(name, { exact: true })).toBeVisible()
    if (name !== 'three.bin') await dialog.getByRole('button', { name: w.transfers.background }).click()
  }
  for (const name of ['one.bin', 'two.bin', 'three.bin'])
    await expect(dialog.getByRole('progressbar', { name: w.transfers.progressOf(name) })).toBeVisible()
  await expect(dialog.getByText(w.transfers.speed).first()).toBeVisible()
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: w.transfers.cancelOne('two.bin') }).click()
  await expect(dialog.getByText(w.transfers.cancelled)).toBeVisible()
  await slow.free()
  await expect.poll(() => [...saved].sort(), { timeout: 30_000 }).toEqual(['one.bin', 'three.bin'])
})

test('downloads several files and folders as one tar or ZIP with their paths', async ({
  page,
  user,
  file,
  t,
}, info) => {
  const w = filesWords(t)
  const coast = await data<{ group: { ID: number } }>('folders.create', { name: 'Coast', parent: 0 }, user.token)
  await data('folders.create', { name: 'Empty', parent: coast.group.ID }, user.token)
  const [large, small] = [file('large.bin', 6_000_000), file('小.txt', Buffer.from('tide'))]
  await uploadTo(page, t, 'files', [large.path, small.path])
  await expect(queueOf(page, w)).toContainText(w.transfers.queueDone(2), { timeout: 30_000 })
  await page.getByRole('button', { name: w.transfers.clear }).click()
  const { list } = await data<{
    list: { AssetOverview: { AssetRecord: { CID: string }; UserAssetDetail: { AssetName: string } } | null }[]
  }>('folders.contents', {}, user.token)
  const inside = list.find((item) => item.AssetOverview?.UserAssetDetail.AssetName === '小.txt')?.AssetOverview
  await data('assets.move', { asset_cid: inside?.AssetRecord.CID ?? '', group_id: coast.group.ID }, user.token)
  await page.reload()
  await page.getByRole('checkbox', { name: w.files.selectAll }).waitFor()
  const clicks = await countClicks(page)
  await page.getByRole('checkbox', { name: w.files.selectAll }).click()
  const saved = await downloaded(page, () =>
    page.getByRole('toolbar').getByRole('button', { name: w.files.downloadTar }).click(),
  )
  expect(await clicks()).toBe(2)
  expect(saved.name).toBe(`${w.files.archiveName(2)}.tar`)
  const into = info.outputPath('tar')
  mkdirSync(into, { recursive: true })
  execFileSync('tar', ['-xf', '-'], { cwd: into, input: saved.bytes })
  const found = readdirSync(into, { recursive: true, withFileTypes: true }).map((entry) =>
    relative(into, join(entry.parentPath, entry.name)),
  )
  expect(found.sort()).toEqual(['Coast', 'Coast/Empty', 'Coast/小.txt', 'large.bin'].sort())
  expect(readFileSync(join(into, 'large.bin')).equals(large.bytes)).toBe(true)
  await expect(page.getByRole('dialog').getByText(w.transfers.verifiedFrom)).toBeVisible()
  await page.keyboard.press('Escape')

  const zip = await downloaded(page, () =>
    page.getByRole('toolbar').getByRole('button', { name: w.files.downloadZip }).click(),
  )
  expect(zip.name).toBe(`${w.files.archiveName(2)}.zip`)
  const read = await fromBufferPromise(zip.bytes, { lazyEntries: true, autoClose: false })
  const entries = new Map<string, Buffer>()
  for await (const entry of read.eachEntry())
    entries.set(entry.fileName, await buffer(await read.openReadStreamPromise(entry)))
  expect([...entries.keys()]).toEqual(['Coast/Empty/', 'Coast/小.txt', 'large.bin'])
  expect(entries.get('Coast/小.txt')?.toString()).toBe('tide')
  expect(entries.get('large.bin')?.equals(large.bytes)).toBe(true)
})

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })

    test('the upload page uploads files to a folder and shows the results', { tag: '@long' }, async ({
      page,
      user,
      at,
      file,
      t,
    }) => {
      const w = filesWords(t)
      await data('folders.create', { name: 'Harbour', parent: 0 }, user.token)
      await page.goto(at('/upload'))
      await page.getByRole('button', { name: w.upload.change }).click()
      await page.getByRole('radio', { name: 'Harbour' }).check({ force: true })
      await page.getByRole('button', { name: w.upload.chooseThis }).click()
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: w.files.uploadFiles, exact: true }).click()
      await (await chooser).setFiles(file('chart.bin', 40_000).path)
      const results = page.getByRole('region', { name: w.upload.results })
      await expect(results).toContainText('chart.bin')
      expect(await accessibilityViolations(page)).toEqual([])
      await results.getByRole('link', { name: w.upload.showInFolder }).click()
      await expect(page.getByRole('button', { name: 'chart.bin', exact: true })).toBeVisible()
      await expect(page.getByRole('navigation', { name: w.files.path })).toContainText('Harbour')
    })

    test('asks about name conflicts once per batch', async ({ page, user, file, t }) => {
      const w = filesWords(t)
      const names = async () =>
        (
          await data<{ list: { AssetOverview: { UserAssetDetail: { AssetName: string } } }[] }>(
            'folders.contents',
            { sort: 'name' },
            user.token,
          )
        ).list.map((item) => item.AssetOverview.UserAssetDetail.AssetName)
      const upload = (marks: string) =>
        uploadTo(page, t, 'files', [
          file('a.txt', Buffer.from(`a ${marks}`)).path,
          file('b.txt', Buffer.from(`b ${marks}`)).path,
        ])
      const done = async () => {
        await expect(queueOf(page, w)).toContainText(w.transfers.queueDone(2))
        await page.getByRole('button', { name: w.transfers.clear }).click()
      }
      await upload('first')
      await done()
      const dialog = page.getByRole('dialog')
      await upload('second')
      await expect(dialog.getByText(w.conflicts.title(2))).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      await dialog.getByRole('button', { name: w.conflicts.go }).click()
      await done()
      expect(await names()).toEqual(['a (2).txt', 'a.txt', 'b (2).txt', 'b.txt'])

      await upload('third')
      await dialog.getByRole('radio', { name: w.conflicts.replace }).click()
      await dialog.getByRole('button', { name: w.conflicts.go }).click()
      await done()
      expect(await names()).toEqual(['a (2).txt', 'a.txt', 'b (2).txt', 'b.txt'])
      // What they contained is kept as versions.
      expect((await data<{ total: number }>('trash.list', {}, user.token)).total).toBe(0)

      await upload('fourth')
      await dialog.getByRole('checkbox', { name: w.conflicts.all(2) }).click()
      await dialog.getByRole('radio', { name: w.conflicts.skip }).click()
      await dialog.getByRole('button', { name: w.conflicts.go }).click()
      await expect(dialog.getByText('b.txt', { exact: true })).toBeVisible()
      await dialog.getByRole('radio', { name: w.conflicts.both }).click()
      await dialog.getByRole('button', { name: w.conflicts.go }).click()
      await expect(queueOf(page, w)).toContainText(w.transfers.queueDone(1))
      expect(await names()).toHaveLength(5)
    })
  })
