import { AppError, VERSION_LIMITS } from '@tidenet/contract'
import { emitEvent, findAccountUsage, freeStorageOf, lockAccountForUpdate } from '../../identity/index.ts'
import { DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { followContent as accelerateContent } from '../acceleration/acceleration.ts'
import * as assets from '../assets/assets.ts'
import { releaseInBatches } from '../contents/release.ts'
import type { Context } from '../context.ts'
import { followContent } from '../links/links.ts'

/** What a plan keeps per file. */
export const limitsOfVersions = ({ vip }: { vip: boolean }) => (vip ? VERSION_LIMITS.paid : VERSION_LIMITS.free)

type Content = Omit<assets.NewAsset, 'userId' | 'folderId' | 'name'>

/**
 * Gives an entry of a locked account other content. What it had is kept as a version; versions beyond the plan's number are deleted. Links
 * and acceleration follow the entry. The caller frees the quota.
 */
export async function setContent(
  context: Pick<Context, 'clock'>,
  tx: Db,
  entry: assets.AssetRow,
  content: Content,
): Promise<void> {
  const { id, user_id: userId } = entry
  const account = await lockAccountForUpdate(tx, userId)
  const keep = limitsOfVersions(account)
  const { createdAt: at } = content
  const kept = await assets.versions.keepVersion(tx, id, { at, purgeAt: new Date(at.getTime() + keep.days * DAY) })
  await assets.setContent(tx, id, content)
  await followContent(tx, id, content.cid)
  await accelerateContent(tx, userId, { from: entry.cid, to: content.cid }, at)
  const surplus = await assets.versions.deleteSurplus(tx, id, keep.versions)
  // Another content is locked already.
  await releaseInBatches(context, tx, { userId, uid: account.uid }, surplus, 0)
  if (!kept) return
  // What it contained is used storage, too.
  const free = freeStorageOf(await findAccountUsage(tx, userId))
  if (free < 0) throw new AppError('quotaExceeded', { free: Math.max(0, free + content.size) })
}

/**
 * Makes the newest kept version of an entry in a bucket its content again.
 * @param demotes what it contains now becomes a version, for as long as the plan says; otherwise the caller releases it
 * @returns whether there was such a version
 */
export async function promote(
  tx: Db,
  { id, userId, isTrashed }: { id: number; userId: number; isTrashed: boolean },
  at: Date,
  { demotes }: { demotes: boolean },
): Promise<boolean> {
  const place = isTrashed ? 'trashed_assets' : 'assets'
  const before = isTrashed ? undefined : await assets.findAsset(tx, userId, { assetId: id })
  const keep = limitsOfVersions(await lockAccountForUpdate(tx, userId))
  if (demotes)
    await assets.versions.demoteContent(tx, place, id, { at, purgeAt: new Date(at.getTime() + keep.days * DAY) })
  const promoted = await assets.versions.promoteVersion(tx, place, id)
  if (!promoted) return false
  if (before) {
    await followContent(tx, id, promoted.cid)
    await accelerateContent(tx, userId, { from: before.cid, to: promoted.cid }, at)
  }
  return true
}

/**
 * Replaces the content of an entry by an uploaded one, with a receipt.
 * @param sender.node the node that received the bytes; undefined if the network had them
 */
export async function replaceContent(
  context: Pick<Context, 'clock'>,
  tx: Db,
  entry: assets.AssetRow,
  asset: Omit<assets.NewAsset, 'receiptId'>,
  { uid, node }: { uid: string; node: string | undefined },
): Promise<void> {
  const { userId, cid, kind: type, size, createdAt } = asset
  await assets.deleteFulfilled(tx, asset)
  const stated = { kind: 'upload' as const, sub: uid, ...(node !== undefined && { node }), cid, type, size }
  const receiptId = await assets.receiptOf(tx, userId, stated, createdAt)
  // The owner's limits stay, unless the upload names others.
  const areas = asset.areas.length > 0 ? asset.areas : entry.areas
  await setContent(context, tx, entry, { ...asset, areas, receiptId })
  const { folder_id, name } = entry
  const uploaded = { cid, asset_id: entry.id, name, type, size, folder_id, encrypted: asset.encrypted }
  await emitEvent(tx, userId, 'asset.uploaded', { ...uploaded, instant: node === undefined }, createdAt)
}
