import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import {
  accessibilityViolations,
  act,
  countClicks,
  data,
  expect,
  filesWords,
  type TestUser,
  type Texts,
  test,
  throttle,
  uploadTo,
  viewsFor,
} from './test-env.ts'

/** Writes a folder with these files. @returns its path */
function folderOn(disk: string, name: string, files: Record<string, string | Buffer>): string {
  const folder = join(disk, name)
  rmSync(folder, { recursive: true, force: true })
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content)
  }
  return folder
}

interface Listed {
  Group: { ID: number; Name: string; Encrypted: boolean } | null
  AssetOverview: {
    AssetRecord: { CID: string }
    UserAssetDetail: { AssetName: string; AssetType: string; Version: number; TotalSize: number; Encrypted: boolean }
  } | null
}
/** The items of a folder by name; folders end in `/`. */
async function listOf(user: TestUser, parent = 0): Promise<Map<string, Listed>> {
  const { list } = await data<{ list: Listed[] }>('folders.contents', { parent, page_size: 100 }, user.token)
  return new Map(
    list.map((item) => [
      item.Group ? `${item.Group.Name}/` : (item.AssetOverview?.UserAssetDetail.AssetName ?? ''),
      item,
    ]),
  )
}
const idOf = (items: Map<string, Listed>, name: string): number => items.get(`${name}/`)?.Group?.ID ?? -1
const versionOf = (items: Map<string, Listed>, name: string) => items.get(name)?.AssetOverview?.UserAssetDetail.Version

const queueOf = (page: Page, t: Texts) => page.getByRole('region', { name: filesWords(t).transfers.queueTitle })

for (const view of viewsFor('wide'))
  test.describe(`${view.name}: a folder is uploaded`, () => {
    test.use({ view })
    test.beforeEach(async ({ page, user, signIn, at, t }) => {
      await signIn(page, user)
      await page.goto(at('/fileStorage'))
      await expect(page.getByText(filesWords(t).files.emptyTitle)).toBeVisible()
    })

    test('file by file: they are listed, found, shared, and merged again', async ({ page, user, at, t }, info) => {
      test.slow()
      const w = filesWords(t)
      const queue = queueOf(page, t)
      const files = {
        'readme.txt': 'low tide at six',
        'day 1/beach.txt': 'sand',
        'day 1/shore.txt': 'sand',
        'day 1/深/nested.txt': '深',
      }
      const clicks = await countClicks(page)
      await uploadTo(page, t, 'folder', folderOn(info.outputDir, 'holiday', { ...files, 'day 1/empty.txt': '' }))
      await expect(queue).toContainText(w.transfers.queueDone(1))
      // What cannot be stored is named, and does not stop the rest.
      await expect(queue).toContainText(w.transfers.leftOut(1))
      await expect(queue).toContainText(w.transfers.folderOf(4))
      expect(await accessibilityViolations(page)).toEqual([])
      await queue.getByRole('link', { name: w.transfers.openFolder('holiday') }).click()
      await expect(page.getByRole('link', { name: 'day 1', exact: true }).first()).toBeVisible()
      expect(await clicks()).toBe(3)
      await expect(page.getByRole('button', { name: 'readme.txt', exact: true })).toBeVisible()
      await page.getByRole('button', { name: w.transfers.clear }).click()

      await page.getByRole('searchbox', { name: w.view.search }).fill('nested')
      await expect(page.getByRole('button', { name: 'nested.txt', exact: true })).toBeVisible()
      await expect(page.getByText(w.view.in(`${w.files.root} / holiday / day 1 / 深`))).toBeVisible()
      await act(page, t, 'nested.txt', w.files.share)
      await expect(page.getByRole('dialog')).toContainText('nested.txt')
      await page.keyboard.press('Escape')
      await page.getByRole('searchbox', { name: w.view.search }).fill('')
      await expect(page.getByRole('button', { name: 'readme.txt', exact: true })).toBeVisible()

      // Again with one changed and one new file: the others are not sent.
      await page.getByRole('navigation', { name: w.files.path }).getByRole('link', { name: w.files.root }).click()
      await expect(page.getByRole('link', { name: 'holiday', exact: true }).first()).toBeVisible()
      await expect(page).toHaveURL(/fileStorage$/)
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/get_upload_infos')) sent.push(request.postData() ?? '')
      })
      const again = folderOn(info.outputDir, 'holiday', { ...files, 'readme.txt': 'high tide', 'day 2/new.txt': 'new' })
      const before = await clicks()
      await uploadTo(page, t, 'folder', again)
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByRole('radio', { name: w.conflicts.mergeReplace })).toBeChecked()
      await expect(dialog.getByRole('radio')).toHaveCount(4)
      expect(await accessibilityViolations(page)).toEqual([])
      await dialog.getByRole('button', { name: w.conflicts.go }).click()
      await expect(queue).toContainText(w.transfers.queueDone(1))
      expect((await clicks()) - before).toBe(3)
      const top = await listOf(user)
      expect([...top.keys()]).toEqual(['holiday/'])
      const inside = await listOf(user, idOf(top, 'holiday'))
      expect([...inside.keys()].sort()).toEqual(['day 1/', 'day 2/', 'readme.txt'])
      expect(versionOf(inside, 'readme.txt')).toBe(2)
      expect(sent.flatMap((body) => (JSON.parse(body) as { files: unknown[] }).files)).toHaveLength(2)
      expect(versionOf(await listOf(user, idOf(inside, 'day 1')), 'beach.txt')).toBe(1)

      // Two files with the same content are two files, also in previews.
      await page.goto(at(`/fileStorage?folder=${idOf(inside, 'day 1')}&sort=name&direction=asc`))
      await page.getByRole('button', { name: 'beach.txt', exact: true }).press('Enter')
      await expect(page.getByRole('dialog', { name: 'beach.txt' })).toBeVisible()
      await expect(page.getByRole('dialog').getByText('sand')).toBeVisible()
      await page.keyboard.press('ArrowRight')
      await expect(page.getByRole('dialog', { name: 'shore.txt' })).toBeVisible()
      await page.keyboard.press('ArrowLeft')
      await expect(page.getByRole('dialog', { name: 'beach.txt' })).toBeVisible()
      await page.keyboard.press('Escape')
    })

    test('beside one of the same name, or adding new files only', { tag: '@long' }, async ({ page, user, t }, info) => {
      const w = filesWords(t)
      const queue = queueOf(page, t)
      const uploaded = async (content: string, answer?: string) => {
        const files = { 'a.txt': content, [`${content}.txt`]: content }
        await uploadTo(page, t, 'folder', folderOn(info.outputDir, 'album', files))
        if (answer) {
          await page.getByRole('dialog').getByRole('radio', { name: answer, exact: true }).click()
          await page.getByRole('dialog').getByRole('button', { name: w.conflicts.go }).click()
        }
        await expect(queue).toContainText(w.transfers.queueDone(1))
        await page.getByRole('button', { name: w.transfers.clear }).click()
      }
      await uploaded('first')
      await uploaded('second', w.conflicts.apart)
      await uploaded('third', w.conflicts.mergeSkip)
      await uploaded('fourth', w.conflicts.mergeBoth)
      const top = await listOf(user)
      expect([...top.keys()].sort()).toEqual(['album (2)/', 'album/'])
      const album = await listOf(user, idOf(top, 'album'))
      expect([...album.keys()].sort()).toEqual(['a (2).txt', 'a.txt', 'first.txt', 'fourth.txt', 'third.txt'])
      expect(versionOf(album, 'a.txt')).toBe(1)
    })

    test('with the keyboard alone', { tag: '@long' }, async ({ page, user, t }, info) => {
      const w = filesWords(t)
      await data('folders.create', { name: 'holiday', parent: 0 }, user.token)
      await page.reload()
      await expect(page.getByRole('link', { name: 'holiday', exact: true }).first()).toBeVisible()
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: w.files.upload, exact: true }).focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('menuitem', { name: w.files.uploadFiles, exact: true })).toBeFocused()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await (await chooser).setFiles(folderOn(info.outputDir, 'holiday', { 'a.txt': 'a', 'none.txt': '' }))
      const dialog = page.getByRole('dialog')
      await expect(dialog).toBeVisible()
      await dialog.getByRole('radio', { name: w.conflicts.mergeReplace }).focus()
      await page.keyboard.press('ArrowDown')
      await expect(dialog.getByRole('radio', { name: w.conflicts.mergeSkip })).toBeChecked()
      await dialog.getByRole('button', { name: w.conflicts.go }).focus()
      await page.keyboard.press('Enter')
      const queue = queueOf(page, t)
      await expect(queue).toContainText(w.transfers.leftOut(1))
      await queue.getByText(w.transfers.showLeftOut(1)).focus()
      await page.keyboard.press('Enter')
      await expect(queue.getByRole('list', { name: w.transfers.leftOutOf('holiday') })).toContainText('none.txt')
      expect(await accessibilityViolations(page)).toEqual([])
      await queue.getByRole('link', { name: w.transfers.openFolder('holiday') }).focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('button', { name: 'a.txt', exact: true })).toBeVisible()
    })

    test('as one sealed file on request', async ({ page, user, t }, info) => {
      const w = filesWords(t)
      await page.getByRole('button', { name: w.files.upload, exact: true }).click()
      await page.getByRole('menuitem', { name: w.files.uploadOptions }).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog).toContainText(w.transfers.sealedHint)
      await dialog.getByRole('checkbox', { name: w.transfers.sealed }).click()
      expect(await accessibilityViolations(page)).toEqual([])
      const chooser = page.waitForEvent('filechooser')
      await dialog.getByRole('button', { name: w.transfers.chooseFolder }).click()
      await (await chooser).setFiles(folderOn(info.outputDir, 'album', { 'a.txt': 'a', 'b/c.txt': 'c' }))
      await expect(queueOf(page, t)).toContainText(w.transfers.queueDone(1))
      const album = (await listOf(user)).get('album')
      expect(album?.AssetOverview?.UserAssetDetail.AssetType).toBe('folder')
      expect(album?.AssetOverview?.AssetRecord.CID).toMatch(/^baf/)
    })

    test(
      'with pauses, also after a reload, without sending files twice',
      { tag: '@long' },
      async ({ page, user, t }, info) => {
        test.slow()
        const w = filesWords(t)
        const queue = queueOf(page, t)
        const folder = folderOn(info.outputDir, 'slow', {
          'small.txt': 'small',
          ...Object.fromEntries([1, 2, 3, 4].map((number) => [`part ${number}.bin`, randomBytes(3_000_000)])),
        })
        const added: string[] = []
        page.on('request', (request) => {
          if (request.url().includes('/create_assets'))
            for (const { asset_name } of (JSON.parse(request.postData() ?? '{}') as { files: { asset_name: string }[] })
              .files)
              added.push(asset_name)
        })
        page.on('dialog', (dialog) => void dialog.accept())
        const slow = await throttle(page, 1_500_000)
        await uploadTo(page, t, 'folder', folder)
        await expect(queue).toContainText(w.transfers.filesOf(1, 5))
        await expect
          .poll(async () => [...(await listOf(user, idOf(await listOf(user), 'slow'))).keys()])
          .toEqual(['small.txt'])
        await queue.getByRole('button', { name: w.transfers.pauseOne('slow') }).click()
        await expect(queue).toContainText(w.transfers.state.paused)
        await queue.getByRole('button', { name: w.transfers.resumeOne('slow') }).click()
        await expect(queue).toContainText(w.transfers.state.uploading)

        await page.reload()
        await slow.free()
        await expect(page.getByText(w.upload.unfinished(1))).toBeVisible()
        await expect(page.getByText(w.upload.unfinishedTree('slow', 4, 5))).toBeVisible()
        expect(await accessibilityViolations(page)).toEqual([])
        const choose = async (path: string) => {
          const chooser = page.waitForEvent('filechooser')
          await page.getByRole('button', { name: w.upload.unfinishedChooseFolder }).click()
          await (await chooser).setFiles(path)
        }
        await choose(folderOn(info.outputDir, 'other', { 'a.txt': 'a' }))
        await expect(page.getByText(w.upload.unfinishedOther)).toBeVisible()
        await choose(folder)
        await expect(queue).toContainText(w.transfers.queueDone(1), { timeout: 30_000 })
        expect(added.sort()).toEqual(['part 1.bin', 'part 2.bin', 'part 3.bin', 'part 4.bin', 'small.txt'])
        expect((await listOf(user, idOf(await listOf(user), 'slow'))).size).toBe(5)
        await expect(page.getByText(w.upload.unfinished(1))).toBeHidden()
      },
    )

    test('in part, if it is cancelled: what was sent stays', { tag: '@long' }, async ({ page, user, t }, info) => {
      const w = filesWords(t)
      const queue = queueOf(page, t)
      const slow = await throttle(page, 1_000_000)
      const files = { 'small.txt': 'small', 'large.bin': randomBytes(20_000_000) }
      await uploadTo(page, t, 'folder', folderOn(info.outputDir, 'partly', files))
      await expect(queue).toContainText(w.transfers.filesOf(1, 2))
      await queue.getByRole('button', { name: w.transfers.cancelOne('partly') }).click()
      await expect(queue).toContainText(w.transfers.cancelledFolder)
      expect([...(await listOf(user, idOf(await listOf(user), 'partly'))).keys()]).toEqual(['small.txt'])
      await slow.free()
      await queue.getByRole('button', { name: w.transfers.retryOne('partly') }).click()
      await expect(queue).toContainText(w.transfers.queueDone(1), { timeout: 30_000 })
      expect((await listOf(user, idOf(await listOf(user), 'partly'))).size).toBe(2)
    })
  })
