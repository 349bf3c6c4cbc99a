import { AppError, type contract, type Output, type Parsed, VERSION_UNDO } from '@tidenet/contract'
import { findAccountUsage, freeStorageOf, lockAccountForUpdate } from '../../identity/index.ts'
import { placement } from '../../network/index.ts'
import { DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Member, requirePermission } from '../../platform/http/callers.ts'
import * as assets from '../assets/assets.ts'
import { readKey } from '../assets/key.ts'
import { releaseInBatches } from '../contents/release.ts'
import { type Context, now } from '../context.ts'
import { assetExpiry } from '../lifetimes.ts'
import { freeQuota } from '../trash/service.ts'
import { recordStored } from '../usage/service.ts'
import { limitsOfVersions, setContent } from './replace.ts'

type Versions = (typeof contract)['versions']
type Deps = Pick<Context, 'db' | 'clock'>

/** The earlier versions of a file. @throws AppError badCid, assetUnknown */
export async function listVersions(
  context: Deps,
  caller: Member,
  { cid, asset_id, page, page_size }: Parsed<Versions['list']>,
): Promise<Output<Versions['list']>> {
  const { db } = context
  const asset = await assets.findAsset(db, caller.userId, readKey(cid, asset_id))
  if (!asset) throw new AppError('assetUnknown')
  const at = now(context)
  const [rows, total, account] = await Promise.all([
    assets.versions.findVersions(db, asset.id, at, page_size, (page - 1) * page_size),
    assets.versions.countVersions(db, asset.id, at),
    findAccountUsage(db, caller.userId),
  ])
  return {
    list: rows.map((row) => ({
      id: row.id,
      version: row.version,
      cid: row.cid,
      kind: row.kind,
      size: row.size,
      encrypted: row.encrypted,
      created_at: row.created_at.toISOString(),
      replaced_at: row.replaced_at.toISOString(),
      purge_at: row.purge_at.toISOString(),
      removed: row.removed_at !== null,
      kept: row.kept,
      receipt_id: row.receipt_id,
    })),
    total,
    asset_id: asset.id,
    version: asset.version,
    keep: limitsOfVersions(account),
  }
}

/** Locks the account. @throws AppError notFound, also for versions of others and of files in the trash */
async function requireVersion(
  context: Deps,
  tx: Db,
  caller: Member,
  id: number,
): Promise<{ version: assets.versions.VersionRow; asset: assets.AssetRow }> {
  await lockAccountForUpdate(tx, caller.userId)
  const version = await assets.versions.findVersion(tx, caller.userId, id, now(context))
  const asset = version && (await assets.findAsset(tx, caller.userId, { assetId: version.asset_id }))
  if (!asset) throw new AppError('notFound')
  return { version, asset }
}

/**
 * Gives a file the content of an earlier version, as a new version. Restoring what is current changes nothing.
 * @throws AppError notFound, quotaExceeded; forbidden for an API key without the permission
 */
export async function restoreVersion(
  context: Deps,
  caller: Member,
  { id }: Parsed<Versions['restore']>,
): Promise<Output<Versions['restore']>> {
  requirePermission(caller, 'deleteFile')
  return context.db.transaction(async (tx) => {
    const { version, asset } = await requireVersion(context, tx, caller, id)
    if (version.removed_at) throw new AppError('notFound')
    const { cid, size } = version
    if (cid === asset.cid) return { asset_id: asset.id, cid, version: asset.version }
    await placement.lockContent(tx, cid)
    const user = await lockAccountForUpdate(tx, caller.userId)
    const free = freeStorageOf(user)
    // The bytes of the current content become those of a version.
    if (size > free + asset.size) throw new AppError('quotaExceeded', { free: Math.max(0, free) })
    const at = now(context)
    await setContent(context, tx, asset, {
      cid,
      size,
      kind: version.kind,
      md5: version.md5,
      encrypted: version.encrypted,
      areas: asset.areas,
      restrictedTo: version.restricted_to,
      receiptId: version.receipt_id,
      createdAt: at,
      expiresAt: assetExpiry(at),
    })
    await assets.versions.copyDetails(tx, asset.id, version.version)
    await freeQuota(context, tx, caller.userId)
    await placement.checkContents(tx, [asset.cid, cid].sort(), at)
    await recordStored(tx, caller.userId, at)
    return { asset_id: asset.id, cid, version: asset.version + 1 }
  })
}

/** Deletes a version; a day later for good. @throws AppError notFound */
export async function removeVersion(
  context: Deps,
  caller: Member,
  { id }: Parsed<Versions['remove']>,
): Promise<Output<Versions['remove']>> {
  return context.db.transaction(async (tx) => {
    const { version } = await requireVersion(context, tx, caller, id)
    if (version.removed_at) return { purge_at: version.purge_at.toISOString() }
    const at = now(context)
    const undoable = new Date(at.getTime() + VERSION_UNDO)
    await assets.versions.markRemoved(tx, id, { at, purgeAt: undoable })
    return { purge_at: new Date(Math.min(undoable.getTime(), version.purge_at.getTime())).toISOString() }
  })
}

/** Undoes the deletion of a version. @throws AppError notFound; quotaExceeded for one that is used storage again */
export async function undeleteVersion(
  context: Deps,
  caller: Member,
  { id }: Parsed<Versions['undelete']>,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const { version } = await requireVersion(context, tx, caller, id)
    if (!version.removed_at) return
    const { days } = limitsOfVersions(await findAccountUsage(tx, caller.userId))
    await assets.versions.markKept(tx, id, new Date(version.replaced_at.getTime() + days * DAY))
    const kept = await assets.versions.findVersion(tx, caller.userId, id, now(context))
    if (!kept?.kept) return
    const user = await lockAccountForUpdate(tx, caller.userId)
    const free = freeStorageOf(user)
    if (free < 0) throw new AppError('quotaExceeded', { free: Math.max(0, free + version.size) })
    await freeQuota(context, tx, caller.userId)
  })
}

const BATCH = 200

/** Deletes versions that are due. Several servers may run it at the same time. */
export async function purgeVersions(context: Deps, signal?: AbortSignal): Promise<void> {
  const at = now(context)
  while (!signal?.aborted) {
    const due = await assets.versions.findDueVersions(context.db, at, BATCH)
    for (const userId of new Set(due.map(({ user_id }) => user_id)))
      await context.db.transaction(async (tx) => {
        const { uid } = await lockAccountForUpdate(tx, userId)
        const ids = due.filter(({ user_id }) => user_id === userId).map(({ id }) => id)
        // The owner may have brought one back in the meantime.
        const cids = await assets.versions.deleteDue(tx, userId, ids, at)
        await releaseInBatches(context, tx, { userId, uid }, cids)
      })
    if (due.length < BATCH) return
  }
}
