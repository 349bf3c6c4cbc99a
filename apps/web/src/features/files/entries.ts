import type { AssetOverview, Group, ListItem } from '@tidenet/contract'
import { ASSET_NAME_MAX, NAME_MAX } from '@tidenet/contract/constants'
import { SHARE } from '@tidenet/contract/storage-enums'
import { t } from './name-texts.ts'

/** The folders an entry lies in, from the root. */
export type Path = readonly { ID: number; Name: string }[]

/** A row of the list: a folder, or an asset (a file, or a folder that was uploaded as one). What a search finds knows its path. */
export type Entry =
  | { kind: 'folder'; key: string; group: Group; path?: Path }
  | { kind: 'asset'; key: string; asset: AssetOverview; path?: Path }

const known = new WeakMap<ListItem, Entry>()

/** The same item gives the same entry, so that rows that did not change are not drawn again. */
export function entryOf(item: ListItem & { path?: Path }): Entry | undefined {
  const before = known.get(item)
  if (before) return before
  const { AssetOverview, Group, path } = item
  const more = path && { path }
  const entry: Entry | undefined = Group
    ? { kind: 'folder', key: `folder ${Group.ID}`, group: Group, ...more }
    : AssetOverview
      ? { kind: 'asset', key: AssetOverview.AssetRecord.CID, asset: AssetOverview, ...more }
      : undefined
  if (entry) known.set(item, entry)
  return entry
}

export const nameOf = (entry: Entry): string =>
  entry.kind === 'folder' ? entry.group.Name : entry.asset.UserAssetDetail.AssetName

export const sizeOf = (entry: Entry): number =>
  entry.kind === 'folder' ? entry.group.AssetSize : entry.asset.UserAssetDetail.TotalSize

export const dateOf = (entry: Entry): string =>
  entry.kind === 'folder' ? entry.group.CreatedTime : entry.asset.UserAssetDetail.CreatedTime

/** The folder it lies in; 0 is the root. */
export const homeOf = (entry: Entry): number =>
  entry.kind === 'folder' ? entry.group.Parent : entry.asset.UserAssetDetail.GroupID

export const isShared = (entry: Entry): boolean =>
  (entry.kind === 'folder' ? entry.group.ShareStatus : entry.asset.UserAssetDetail.ShareStatus) !== SHARE.off

export const isEncrypted = (entry: Entry): boolean => entry.kind === 'asset' && entry.asset.UserAssetDetail.Encrypted

/** Whether copies of an asset are still being made; how many are wanted is decided shortly after it was stored. */
export const isSpreading = (asset: AssetOverview | null | undefined): boolean =>
  asset != null && (wantedCopies(asset) === 0 || asset.AssetRecord.replica_num < wantedCopies(asset))

/** Copies the network wants of an asset; 0 while that is not decided. */
export const wantedCopies = ({ AssetRecord }: AssetOverview): number => AssetRecord.NeedEdgeReplica

export const nameLimit = (entry: Entry): number => (entry.kind === 'folder' ? NAME_MAX : ASSET_NAME_MAX)

/** What is wrong with a name, in words; `undefined` when it will do. */
export function nameProblem(name: string, max: number): string | undefined {
  const trimmed = name.trim()
  if (trimmed === '') return t.nameMissing
  if ([...trimmed].length > max) return t.nameTooLong(max)
  return /[/\\]/.test(trimmed) ? t.nameForbidden : undefined
}

/** CIDs of the assets and numbers of the folders among some entries, as the server takes them. */
export function targetsOf(entries: readonly Entry[]): { assets: string[]; folders: number[] } {
  return {
    assets: entries.flatMap((entry) => (entry.kind === 'asset' ? [entry.asset.AssetRecord.CID] : [])),
    folders: entries.flatMap((entry) => (entry.kind === 'folder' ? [entry.group.ID] : [])),
  }
}
