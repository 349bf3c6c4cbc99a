import type { AssetOverview, Group, ListItem } from '@tidenet/contract'
import type { Storage } from '@tidenet/storage'
import { CommandError } from './command-error.ts'
import { isCid, joinPath, namesIn, splitPath } from './paths.ts'
import { call } from './portal.ts'
import { texts } from './texts.ts'

export type FolderPlace = { kind: 'folder'; id: number; name: string; path: string; group: Group | undefined }
export type AssetPlace = {
  kind: 'asset'
  cid: string
  name: string
  path: string
  folder: number
  asset: AssetOverview
}
/** A file or folder in the account. The root is folder 0 without a name. */
export type Place = FolderPlace | AssetPlace

export const ROOT: FolderPlace = { kind: 'folder', id: 0, name: '', path: '/', group: undefined }

const PAGE = 100

/** All items of a folder, page by page: folders, then files, newest first. */
export async function* itemsOf(storage: Storage, parent: number): AsyncGenerator<ListItem> {
  for (let page = 1; ; page++) {
    const { list, total } = await call(storage, 'folders.contents', { parent, page, page_size: PAGE })
    yield* list
    if (list.length === 0 || page * PAGE >= total) return
  }
}

/** Converts a list item of the folder at `path`. */
export function placeOf({ Group: group, AssetOverview: asset }: ListItem, path: string): Place {
  if (group) return { kind: 'folder', id: group.ID, name: group.Name, path: joinPath(path, group.Name), group }
  const { Cid, AssetName, GroupID } = asset!.UserAssetDetail
  return { kind: 'asset', cid: Cid, name: AssetName, path: joinPath(path, AssetName), folder: GroupID, asset: asset! }
}

async function folderNamed(storage: Storage, parent: FolderPlace, name: string): Promise<FolderPlace | undefined> {
  for await (const item of itemsOf(storage, parent.id)) {
    if (!item.Group) return undefined
    if (item.Group.Name === name) return placeOf(item, parent.path) as FolderPlace
  }
  return undefined
}

/** The folder at a path; `/` and the empty path are the root. @throws CommandError 'notFound' */
export async function folderAt(storage: Storage, path: string): Promise<FolderPlace> {
  let place = ROOT
  for (const name of namesIn(path)) {
    const next = await folderNamed(storage, place, name)
    if (!next) throw new CommandError(texts.noSuchFolder(path), 'notFound')
    place = next
  }
  return place
}

/** The folder at a path; missing folders are created. */
export async function makeFolders(storage: Storage, path: string): Promise<FolderPlace> {
  let place = ROOT
  for (const name of namesIn(path))
    place = (await folderNamed(storage, place, name)) ?? (await makeFolder(storage, place, name))
  return place
}

export async function makeFolder(storage: Storage, parent: FolderPlace, name: string): Promise<FolderPlace> {
  const { group } = await call(storage, 'folders.create', { name, parent: parent.id })
  return { kind: 'folder', id: group.ID, name: group.Name, path: joinPath(parent.path, group.Name), group }
}

/** Items of a folder with this name. */
export async function childrenNamed(storage: Storage, parent: FolderPlace, name: string): Promise<Place[]> {
  const found: Place[] = []
  for await (const item of itemsOf(storage, parent.id)) {
    const place = placeOf(item, parent.path)
    if (place.name === name) found.push(place)
  }
  return found
}

/** The item at a path or with a CID. @throws CommandError 'notFound', or 'failed' if there are several */
export async function placeAt(storage: Storage, path: string): Promise<Place> {
  if (isCid(path)) {
    const { AssetOverview: asset, path: above } = await call(storage, 'folders.item', { cid: path })
    if (!asset) throw new CommandError(texts.noSuch(path), 'notFound')
    return placeOf({ AssetOverview: asset, Group: null }, `/${above.map(({ Name }) => Name).join('/')}`)
  }
  const parts = splitPath(path)
  if (!parts) return ROOT
  // A trailing slash means a folder.
  if (path.endsWith('/')) return folderAt(storage, path)
  const parent = await folderAt(storage, parts.folder).catch((error: CommandError) => {
    throw error.exit === 'notFound' ? new CommandError(texts.noSuch(path), 'notFound') : error
  })
  const [place, another] = await childrenNamed(storage, parent, parts.name)
  if (!place) throw new CommandError(texts.noSuch(path), 'notFound')
  if (another) throw new CommandError(texts.several(path))
  return place
}

/** As `placeAt`, but not the root. @throws CommandError 'usage' for the root */
export async function itemAt(storage: Storage, path: string): Promise<Place> {
  const place = await placeAt(storage, path)
  if (place.kind === 'folder' && place.id === 0) throw new CommandError(texts.rootStays, 'usage')
  return place
}
