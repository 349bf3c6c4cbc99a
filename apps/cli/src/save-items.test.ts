import type { Storage } from '@tidenet/storage'
import { expect, it } from 'vitest'
import { type FolderPlace, ROOT } from './places.ts'
import { itemsBelow, renamedIn, type SaveItem } from './save-items.ts'

/** An account with one folder of files. */
function account(files: { name: string; cid: string }[]): Storage {
  const list = files.map(({ name, cid }) => ({
    Group: null,
    AssetOverview: { UserAssetDetail: { Cid: cid, AssetName: name, GroupID: 0, AssetType: 'file', TotalSize: 1 } },
  }))
  const call = async () => ({ code: 0, data: { list, total: list.length } })
  return { api: { call } } as unknown as Storage
}

async function paths(files: { name: string; cid: string }[]): Promise<string[]> {
  const found: string[] = []
  for await (const { path } of itemsBelow(account(files), ROOT, 'to', false)) found.push(path)
  return found
}

const long = (end: string) => `${'夏'.repeat(250)}${end}.jpg`

it.each([
  [
    'one content under three names that are cut to one',
    ['1', '2', '3'].map((end) => ({ name: long(end), cid: 'bafy12345678' })),
  ],
  [
    'a name that looks like the mark of another',
    [
      { name: 'a (12345678).txt', cid: 'bafyaaaaaaaa' },
      { name: 'a.txt', cid: 'bafybbbbbbbb' },
      { name: 'A.txt', cid: 'bafy12345678' },
    ],
  ],
])('no copy replaces another: %s', async (_, files) => {
  const all = (await paths(files)).map((path) => path.normalize('NFC').toLowerCase())
  expect(new Set(all).size).toBe(files.length)
  for (const path of all) expect(Buffer.byteLength(path.slice(3))).toBeLessThanOrEqual(255)
})

it('names every copy that has another name than its original, and each folder once', () => {
  const folder: FolderPlace = { kind: 'folder', id: 1, name: 'top', path: '/a/top', group: undefined }
  const item = (path: string, copy: string, AssetType = 'file'): SaveItem =>
    ({
      place: { kind: 'asset', path: `/a/top/${path}`, asset: { UserAssetDetail: { AssetType } } },
      path: `to/${copy}`,
      base: 'to',
      inTree: true,
    }) as SaveItem
  const items = [
    item('same.txt', 'same.txt'),
    item('a:b/one', 'a_b/one'),
    item('a:b/two', 'a_b/two'),
    item('a:b/CON', 'a_b/_CON'),
    item('sealed', 'sealed.tar', 'folder'),
    item('Sealed.TAR', 'Sealed.tar', 'folder'),
    item('sealed ', 'sealed (12345678).tar', 'folder'),
  ]
  expect(renamedIn(folder, items)).toEqual([
    { from: '/a/top/a:b', to: 'to/a_b' },
    { from: '/a/top/a:b/CON', to: 'to/a_b/_CON' },
    { from: '/a/top/sealed ', to: 'to/sealed (12345678).tar' },
  ])
  expect(
    renamedIn(ROOT, [{ ...items[0]!, path: 'to/top/same.txt', place: { ...items[0]!.place, path: '/top/same.txt' } }]),
  ).toEqual([])
})
