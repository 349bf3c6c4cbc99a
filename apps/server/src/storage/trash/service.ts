import {
  AppError,
  ASSET_NAME_MAX,
  errors,
  errorText,
  FREE_FOLDERS,
  type ItemResult,
  type Lang,
  NAME_MAX,
  TRASH_LIFE,
  type TrashItem,
  VIP_FOLDERS,
} from '@tidenet/contract'
import { limitsOf, lockAccountForUpdate } from '../../identity/index.ts'
import { readCid } from '../../platform/cids.ts'
import type { Db } from '../../platform/db/db.ts'
import { hasPermission, type Member } from '../../platform/http/callers.ts'
import * as assets from '../assets/assets.ts'
import { releaseGradually } from '../contents/release.ts'
import { type Context, now } from '../context.ts'
import * as folders from '../tree/tree.ts'
import { recordStored } from '../usage/service.ts'
import { candidates, freeName } from './names.ts'
import * as repository from './repository.ts'

export { forgetTrashed, unshareAsset, unshareFolder } from './repository.ts'

type Needs = Pick<Context, 'db' | 'clock'>

/** What one thing came to, with the sentence of the refusal. */
export const refused = (id: string, error: AppError, lang: Lang): ItemResult => ({
  id,
  ok: false,
  err: errors[error.key].err,
  msg: errorText(error.key, lang, error.facts),
})

interface Put {
  results: ItemResult[]
  trash_ids: number[]
  folders: number
  assets: number
}

/**
 * Puts assets and folders into the trash, folders with all below them; a result for each.
 * @throws AppError forbidden for a key without the right, badCid
 */
export async function putIntoTrash(
  context: Needs,
  caller: Member,
  lang: Lang,
  asked: { assets: readonly string[]; folders: readonly number[] },
): Promise<Put> {
  if (asked.assets.length > 0 && !hasPermission(caller, 'deleteFile')) throw new AppError('forbidden')
  if (asked.folders.length > 0 && !hasPermission(caller, 'deleteFolder')) throw new AppError('forbidden')
  const cids = [...new Set(asked.assets.map((cid) => readCid(cid).text))]
  return context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const put: Put = { results: [], trash_ids: [], folders: 0, assets: 0 }
    const gone = new Set<number | string>()
    for (const id of new Set(asked.folders)) {
      const tree = gone.has(id) || id === 0 ? undefined : await trashTree(context, tx, caller, id)
      if (tree) {
        for (const each of [...tree.folders, ...tree.cids]) gone.add(each)
        put.trash_ids.push(tree.trashId)
        put.folders += tree.folders.length
        put.assets += tree.cids.length
      }
      put.results.push(
        gone.has(id) ? { id: String(id), ok: true } : refused(String(id), new AppError('folderUnknown'), lang),
      )
    }
    const ids = await trashFiles(
      context,
      tx,
      caller.userId,
      cids.filter((cid) => !gone.has(cid)),
    )
    for (const cid of cids)
      put.results.push(
        gone.has(cid) || ids.has(cid) ? { id: cid, ok: true } : refused(cid, new AppError('assetUnknown'), lang),
      )
    put.trash_ids.push(...ids.values())
    put.assets += ids.size
    await boundTrash(context, tx, caller)
    await recordStored(tx, caller.userId, now(context))
    return put
  })
}

/** A folder with all below it becomes one entry. Nothing when there is no such folder. Uploads on their way into it are given up. */
export async function trashTree(
  context: Pick<Context, 'clock'>,
  tx: Db,
  caller: Pick<Member, 'userId' | 'uid'>,
  folderId: number,
): Promise<{ trashId: number; folders: number[]; cids: string[] } | undefined> {
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
    },
  ])
  if (trashId === undefined) return undefined
  const cids = await repository.trashAssetsIn(tx, userId, tree, trashId)
  await repository.trashFolders(tx, userId, tree, trashId)
  const announced = await assets.deleteReservationsIn(tx, userId, tree)
  await folders.deleteFolders(tx, userId, tree)
  await releaseGradually(context, tx, caller.uid, announced)
  return { trashId, folders: tree, cids }
}

/** Each asset becomes an entry of its own. @returns their numbers by CID */
export async function trashFiles(
  context: Pick<Context, 'clock'>,
  tx: Db,
  userId: number,
  cids: readonly string[],
): Promise<Map<string, number>> {
  const found = cids.length > 0 ? await repository.findAssets(tx, userId, cids) : []
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
      purgeAt: new Date(Math.min(at.getTime() + TRASH_LIFE, asset.expires_at.getTime())),
    })),
  )
  const pairs = found.map(({ id }, index) => ({ id, trashId: ids[index] as number }))
  await repository.trashAssets(tx, userId, pairs)
  return new Map(found.map(({ cid }, index) => [cid, ids[index] as number]))
}

/** What lies in the trash, deleted last first. A key that may not read folders sees that folders lie there, but no name of one. */
export async function listTrash(
  { db }: Pick<Context, 'db'>,
  caller: Member,
  { page, page_size }: { page: number; page_size: number },
): Promise<{ list: TrashItem[]; total: number; size: number }> {
  const [rows, count] = await Promise.all([
    repository.findPage(db, caller.userId, page_size, (page - 1) * page_size),
    repository.countTrash(db, caller.userId),
  ])
  const named = hasPermission(caller, 'readFolder')
  return {
    list: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      name: named || row.kind !== 'group' ? row.name : '',
      cid: row.kind === 'group' ? '' : row.target,
      size: row.size,
      files: row.files,
      folders: row.folders,
      encrypted: row.encrypted,
      path: named ? row.path : [],
      deleted_at: row.deleted_at.toISOString(),
      purge_at: row.purge_at.toISOString(),
    })),
    ...count,
  }
}

type Restored = ItemResult & { name?: string | undefined; folder?: number | undefined }

/**
 * Puts things back where they lay, with all they were: shares open again. Into the root when their folder is gone, under a
 * numbered name when theirs is taken.
 * @throws AppError forbidden for a key without the right
 */
export async function restore(context: Needs, caller: Member, lang: Lang, ids: readonly number[]): Promise<Restored[]> {
  return context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const rows = new Map((await repository.holdTrash(tx, caller.userId, ids)).map((row) => [row.id, row]))
    const results: Restored[] = []
    // Folders before what lay in them, if they were deleted after each other: the one that went last comes back first.
    for (const id of [...new Set(ids)].sort((a, b) => b - a)) {
      const row = rows.get(id)
      const result = row
        ? await restoreOne(context, tx, caller, row).catch((error: unknown) => {
            if (!(error instanceof AppError) || error.key === 'forbidden') throw error
            return refused(String(id), error, lang)
          })
        : refused(String(id), new AppError('notFound'), lang)
      results.push(result)
    }
    await recordStored(tx, caller.userId, now(context))
    return results
  })
}

/** @throws AppError forbidden, quotaExceeded, tooManyFolders */
async function restoreOne(context: Needs, tx: Db, caller: Member, row: repository.TrashRow): Promise<Restored> {
  const { userId } = caller
  const isFolder = row.kind === 'group'
  if (!hasPermission(caller, isFolder ? 'createFolder' : 'createFile')) throw new AppError('forbidden')
  if (row.purge_at.getTime() <= context.clock.now()) throw new AppError('notFound')
  const user = await lockAccountForUpdate(tx, userId)
  const free = limitsOf(user).storage - user.used_bytes - user.reserved_bytes
  if (row.size > free) throw new AppError('quotaExceeded', { free: Math.max(0, free) })
  const folder =
    row.folder_id !== 0 && (await folders.lockFolderForShare(tx, userId, row.folder_id)) ? row.folder_id : 0
  const max = isFolder ? NAME_MAX : ASSET_NAME_MAX
  const tried = candidates(row.name, max, isFolder, 500)
  const name = freeName(row.name, await repository.findTaken(tx, userId, folder, tried), max, isFolder)
  if (!isFolder) await assets.putBack(tx, repository.takingAssets(row.id), { folderId: folder, name })
  else {
    const most = user.vip ? VIP_FOLDERS : FREE_FOLDERS
    if ((await folders.countFolders(tx, userId)) + row.folders + 1 > most)
      throw new AppError('tooManyFolders', { max: most })
    const top = { id: Number(row.target), parentId: folder, name }
    await folders.putBack(tx, repository.readingFolders(row.id), top)
    await assets.putAllBack(tx, repository.takingAssets(row.id), folders.placesOf)
    await repository.deleteEntry(tx, row.id)
  }
  // Its name is not for keys that may make folders but not read them.
  return {
    id: String(row.id),
    ok: true,
    name: isFolder && !hasPermission(caller, 'readFolder') ? undefined : name,
    folder,
  }
}

/** Deletes things of the trash for good; without numbers all of them. @throws AppError forbidden */
export async function deleteForGood(context: Needs, caller: Member, ids?: readonly number[]): Promise<number> {
  let removed = 0
  for (;;) {
    const batch = await context.db.transaction(async (tx) => {
      await lockAccountForUpdate(tx, caller.userId)
      const rows = ids
        ? await repository.holdTrash(tx, caller.userId, ids)
        : await repository.holdOldest(tx, caller.userId, AT_ONCE)
      for (const { kind } of rows)
        if (!hasPermission(caller, kind === 'group' ? 'deleteFolder' : 'deleteFile')) throw new AppError('forbidden')
      await purge(
        context,
        tx,
        caller,
        rows.map((row) => row.id),
      )
      return rows.length
    })
    removed += batch
    if (ids || batch < AT_ONCE) return removed
  }
}

const AT_ONCE = 500

/** Ends entries of the trash and gives their contents up. */
export async function purge(
  context: Pick<Context, 'clock'>,
  tx: Db,
  account: Pick<Member, 'userId' | 'uid'>,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  await releaseGradually(context, tx, account.uid, await repository.deleteTrash(tx, account.userId, ids))
}

/** So many entries of an account, and folders in them, the trash holds: bytes have their quota, empty folders have none. */
export const TRASH_MOST = 2 * VIP_FOLDERS

/** What was deleted first goes when there is too much. Called in the transaction that put something into the trash. */
export async function boundTrash(
  context: Pick<Context, 'clock'>,
  tx: Db,
  { userId, uid }: Pick<Member, 'userId' | 'uid'>,
): Promise<void> {
  const surplus = await repository.findSurplus(tx, userId, TRASH_MOST)
  if (surplus.length > 0) await releaseGradually(context, tx, uid, await repository.deleteTrash(tx, userId, surplus), 0)
}

/**
 * The trash uses only room that nothing else needs: when an account has put something in, what was deleted first goes until all
 * fits its quota again. Called in the transaction that put it in; what is only announced takes nothing yet, it may never come.
 */
export async function makeRoom(context: Pick<Context, 'clock'>, tx: Db, userId: number): Promise<void> {
  const user = await lockAccountForUpdate(tx, userId)
  let over = user.used_bytes + user.trash_bytes - limitsOf(user).storage
  while (over > 0 && user.trash_bytes > 0) {
    const oldest = await repository.holdOldest(tx, userId, AT_ONCE)
    if (oldest.length === 0) return
    const going: number[] = []
    for (const { id, size } of oldest) {
      if (over <= 0) break
      going.push(id)
      over -= size
    }
    const cids = await repository.deleteTrash(tx, userId, going)
    await releaseGradually(context, tx, user.uid, cids, 0)
  }
}
