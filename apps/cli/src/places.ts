import type { Group, ListItem } from '@tidenet/contract'
import type { Storage } from '@tidenet/storage'
import { dataOf, Failed } from './output.ts'
import { texts } from './texts.ts'

type Overview = NonNullable<ListItem['AssetOverview']>

/** Something in the account, by its path or CID. */
export type Place =
  | { kind: 'folder'; id: number; path: string; group: Group | undefined }
  | { kind: 'asset'; cid: string; name: string; folder: number; asset: Overview }

const PAGE = 100

/** All items of a folder, page after page. */
export async function* itemsOf(storage: Storage, parent: number): AsyncGenerator<ListItem> {
  for (let page = 1; ; page++) {
    const { list, total } = dataOf(await storage.api.call('folders.contents', { parent, page, page_size: PAGE }))
    yield* list
    if (page * PAGE >= total) return
  }
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.')

async function childrenNamed(storage: Storage, parent: number, name: string): Promise<ListItem[]> {
  const found: ListItem[] = []
  for await (const item of itemsOf(storage, parent))
    if ((item.Group?.Name ?? item.AssetOverview?.UserAssetDetail.AssetName) === name) found.push(item)
  return found
}

/** The folder of a path; `/` and the empty path are the root. @throws Failed */
export async function folderAt(storage: Storage, path: string): Promise<Extract<Place, { kind: 'folder' }>> {
  let place: Extract<Place, { kind: 'folder' }> = { kind: 'folder', id: 0, path: '/', group: undefined }
  for (const name of partsOf(path)) {
    const found = await childrenNamed(storage, place.id, name)
    const group = found.find((item) => item.Group)?.Group
    if (!group) throw new Failed(found.length > 0 ? texts.notAFolder(path) : texts.noSuch(path), 'notFound')
    place = { kind: 'folder', id: group.ID, path: `${place.path === '/' ? '' : place.path}/${name}`, group }
  }
  return place
}

/** What a path or a CID names. @throws Failed when there is nothing, or more than one */
export async function placeAt(storage: Storage, path: string): Promise<Place> {
  if (/^(bafy|bafk|Qm)[A-Za-z0-9]{40,}$/.test(path)) {
    const { AssetOverview: asset } = dataOf(await storage.api.call('folders.item', { cid: path }))
    if (!asset) throw new Failed(texts.noSuch(path), 'notFound')
    return assetPlace(asset)
  }
  const parts = partsOf(path)
  const name = parts.pop()
  if (name === undefined) return folderAt(storage, '/')
  const parent = await folderAt(storage, parts.join('/'))
  const found = await childrenNamed(storage, parent.id, name)
  const [item] = found
  if (!item) throw new Failed(texts.noSuch(path), 'notFound')
  if (found.length > 1) throw new Failed(texts.several(path))
  if (item.Group) return { kind: 'folder', id: item.Group.ID, path, group: item.Group }
  return assetPlace(item.AssetOverview as Overview)
}

function assetPlace(asset: Overview): Place {
  const { Cid, AssetName, GroupID } = asset.UserAssetDetail
  return { kind: 'asset', cid: Cid, name: AssetName, folder: GroupID, asset }
}
