import type { AssetOverview, Group, ListItem } from '@tidenet/contract'
import { ASSET_NAME_MAX, NAME_MAX } from '@tidenet/contract/constants'
import { t } from '../../lib/texts.ts'

/** A row of the list: a folder, or an asset (a file, or a folder that was uploaded as one). */
export type Entry = { kind: 'folder'; key: string; group: Group } | { kind: 'asset'; key: string; asset: AssetOverview }

export function entryOf({ AssetOverview, Group }: ListItem): Entry | undefined {
  if (Group) return { kind: 'folder', key: `folder ${Group.ID}`, group: Group }
  if (AssetOverview) return { kind: 'asset', key: AssetOverview.AssetRecord.CID, asset: AssetOverview }
  return undefined
}

export const nameOf = (entry: Entry): string =>
  entry.kind === 'folder' ? entry.group.Name : entry.asset.UserAssetDetail.AssetName

export const sizeOf = (entry: Entry): number =>
  entry.kind === 'folder' ? entry.group.AssetSize : entry.asset.UserAssetDetail.TotalSize

export const dateOf = (entry: Entry): string =>
  entry.kind === 'folder' ? entry.group.CreatedTime : entry.asset.UserAssetDetail.CreatedTime

export const isShared = (entry: Entry): boolean =>
  (entry.kind === 'folder' ? entry.group.ShareStatus : entry.asset.UserAssetDetail.ShareStatus) > 0

/** Whether copies of an asset are still being made; how many are wanted is decided shortly after it was stored. */
export const isSpreading = (asset: AssetOverview | null | undefined): boolean =>
  asset != null && (wantedCopies(asset) === 0 || asset.AssetRecord.replica_num < wantedCopies(asset))

/** Copies the network wants of an asset; 0 while that is not decided. */
export const wantedCopies = ({ AssetRecord }: AssetOverview): number => AssetRecord.NeedEdgeReplica

export const nameLimit = (entry: Entry): number => (entry.kind === 'folder' ? NAME_MAX : ASSET_NAME_MAX)

/** What is wrong with a name, in words; `undefined` when it will do. */
export function nameProblem(name: string, max: number): string | undefined {
  const trimmed = name.trim()
  if (trimmed === '') return t.files.nameMissing
  if ([...trimmed].length > max) return t.files.nameTooLong(max)
  return /[/\\]/.test(trimmed) ? t.files.nameForbidden : undefined
}
