import type { Page } from '@playwright/test'
import { test } from './share-helpers.ts'
import { accessibilityViolations, data, expect, type TestUser, throttle, viewsFor } from './test-env.ts'

/** Files above 8 MiB are sent in pieces of 16 MiB, which nodes keep. */
const SIZE = 24_000_000
const PIECE = 16 << 20

/** A link that receives files. */
async function linkOf(user: TestUser, files = 5): Promise<{ url: string; id: string; folder: number }> {
  const { group } = await data<{ group: { ID: number } }>('folders.create', { name: 'inbox' }, user.token)
  const limits = { upload_files: files, upload_bytes: 10 * SIZE }
  const { url, id } = await data<{ url: string; id: string }>(
    'shortLinks.create',
    { cid: String(group.ID), ...limits },
    user.token,
  )
  return { url, id, folder: group.ID }
}

/** How many files and bytes a link counts, and the names in its folder. */
async function received(user: TestUser, { id, folder }: { id: string; folder: number }) {
  const { list: links } = await data<{ list: { id: string; upload: { files: number; bytes: number } }[] }>(
    'shortLinks.list',
    {},
    user.token,
  )
  const { list } = await data<{ list: { AssetOverview: { UserAssetDetail: { AssetName: string } } }[] }>(
    'folders.contents',
    { parent: folder, page: 1, page_size: 10 },
    user.token,
  )
  return {
    counted: links.find((link) => link.id === id)?.upload,
    names: list.map(({ AssetOverview }) => AssetOverview.UserAssetDetail.AssetName),
  }
}

/** The offsets of the pieces that a page sends. */
function watchOffsets(page: Page): number[] {
  const offsets: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  return offsets
}

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })
    test.slow()

    test('a visitor’s upload continues by itself after the connection was cut, and counts once', {
      tag: '@long',
    }, async ({ visitor, user, file, expected, w }) => {
      expected.push(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_IO_SUSPENDED|ERR_FAILED/)
      const link = await linkOf(user)
      const friend = await visitor()
      await friend.goto(link.url)
      const offsets = watchOffsets(friend)
      const slow = await throttle(friend, 4_000_000)
      await friend.getByTestId('upload-by-link').setInputFiles([file('photos.zip', SIZE).path])
      await expect.poll(() => offsets.length, { timeout: 30_000 }).toBe(2)
      await slow.free()
      await friend.context().setOffline(true)
      await expect(friend.getByText(w.uploadLink.offline)).toBeVisible({ timeout: 60_000 })
      expect(await accessibilityViolations(friend)).toEqual([])
      await friend.context().setOffline(false)
      await expect(friend.getByText(w.uploadLink.done(1))).toBeVisible({ timeout: 30_000 })
      expect(offsets.at(-1)).toBeGreaterThanOrEqual(PIECE)
      expect(await received(user, link)).toEqual({
        counted: expect.objectContaining({ files: 1, bytes: SIZE }),
        names: ['photos.zip'],
      })
    })

    test('after a reload, which the page warns of, the same file continues and counts once', { tag: '@long' }, async ({
      visitor,
      user,
      file,
      w,
    }) => {
      const link = await linkOf(user)
      const friend = await visitor()
      await friend.goto(link.url)
      const offsets = watchOffsets(friend)
      const slow = await throttle(friend, 4_000_000)
      const { path } = file('photos.zip', SIZE)
      const choose = () => friend.getByTestId('upload-by-link').setInputFiles([path])
      await choose()
      await expect.poll(() => offsets.length, { timeout: 30_000 }).toBe(2)
      const warnings: string[] = []
      friend.on('dialog', (dialog) => {
        warnings.push(dialog.type())
        void dialog.accept()
      })
      await friend.reload()
      expect(warnings).toEqual(['beforeunload'])
      await slow.free()
      await expect(friend.getByText(w.uploadLink.unfinished(1))).toBeVisible()
      await expect(friend.getByText('photos.zip')).toBeVisible()
      expect(await accessibilityViolations(friend)).toEqual([])
      await choose()
      await expect(friend.getByText(w.uploadLink.done(1))).toBeVisible({ timeout: 30_000 })
      await expect(friend.getByText(w.uploadLink.unfinished(1))).toBeHidden()
      expect(offsets.at(-1)).toBeGreaterThanOrEqual(PIECE)
      expect(await received(user, link)).toEqual({
        counted: expect.objectContaining({ files: 1, bytes: SIZE }),
        names: ['photos.zip'],
      })
      await friend.reload()
      expect(warnings).toHaveLength(1)
    })

    test('a file counts once if the portal was away when it should confirm it', { tag: '@long' }, async ({
      visitor,
      user,
      file,
      expected,
      w,
    }) => {
      expected.push(/net::ERR_FAILED/)
      const link = await linkOf(user, 1)
      const friend = await visitor()
      await friend.goto(link.url)
      // The call arrives; its answer does not.
      await friend.route('**/upload_link/add', async (route) => {
        await route.fetch()
        await route.abort()
      })
      await friend.getByTestId('upload-by-link').setInputFiles([file('notes.txt', 1000).path])
      await expect(friend.getByText(w.uploadLink.offline)).toBeVisible({ timeout: 60_000 })
      await friend.unrouteAll({ behavior: 'ignoreErrors' })
      await expect(friend.getByText(w.uploadLink.done(1))).toBeVisible({ timeout: 60_000 })
      expect(await received(user, link)).toEqual({
        counted: expect.objectContaining({ files: 1, bytes: 1000 }),
        names: ['notes.txt'],
      })
    })

    test('files wait if the link gets a password meanwhile, and say why if it ends', async ({
      visitor,
      user,
      file,
      w,
    }) => {
      const link = await linkOf(user)
      const friend = await visitor()
      await friend.goto(link.url)
      const choose = (name: string) => friend.getByTestId('upload-by-link').setInputFiles([file(name, 1000).path])
      await choose('before.txt')
      await expect(friend.getByText(w.uploadLink.done(1))).toBeVisible()
      await data('shortLinks.update', { id: link.id, short_pass: 'Ebb123' }, user.token)
      await choose('meanwhile.txt')
      await friend.getByRole('textbox').fill('Ebb123')
      await friend.keyboard.press('Enter')
      await expect(friend.getByText(w.uploadLink.done(2))).toBeVisible()
      // A new ticket, without asking again.
      await data('shortLinks.update', { id: link.id, note: 'changed' }, user.token)
      await choose('after.txt')
      await expect(friend.getByText(w.uploadLink.done(3))).toBeVisible()
      await data('shortLinks.revoke', { id: link.id }, user.token)
      await choose('late.txt')
      await expect(friend.getByRole('listitem').getByRole('alert')).toBeVisible()
      await expect(friend.getByText('late.txt', { exact: true })).toBeVisible()
      expect((await received(user, link)).names.sort()).toEqual(['after.txt', 'before.txt', 'meanwhile.txt'])
    })
  })
