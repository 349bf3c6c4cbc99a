import {
  AppError,
  type contract,
  FREE_FOLDERS,
  type Group,
  type Lang,
  type Output,
  type Parsed,
  VIP_FOLDERS,
} from '@tidenet/contract'
import { assetName } from '@tidenet/contract/fields'
import { lockAccountForUpdate } from '../../identity/index.ts'
import { readCid } from '../../platform/cids.ts'
import type { Db } from '../../platform/db/db.ts'
import { hasPermission, type Member, requirePermission } from '../../platform/http/callers.ts'
import {
  type AssetKey,
  deleteAssetsIn,
  deleteReservationsIn,
  emitDeleted,
  findAsset,
  renameAsset,
  versions,
} from '../assets/assets.ts'
import { overviewsOf } from '../assets/overview.ts'
import { releaseInBatches } from '../contents/release.ts'
import { type Context, now } from '../context.ts'
import { visiblePath } from '../folder-scope/visible-path.ts'
import { deleteLinks } from '../links/links.ts'
import { type From, recordItems } from '../trash/record.ts'
import { enforceTrashLimit, trashFolder } from '../trash/service.ts'
import { toWireGroup } from '../tree/listing.ts'
import * as folders from '../tree/tree.ts'
import { recordStored } from '../usage/service.ts'
import { requireVault } from '../vault/service.ts'

type Deps = Pick<Context, 'db' | 'clock'>

/** Locks a folder that something is put into; 0 is the root. @throws AppError folderUnknown */
export async function lockTargetFolder(tx: Db, userId: number, folderId: number): Promise<{ encrypted: boolean }> {
  if (folderId === 0) return { encrypted: false }
  const folder = await folders.lockFolderForShare(tx, userId, folderId)
  if (!folder) throw new AppError('folderUnknown')
  return folder
}

/** How many folders an account may have. */
export const folderLimit = ({ vip }: { vip: boolean }): number => (vip ? VIP_FOLDERS : FREE_FOLDERS)

/** @throws AppError folderUnknown, tooManyFolders; vaultMissing for an encrypted folder */
export async function createFolder(
  context: Deps,
  caller: Member,
  { name, parent, encrypted }: { name: string; parent: number; encrypted: boolean },
): Promise<Group> {
  return context.db.transaction(async (tx) => {
    // Serializes changes of folders per account: the limit holds, and no cycles arise.
    const user = await lockAccountForUpdate(tx, caller.userId)
    await lockTargetFolder(tx, caller.userId, parent)
    const max = folderLimit(user)
    if ((await folders.countFolders(tx, caller.userId)) >= max) throw new AppError('tooManyFolders', { max })
    if (encrypted) await requireVault(tx, caller.userId)
    const id = await folders.insertFolder(tx, caller.userId, parent, name, now(context))
    if (encrypted) await folders.markEncrypted(tx, caller.userId, [id])
    return requireGroup(tx, caller, id)
  })
}

/** Makes an empty folder encrypted. @throws AppError folderUnknown, folderNotEmpty, vaultMissing */
export async function encryptFolder({ db }: Pick<Context, 'db'>, caller: Member, folderId: number): Promise<Group> {
  return db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const group = await requireGroup(tx, caller, folderId)
    if (group.Encrypted) return group
    await requireVault(tx, caller.userId)
    if (!(await folders.isEmpty(tx, caller.userId, folderId))) throw new AppError('folderNotEmpty')
    await folders.markEncrypted(tx, caller.userId, [folderId])
    return requireGroup(tx, caller, folderId)
  })
}

async function requireGroup(db: Db, owner: Pick<Member, 'userId' | 'uid'>, folderId: number): Promise<Group> {
  const folder = await folders.findFolder(db, owner.userId, folderId)
  if (!folder) throw new AppError('folderUnknown')
  return toWireGroup(folder, owner.uid)
}

type Item = (typeof contract)['folders']['item']

/** Finds one file by CID or one folder by id, with its path if the caller may read folders. */
export async function findItem(
  { db }: Pick<Context, 'db'>,
  caller: Member,
  lang: Lang,
  input: Parsed<Item>,
): Promise<Output<Item>> {
  const path = async (folderId: number) =>
    hasPermission(caller, 'readFolder')
      ? visiblePath(
          caller,
          (await folders.findPath(db, caller.userId, folderId)).map(({ id, name }) => ({ ID: id, Name: name })),
        )
      : []
  const { cid, asset_id: assetId } = input
  if (cid === undefined && assetId === undefined) {
    if (input.groupid === undefined) throw new AppError('invalidParams', { field: 'cid, groupid' })
    requirePermission(caller, 'readFolder')
    const Group = await requireGroup(db, caller, input.groupid)
    const total = input.total ? { total: await folders.countBelow(db, caller.userId, input.groupid) } : {}
    return { AssetOverview: null, Group, ...total, path: await path(input.groupid) }
  }
  requirePermission(caller, 'readFile')
  const key = cid === undefined ? { assetId: assetId ?? 0 } : { cid: readCid(cid).text, assetId }
  const asset = await findAsset(db, caller.userId, key)
  const [AssetOverview] = asset ? await overviewsOf(db, caller, lang, [asset.id]) : []
  if (!asset || !AssetOverview) throw new AppError('assetUnknown')
  return { AssetOverview, Group: null, path: await path(asset.folder_id) }
}

/** @throws AppError assetUnknown */
export async function renameFile(
  { db }: Pick<Context, 'db'>,
  caller: Member,
  key: AssetKey,
  name: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const asset = await findAsset(tx, caller.userId, key)
    if (!asset) throw new AppError('assetUnknown')
    await renameAsset(tx, asset.id, name)
  })
}

/** Renames a file when a CID is given, otherwise a folder; each needs its own permission. */
export async function renameItem(
  { db }: Pick<Context, 'db'>,
  caller: Member,
  input: {
    new_name?: string | undefined
    group_id?: number | undefined
    asset_cid?: string | undefined
    asset_id?: number | undefined
  },
): Promise<void> {
  const name = assetName.parse(input.new_name)
  if (input.asset_cid) {
    if (input.group_id) throw new AppError('fileAndFolder')
    requirePermission(caller, 'createFile')
    const { text: cid } = readCid(input.asset_cid)
    return renameFile({ db }, caller, { cid, assetId: input.asset_id }, name)
  }
  requirePermission(caller, 'createFolder')
  if (!input.group_id || (await folders.renameFolder(db, caller.userId, input.group_id, name)) === 0)
    throw new AppError('folderUnknown')
}

/**
 * Moves a folder with everything in it to the trash, or deletes it permanently. Cancels announced uploads into it.
 * @returns how many folders and assets that were
 * @throws AppError moveRoot, folderUnknown; folderNotEmpty without `force`
 */
export async function removeFolder(
  context: Deps,
  caller: Member,
  { group_id, force, trash }: { group_id: number; force: boolean; trash: boolean },
  from: From,
): Promise<{ folders: number; assets: number }> {
  if (group_id === 0) throw new AppError('moveRoot')
  return context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const tree = await folders.findTree(tx, caller.userId, group_id)
    if (tree.length === 0) throw new AppError('folderUnknown')
    if (!force && !(await folders.isEmpty(tx, caller.userId, group_id))) throw new AppError('folderNotEmpty')
    await recordItems(tx, context, caller, from, trash ? 'file.trash' : 'file.delete', 1)
    if (trash) {
      const trashed = (await trashFolder(context, tx, caller, group_id))?.entries ?? []
      await enforceTrashLimit(context, tx, caller)
      await recordStored(tx, caller.userId, now(context))
      return { folders: tree.length, assets: trashed.length }
    }
    const entries = await deleteAssetsIn(tx, caller.userId, tree)
    const announced = await deleteReservationsIn(tx, caller.userId, tree)
    const ids = entries.map(({ id }) => id)
    const earlier = await versions.deleteVersionsOf(tx, caller.userId, ids)
    await deleteLinks(tx, caller.userId, { assets: ids, folders: tree })
    await folders.deleteFolders(tx, caller.userId, tree)
    await releaseInBatches(context, tx, caller, [...entries.map(({ cid }) => cid), ...earlier, ...announced])
    await emitDeleted(tx, caller.userId, entries, { trashed: false, at: now(context) })
    await recordStored(tx, caller.userId, now(context))
    return { folders: tree.length, assets: entries.length }
  })
}

/** @throws AppError moveRoot, folderUnknown, moveSame, moveIntoSelf, folderEncrypted */
export async function moveFolder(
  { db }: Pick<Context, 'db'>,
  caller: Member,
  { group_id, target_group_id }: { group_id: number; target_group_id: number },
): Promise<void> {
  if (group_id === 0) throw new AppError('moveRoot')
  await db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    await moveInto(tx, caller.userId, group_id, target_group_id)
  })
}

/** Moves one folder; the caller has locked the account. Changes nothing if it throws. @throws as `moveFolder` */
export async function moveInto(tx: Db, userId: number, folderId: number, targetId: number): Promise<void> {
  if (folderId === 0) throw new AppError('moveRoot')
  const folder = await folders.lockFolderForShare(tx, userId, folderId)
  if (!folder) throw new AppError('folderUnknown')
  const target = await lockTargetFolder(tx, userId, targetId)
  if (folder.parent_id === targetId) throw new AppError('moveSame')
  const ancestors = targetId === 0 ? [] : await folders.findPath(tx, userId, targetId)
  if (ancestors.some(({ id }) => id === folderId)) throw new AppError('moveIntoSelf')
  if (!target.encrypted) return void (await folders.setParent(tx, userId, folderId, targetId))
  const tree = await folders.findTree(tx, userId, folderId)
  if (await folders.holdUnencrypted(tx, userId, tree)) throw new AppError('folderEncrypted')
  await folders.setParent(tx, userId, folderId, targetId)
  await folders.markEncrypted(tx, userId, tree)
}
