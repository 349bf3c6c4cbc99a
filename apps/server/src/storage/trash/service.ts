import {
  AppError,
  type contract,
  errors,
  errorText,
  FREE_FOLDERS,
  type ItemResult,
  type Lang,
  type Parsed,
  TRASH_LIFE,
  type TrashItem,
  VIP_FOLDERS,
} from '@tidenet/contract'
import { findAccountUsage, freeStorageOf, limitsOf, lockAccountForUpdate } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { hasPermission, isPermissionRefusal, type Member, requirePermission } from '../../platform/http/callers.ts'
import * as assets from '../assets/assets.ts'
import { hasAssets, namedAssets, readAssets } from '../assets/named-assets.ts'
import { releaseInBatches } from '../contents/release.ts'
import { type Context, now } from '../context.ts'
import * as folders from '../tree/tree.ts'
import { recordStored } from '../usage/service.ts'
import { type From, recordItems } from './record.ts'
import * as repository from './repository.ts'

export {
  deleteTrashedAsset,
  findTrashedIn,
  restrictTrashedAssets,
  stopKeeping,
  stopKeepingOf,
  unshareAsset,
  unshareFolder,
} from './repository.ts'

type Deps = Pick<Context, 'db' | 'clock'>

/** The result of an item that failed, with the error's code and message. */
export const failedItem = (item: Pick<ItemResult, 'id' | 'asset_id'>, error: AppError, lang: Lang): ItemResult => ({
  ...item,
  ok: false,
  err: errors[error.key].err,
  msg: errorText(error.key, lang, error.facts),
})

interface TrashResult {
  results: ItemResult[]
  trash_ids: number[]
  folders: number
  assets: number
}

/**
 * Moves assets and folders, with everything in them, to the trash; returns a result for each.
 * @throws AppError forbidden for an API key without the permission, badCid
 */
export async function putIntoTrash(
  context: Deps,
  caller: Member,
  lang: Lang,
  { folders: asked, ...input }: Parsed<(typeof contract)['trash']['put']>,
  from: From,
): Promise<TrashResult> {
  if (hasAssets(input)) requirePermission(caller, 'deleteFile')
  if (asked.length > 0) requirePermission(caller, 'deleteFolder')
  const files = readAssets(input)
  return context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const put: TrashResult = { results: [], trash_ids: [], folders: 0, assets: 0 }
    // Found before folders go: what is in them goes with them.
    const named = await namedAssets(tx, caller, files)
    const gone = new Set<number>()
    const goneFiles = new Set<number>()
    for (const id of new Set(asked)) {
      const tree = gone.has(id) || id === 0 ? undefined : await trashFolder(context, tx, caller, id)
      if (tree) {
        for (const each of tree.folders) gone.add(each)
        for (const each of tree.entries) goneFiles.add(each.id)
        put.trash_ids.push(tree.trashId)
        put.folders += tree.folders.length
        put.assets += tree.entries.length
      }
      put.results.push(
        gone.has(id)
          ? { id: String(id), ok: true }
          : failedItem({ id: String(id) }, new AppError('folderUnknown'), lang),
      )
    }
    const ids = await trashFiles(
      context,
      tx,
      caller.userId,
      named.flatMap(({ entry }) => (entry && !goneFiles.has(entry.id) ? entry.id : [])),
    )
    for (const { entry, ...item } of named)
      put.results.push(
        entry && (goneFiles.has(entry.id) || ids.has(entry.id))
          ? { ...item, ok: true }
          : failedItem(item, new AppError('assetUnknown'), lang),
      )
    put.trash_ids.push(...ids.values())
    put.assets += ids.size
    await enforceTrashLimit(context, tx, caller)
    await recordStored(tx, caller.userId, now(context))
    await recordItems(tx, context, caller, from, 'file.trash', put.trash_ids.length)
    return put
  })
}

/** Moves a folder to the trash, with everything in it, as one entry; undefined if there is none. Cancels announced uploads into it. */
export async function trashFolder(
  context: Pick<Context, 'clock'>,
  tx: Db,
  caller: Pick<Member, 'userId' | 'uid'>,
  folderId: number,
): Promise<{ trashId: number; folders: number[]; entries: assets.Entry[] } | undefined> {
  const { userId } = caller
  const tree = await folders.findTree(tx, userId, folderId)
  const path = await folders.findPath(tx, userId, folderId)
  const folder = await folders.findFolder(tx, userId, folderId)
  if (!folder) return undefined
  const at = now(context)
  const [trashId] = await repository.insertTrash(tx, userId, at, [
    {
      kind: 'group',
      target: String(folderId),
      name: folder.name,
      encrypted: false,
      folderId: folder.parent_id,
      path: path.slice(0, -1).map(({ name }) => name),
      folders: tree.length - 1,
      purgeAt: new Date(at.getTime() + TRASH_LIFE),
      kept: false,
    },
  ])
  if (trashId === undefined) return undefined
  const entries = await repository.trashAssetsIn(tx, userId, tree, trashId)
  await repository.trashFolders(tx, userId, tree, trashId)
  const announced = await assets.deleteReservationsIn(tx, userId, tree)
  await folders.deleteFolders(tx, userId, tree)
  await releaseInBatches(context, tx, caller, announced)
  await assets.emitDeleted(tx, userId, entries, { trashed: true, at })
  return { trashId, folders: tree, entries }
}

/**
 * Moves assets to the trash, as an entry each.
 * @param kept until they are deleted: they count as used storage
 * @returns the trash's ids by those of the assets
 */
export async function trashFiles(
  context: Pick<Context, 'clock'>,
  tx: Db,
  userId: number,
  assetIds: readonly number[],
  { kept }: { kept: boolean } = { kept: false },
): Promise<Map<number, number>> {
  const found = assetIds.length > 0 ? await repository.findAssets(tx, userId, assetIds) : []
  if (found.length === 0) return new Map()
  const at = now(context)
  const paths = new Map<number, string[]>()
  for (const id of new Set(found.map((asset) => asset.folder_id)))
    paths.set(id, id === 0 ? [] : (await folders.findPath(tx, userId, id)).map(({ name }) => name))
  const ids = await repository.insertTrash(
    tx,
    userId,
    at,
    found.map((asset) => ({
      kind: asset.kind,
      target: asset.cid,
      name: asset.name,
      encrypted: asset.encrypted,
      folderId: asset.folder_id,
      path: paths.get(asset.folder_id) ?? [],
      folders: 0,
      // Also what is kept ends when the storage of the file does.
      purgeAt: kept ? asset.expires_at : new Date(Math.min(at.getTime() + TRASH_LIFE, asset.expires_at.getTime())),
      kept,
    })),
  )
  const pairs = found.map(({ id }, index) => ({ id, trashId: ids[index] as number }))
  await repository.trashAssets(tx, userId, pairs)
  await assets.emitDeleted(tx, userId, found, { trashed: true, at })
  return new Map(found.map(({ id }, index) => [id, ids[index] as number]))
}

/** Lists the trash, most recently deleted first. For a key that may not read folders, folders have no names. */
export async function listTrash(
  { db }: Pick<Context, 'db'>,
  caller: Member,
  { page, page_size }: { page: number; page_size: number },
): Promise<{ list: TrashItem[]; total: number; size: number }> {
  const [rows, { total }, { trash_bytes }] = await Promise.all([
    repository.findPage(db, caller.userId, page_size, (page - 1) * page_size),
    repository.countTrash(db, caller.userId),
    findAccountUsage(db, caller.userId),
  ])
  const named = hasPermission(caller, 'readFolder')
  return {
    list: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      name: named || row.kind !== 'group' ? row.name : '',
      cid: row.kind === 'group' ? '' : row.target,
      asset_id: row.asset_id,
      size: row.size,
      files: row.files,
      folders: row.folders,
      encrypted: row.encrypted,
      path: named ? row.path : [],
      deleted_at: row.deleted_at.toISOString(),
      purge_at: row.purge_at.toISOString(),
      kept: row.kept,
    })),
    total,
    size: trash_bytes,
  }
}

/** Takes one file out of the trash, into this folder and under this name. The caller has locked the account. */
export async function restoreFile(tx: Db, trashId: number, to: { folderId: number; name: string }): Promise<void> {
  await assets.restoreAsset(tx, repository.deleteTrashedReturning(trashId), to)
}

type Restored = ItemResult & { name?: string | undefined; folder?: number | undefined }

/**
 * Restores entries to their folders, shares included. They go to the root if their folder is gone, or is encrypted now and they are not; and
 * get a numbered name if theirs is taken.
 * @throws AppError forbidden for an API key without the permission
 */
export async function restore(
  context: Deps,
  caller: Member,
  lang: Lang,
  ids: readonly number[],
  from: From,
): Promise<Restored[]> {
  return context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const rows = new Map((await repository.lockEntries(tx, caller.userId, ids)).map((row) => [row.id, row]))
    const results: Restored[] = []
    // The last deleted entry is restored first: a folder may have been deleted after files that were in it.
    for (const id of [...new Set(ids)].sort((a, b) => b - a)) {
      const row = rows.get(id)
      const result = row
        ? await restoreOne(context, tx, caller, row).catch((error: unknown) => {
            if (!(error instanceof AppError) || isPermissionRefusal(error)) throw error
            return failedItem({ id: String(id) }, error, lang)
          })
        : failedItem({ id: String(id) }, new AppError('notFound'), lang)
      results.push(result)
    }
    await recordStored(tx, caller.userId, now(context))
    await recordItems(tx, context, caller, from, 'file.restore', results.filter(({ ok }) => ok).length)
    return results
  })
}

/** @throws AppError forbidden, quotaExceeded, tooManyFolders */
async function restoreOne(context: Deps, tx: Db, caller: Member, row: repository.TrashRow): Promise<Restored> {
  const { userId } = caller
  const isFolder = row.kind === 'group'
  requirePermission(caller, isFolder ? 'createFolder' : 'createFile')
  if (row.purge_at.getTime() <= context.clock.now()) throw new AppError('notFound')
  const user = await lockAccountForUpdate(tx, userId)
  const free = freeStorageOf(user)
  // What is kept counts already.
  if (!row.kept && row.size > free) throw new AppError('quotaExceeded', { free: Math.max(0, free) })
  const before = row.folder_id === 0 ? undefined : await folders.lockFolderForShare(tx, userId, row.folder_id)
  const fits = before && !(before.encrypted && (await repository.holdsUnencrypted(tx, row.id)))
  const folder = fits ? before.id : 0
  // Nothing goes to the root, which is outside the folders of a key.
  if (folder === 0 && caller.folders) throw new AppError('notFound')
  const name = await folders.nameForRestored(tx, userId, { folderId: folder, name: row.name, isFolder })
  if (!isFolder) await assets.restoreAsset(tx, repository.deleteTrashedReturning(row.id), { folderId: folder, name })
  else {
    const maxFolders = user.vip ? VIP_FOLDERS : FREE_FOLDERS
    if ((await folders.countFolders(tx, userId)) + row.folders + 1 > maxFolders)
      throw new AppError('tooManyFolders', { max: maxFolders })
    const top = { id: Number(row.target), parentId: folder, name }
    await folders.restoreFolders(tx, repository.selectTrashedFolders(row.id), top)
    await assets.restoreAssets(tx, repository.deleteTrashedReturning(row.id), folders.reservePositions)
    await repository.deleteEntry(tx, row.id)
    if (fits && before.encrypted)
      await folders.markEncrypted(tx, userId, await folders.findTree(tx, userId, Number(row.target)))
  }
  // A key that may create folders but not read them does not get the name.
  return {
    id: String(row.id),
    ok: true,
    name: isFolder && !hasPermission(caller, 'readFolder') ? undefined : name,
    folder,
  }
}

/** Permanently deletes entries of the trash, all of them without `ids`. @throws AppError forbidden */
export async function deletePermanently(
  context: Deps,
  caller: Member,
  from: From,
  ids?: readonly number[],
): Promise<number> {
  let removed = 0
  for (;;) {
    const batch = await context.db.transaction(async (tx) => {
      await lockAccountForUpdate(tx, caller.userId)
      const rows = ids
        ? await repository.lockEntries(tx, caller.userId, ids)
        : await repository.lockOldest(tx, caller.userId, BATCH, { kept: true })
      for (const { kind } of rows) requirePermission(caller, kind === 'group' ? 'deleteFolder' : 'deleteFile')
      await purge(
        context,
        tx,
        caller,
        rows.map((row) => row.id),
      )
      await recordItems(tx, context, caller, from, 'file.delete', rows.length)
      return rows.length
    })
    removed += batch
    if (ids || batch < BATCH) return removed
  }
}

const BATCH = 500

/** Deletes entries of the trash with their versions, and releases their contents. */
export async function purge(
  context: Pick<Context, 'clock'>,
  tx: Db,
  account: Pick<Member, 'userId' | 'uid'>,
  ids: readonly number[],
): Promise<void> {
  if (ids.length > 0) await deleteEntries(context, tx, account, ids)
}

/** @param held see `releaseInBatches` */
async function deleteEntries(
  context: Pick<Context, 'clock'>,
  tx: Db,
  { userId, uid }: Pick<Member, 'userId' | 'uid'>,
  ids: readonly number[],
  held?: number,
): Promise<void> {
  const entries = await repository.deleteTrash(tx, userId, ids)
  const earlier = await assets.versions.deleteVersionsOf(
    tx,
    userId,
    entries.map(({ id }) => id),
  )
  const cids = [...entries.map(({ cid }) => cid), ...earlier]
  await releaseInBatches(context, tx, { userId, uid }, cids, held)
  await assets.emitDeleted(tx, userId, entries, { trashed: false, at: now(context) })
}

/** Entries in an account's trash, and folders in them: empty folders need a limit, because the quota counts only bytes. */
export const TRASH_MAX_ENTRIES = 2 * VIP_FOLDERS

/** Purges the oldest entries beyond the limit. Called in the transaction that moved something to the trash. */
export async function enforceTrashLimit(
  context: Pick<Context, 'clock'>,
  tx: Db,
  account: Pick<Member, 'userId' | 'uid'>,
): Promise<void> {
  const surplus = await repository.findSurplus(tx, account.userId, TRASH_MAX_ENTRIES)
  if (surplus.length > 0) await deleteEntries(context, tx, account, surplus, 0)
}

/**
 * Purges the oldest entries of the trash, and then the oldest versions, until all fit the quota: they use only quota that nothing else
 * needs. Called in the transaction that listed an asset. Announced uploads do not count, because they may never come.
 */
export async function freeQuota(context: Pick<Context, 'clock'>, tx: Db, userId: number): Promise<void> {
  const user = await lockAccountForUpdate(tx, userId)
  const account = { userId, uid: user.uid }
  const over = user.used_bytes + user.trash_bytes + user.version_bytes - limitsOf(user).storage
  const still = await purgeOldest(over, {
    find: () => repository.lockOldest(tx, userId, BATCH, { kept: false }),
    purge: (ids) => deleteEntries(context, tx, account, ids, 0),
    over: () => overQuota(tx, userId),
  })
  await purgeOldest(still, {
    find: () => assets.versions.findOldestVersions(tx, userId, BATCH, { kept: false }),
    purge: async (ids) =>
      releaseInBatches(context, tx, account, await assets.versions.deleteVersions(tx, userId, ids), 0),
    over: () => overQuota(tx, userId),
  })
}

async function overQuota(tx: Db, userId: number): Promise<number> {
  const user = await findAccountUsage(tx, userId)
  return user.used_bytes + user.trash_bytes + user.version_bytes - limitsOf(user).storage
}

/** Purges in batches until nothing is over the quota, or nothing is left. @returns the bytes that are still over it */
async function purgeOldest(
  bytes: number,
  step: {
    find: () => Promise<readonly { id: number; size: number }[]>
    purge: (ids: number[]) => Promise<void>
    /** More than the sizes may have been freed: an entry of the trash takes its versions along. */
    over: () => Promise<number>
  },
): Promise<number> {
  let over = bytes
  while (over > 0) {
    const oldest = await step.find()
    if (oldest.length === 0) return over
    const purged: number[] = []
    for (const { id, size } of oldest) {
      if (over <= 0) break
      purged.push(id)
      over -= size
    }
    await step.purge(purged)
    over = await step.over()
  }
  return over
}
