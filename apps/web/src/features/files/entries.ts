import type { AssetOverview, Group, ListItem } from '@tidenet/contract'
import { SHARE } from '@tidenet/contract/storage-enums'

/** The folders that contain an entry, from the root. */
export type Path = readonly { ID: number; Name: string }[]

/** A row of the list: a folder, or an asset (a file or uploaded folder). Search results have a path. */
export type Entry =
  | { kind: 'folder'; key: string; group: Group; path?: Path }
  | { kind: 'asset'; key: string; asset: AssetOverview; path?: Path }

export type FileEntry = Extract<Entry, { kind: 'asset' }>

/** Whether an entry has a preview: a file, not an uploaded folder. */
export const isFile = (entry: Entry | undefined): entry is FileEntry =>
  entry?.kind === 'asset' && entry.asset.UserAssetDetail.AssetType === 'file'

const cache = new WeakMap<ListItem, Entry>()

/** Returns the same entry for the same item, so that unchanged rows do not render again. */
export function entryOf(item: ListItem & { path?: Path }): Entry | undefined {
  const cached = cache.get(item)
  if (cached) return cached
  const { AssetOverview, Group, path } = item
  const more = path && { path }
  const entry: Entry | undefined = Group
    ? { kind: 'folder', key: `folder ${Group.ID}`, group: Group, ...more }
    : AssetOverview
      ? { kind: 'asset', key: `asset ${AssetOverview.UserAssetDetail.AssetID}`, asset: AssetOverview, ...more }
      : undefined
  if (entry) cache.set(item, entry)
  return entry
}

export const nameOf = (entry: Entry): string =>
  entry.kind === 'folder' ? entry.group.Name : entry.asset.UserAssetDetail.AssetName

export const sizeOf = (entry: Entry): number =>
  entry.kind === 'folder' ? entry.group.AssetSize : entry.asset.UserAssetDetail.TotalSize

export const dateOf = (entry: Entry): string =>
  entry.kind === 'folder' ? entry.group.CreatedTime : entry.asset.UserAssetDetail.CreatedTime

/** The parent folder; 0 is the root. */
export const parentOf = (entry: Entry): number =>
  entry.kind === 'folder' ? entry.group.Parent : entry.asset.UserAssetDetail.GroupID

/** Whether any link opens it. */
export const isShared = (entry: Entry): boolean => {
  const { ShareStatus, links } = entry.kind === 'folder' ? entry.group : entry.asset.UserAssetDetail
  return ShareStatus !== SHARE.off || links > 0
}

export const isEncrypted = (entry: Entry): boolean =>
  entry.kind === 'folder' ? entry.group.Encrypted : entry.asset.UserAssetDetail.Encrypted

/** Whether an asset has fewer copies than its target, which is set shortly after the upload. */
export const isReplicating = (asset: AssetOverview | null | undefined): boolean =>
  asset != null && (targetCopies(asset) === 0 || asset.AssetRecord.replica_num < targetCopies(asset))

/** Target number of copies; 0 until it is set. */
export const targetCopies = ({ AssetRecord }: AssetOverview): number => AssetRecord.NeedEdgeReplica

/** Ids of the assets and folders, for calls that change them: an account can have a content several times. */
export function idsOf(entries: readonly Entry[]): { asset_ids: number[]; folders: number[] } {
  return {
    asset_ids: entries.flatMap((entry) => (entry.kind === 'asset' ? [entry.asset.UserAssetDetail.AssetID] : [])),
    folders: entries.flatMap((entry) => (entry.kind === 'folder' ? [entry.group.ID] : [])),
  }
}
