import { type AssetType, SHARE } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import {
  type AssetKey,
  deleteInFoldersReturning,
  deleteReturning,
  type Entry,
  trashedColumns,
} from '../assets/assets.ts'
import { deleteLinks } from '../links/links.ts'

export interface TrashRow {
  id: number
  user_id: number
  kind: AssetType | 'group'
  /** The CID of an asset or the id of a folder, as text. */
  target: string
  name: string
  encrypted: boolean
  /** The folder it was in; 0 is the root. */
  folder_id: number
  path: string[]
  files: number
  size: number
  folders: number
  deleted_at: Date
  purge_at: Date
  /** Until it is deleted. */
  kept: boolean
}

export interface Deleted {
  kind: TrashRow['kind']
  target: string
  name: string
  encrypted: boolean
  folderId: number
  path: readonly string[]
  folders: number
  purgeAt: Date
  kept: boolean
}

/** Creates entries of the trash; the statements below move their content there. @returns their ids, in the order given */
export const insertTrash = async (tx: Db, userId: number, at: Date, deleted: readonly Deleted[]): Promise<number[]> =>
  (
    await tx.rows<{ id: number }>(sql`
      insert into trash (user_id, kind, target, name, encrypted, folder_id, path, folders, deleted_at, purge_at, kept)
      select ${userId}, d.kind, d.target, d.name, d.encrypted, d.folder_id, array(select jsonb_array_elements_text(d.path)),
        d.folders, ${at}, d.purge_at, d.kept
      from jsonb_to_recordset(${JSON.stringify(
        deleted.map(({ folderId, purgeAt, ...rest }, place) => ({
          ...rest,
          place,
          folder_id: folderId,
          purge_at: purgeAt,
        })),
      )}::jsonb) as d (place int, kind text, target text, name text, encrypted boolean, folder_id bigint, path jsonb, folders int,
        purge_at timestamptz, kept boolean)
      order by d.place returning id`)
  ).map((row) => row.id)

/** Moves assets out of the account into their entries. */
export const trashAssets = (tx: Db, userId: number, pairs: readonly { id: number; trashId: number }[]) => {
  const ids = pairs.map(({ id }) => id)
  return tx.run(sql`
    with gone as (${deleteReturning(userId, ids)})
    insert into trashed_assets (trash_id, asset_id, ${trashedColumns})
    select p.trash_id, gone.asset_id, ${trashedColumns} from gone
      join unnest(${ids}::bigint[], ${pairs.map(({ trashId }) => trashId)}::bigint[]) p (asset_id, trash_id) on p.asset_id = gone.asset_id`)
}

/** Moves all assets of these folders into one entry. */
export const trashAssetsIn = (tx: Db, userId: number, folderIds: readonly number[], trashId: number) =>
  tx.rows<Entry>(sql`
    with gone as (${deleteInFoldersReturning(userId, folderIds)})
    insert into trashed_assets (trash_id, asset_id, ${trashedColumns}) select ${trashId}, asset_id, ${trashedColumns} from gone
    returning asset_id as id, cid`)

/** Copies folders into an entry; they are deleted afterwards. */
export const trashFolders = (tx: Db, userId: number, folderIds: readonly number[], trashId: number) =>
  tx.run(sql`
    insert into trashed_folders (trash_id, id, user_id, parent_id, name, share_status, encrypted, downloads, created_at)
    select ${trashId}, id, user_id, parent_id, name, share_status, encrypted, downloads, created_at from folders
    where user_id = ${userId} and id = any(${folderIds})`)

/** The assets of an account that are about to be deleted. */
export const findAssets = (tx: Db, userId: number, ids: readonly number[]) =>
  tx.rows<{
    id: number
    cid: string
    kind: AssetType
    name: string
    encrypted: boolean
    folder_id: number
    expires_at: Date
  }>(sql`
    select id, cid, kind, name, encrypted, folder_id, expires_at from assets where user_id = ${userId} and id = any(${ids}) order by id`)

/** Entries of an account, most recently deleted first. */
export const findPage = (db: Db, userId: number, limit: number, offset: number) =>
  db.rows<TrashRow & { asset_id: number }>(sql`
    select t.id, t.user_id, t.kind, t.target, t.name, t.encrypted, t.folder_id, t.path, t.files, t.size, t.folders, t.deleted_at, t.purge_at, t.kept,
      coalesce((select asset_id from trashed_assets a where a.trash_id = t.id and t.kind <> 'group' limit 1), 0)::bigint as asset_id
    from trash t where t.user_id = ${userId} order by t.id desc limit ${limit} offset ${offset}`)

export const countTrash = (db: Db, userId: number) =>
  db.one<{ total: number }>(sql`select count(*) as total from trash where user_id = ${userId}`)

/** Locks entries by id, except those of other accounts. */
export const lockEntries = (tx: Db, userId: number, ids: readonly number[]) =>
  tx.rows<TrashRow>(sql`
    select id, user_id, kind, target, name, encrypted, folder_id, path, files, size, folders, deleted_at, purge_at, kept
    from trash where user_id = ${userId} and id = any(${ids}) order by id for update`)

/** Locks the oldest entries. @param kept whether also those that are kept until they are deleted */
export const lockOldest = (tx: Db, userId: number, limit: number, { kept }: { kept: boolean }) =>
  tx.rows<{ id: number; size: number; kind: TrashRow['kind'] }>(sql`
    select id, size, kind from trash where user_id = ${userId} ${kept ? none : sql`and not kept`} order by id limit ${limit} for update`)

/** Ids of the oldest entries beyond `max` items; an entry counts as one item, plus one for each folder in it. */
export const findSurplus = async (tx: Db, userId: number, max: number): Promise<number[]> =>
  (
    await tx.rows<{ id: number }>(sql`
      select id from (select id, sum(1 + folders) over (order by id desc) as items from trash where user_id = ${userId} and not kept) t
      where items > ${max}`)
  ).map((row) => row.id)

/** Entries that are due for permanent deletion. */
export const findDue = (db: Db, at: Date, limit: number) =>
  db.rows<{ id: number; user_id: number }>(sql`
    select id, user_id from trash where purge_at <= ${at} order by purge_at limit ${limit}`)

/** Deletes entries with their assets, folders, links and counted downloads. @returns the assets */
export async function deleteTrash(tx: Db, userId: number, ids: readonly number[]): Promise<Entry[]> {
  const entries = await tx.rows<Entry>(
    sql`delete from trashed_assets where trash_id = any(${ids}) returning asset_id as id, cid`,
  )
  const folders = await tx.rows<{ id: number }>(
    sql`delete from trashed_folders where trash_id = any(${ids}) returning id`,
  )
  await deleteLinks(tx, userId, { assets: entries.map(({ id }) => id), folders: folders.map(({ id }) => id) })
  await tx.run(sql`delete from trash where user_id = ${userId} and id = any(${ids})`)
  return entries
}

/** The statement that deletes the assets of an entry and returns them. */
export const deleteTrashedReturning = (trashId: number): Sql =>
  sql`delete from trashed_assets where trash_id = ${trashId} returning asset_id, ${trashedColumns}`

/** The statement that reads the folders of an entry. */
export const selectTrashedFolders = (trashId: number): Sql =>
  sql`select id, user_id, parent_id, name, share_status, encrypted, downloads, created_at from trashed_folders where trash_id = ${trashId}`

/** Whether the entry holds files that are not encrypted. */
export const holdsUnencrypted = async (tx: Db, trashId: number): Promise<boolean> =>
  (
    await tx.one<{ found: boolean }>(
      sql`select exists (select from trashed_assets where trash_id = ${trashId} and not encrypted) as found`,
    )
  ).found

export const deleteEntry = (tx: Db, trashId: number) => tx.run(sql`delete from trash where id = ${trashId}`)

/** The entry that an asset in the trash is in. */
export const findTrashedIn = async (tx: Db, userId: number, assetId: number): Promise<number | undefined> =>
  (
    await tx.maybe<{ trash_id: number }>(
      sql`select trash_id from trashed_assets where user_id = ${userId} and asset_id = ${assetId}`,
    )
  )?.trash_id

/** From now on, an entry is purged as all others. */
export const stopKeeping = (tx: Db, trashId: number, purgeAt: Date) =>
  tx.run(sql`update trash set kept = false, purge_at = ${purgeAt} where id = ${trashId} and kept`)

/** The statement that does this for the entries of what `gone` returns as `asset_id`. */
export const stopKeepingOf = (gone: Sql, purgeAt: Date): Sql => sql`
  with gone as (${gone})
  update trash set kept = false, purge_at = ${purgeAt} where kept
    and id in (select t.trash_id from gone g join trashed_assets t on t.asset_id = g.asset_id)`

/** Restricts the trashed assets of a content, except those already restricted, to these nodes. */
export const restrictTrashedAssets = (tx: Db, cid: string, nodeIds: readonly string[]) =>
  tx.run(sql`update trashed_assets set restricted_to = ${nodeIds} where cid = ${cid} and restricted_to is null`)

/** Removes the entries of a content that is uploaded again from the trash, with their links; those with versions or that are kept stay. */
export async function deleteTrashedAsset(tx: Db, userId: number, cid: string): Promise<void> {
  const gone = await tx.rows<{ id: number }>(sql`
    delete from trashed_assets a where user_id = ${userId} and cid = ${cid}
      and not exists (select 1 from asset_versions v where v.asset_id = a.asset_id)
      and not exists (select 1 from trash t where t.id = a.trash_id and t.kept) returning asset_id as id`)
  if (gone.length > 0) await deleteLinks(tx, userId, { assets: gone.map(({ id }) => id) })
}

/** Stops sharing the entries in the trash that a call means. @returns 0 if there are none */
export const unshareAsset = (tx: Db, userId: number, { cid, assetId }: AssetKey) =>
  tx.run(sql`
    update trashed_assets set share_status = ${SHARE.off}
    where user_id = ${userId} and cid = ${cid} ${assetId === undefined ? none : sql`and asset_id = ${assetId}`}`)

/** Stops sharing a folder in the trash. @returns 0 if it is not there */
export const unshareFolder = (tx: Db, userId: number, folderId: number) =>
  tx.run(sql`update trashed_folders set share_status = ${SHARE.off} where user_id = ${userId} and id = ${folderId}`)

/** Deletes some assets of an account that are in the trash. @returns their CIDs */
export const deleteSomeTrashed = async (tx: Db, userId: number, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ cid: string }>(sql`
      delete from trashed_assets where ctid = any(array(
        select ctid from trashed_assets where user_id = ${userId} limit ${limit})) returning cid`)
  ).map((row) => row.cid)

/** Call it after the assets were deleted. */
export const erased = (userId: number): Sql[] => [
  sql`delete from trashed_folders where ctid = any(array(
    select ctid from trashed_folders where user_id = ${userId} limit ${EXPIRED_BATCH}))`,
  sql`delete from trash where id in (select id from trash where user_id = ${userId} limit ${EXPIRED_BATCH})`,
]

export const exported = (userId: number): Sql => sql`
  select asset_id as row_key, trash_id, asset_id as id, folder_id, name, cid, kind, size, md5, encrypted, created_at, expires_at, receipt_id
  from trashed_assets where user_id = ${userId}`
