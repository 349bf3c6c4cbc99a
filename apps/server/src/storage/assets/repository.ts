import { type AssetType, SHARE } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { deleteLinks } from '../links/links.ts'

export interface AssetRow {
  id: number
  user_id: number
  folder_id: number
  cid: string
  kind: AssetType
  name: string
  size: number
  encrypted: boolean
  areas: string[]
  shared: boolean
  /** The only nodes that the account may read it from; null: any. */
  restricted_to: string[] | null
  expires_at: Date
  receipt_id: number | null
}

export const findAsset = (db: Db, userId: number, cid: string) =>
  db.maybe<AssetRow>(sql`
    select id, user_id, folder_id, cid, kind, name, size, encrypted, areas, share_status = ${SHARE.on} as shared, restricted_to, expires_at, receipt_id
    from assets where user_id = ${userId} and cid = ${cid}`)

export const reservedFor = async (tx: Db, userId: number, cid: string): Promise<number> =>
  (await tx.maybe<{ size: number }>(sql`select size from reservations where user_id = ${userId} and cid = ${cid}`))
    ?.size ?? 0

export interface NewAsset {
  userId: number
  folderId: number
  cid: string
  kind: AssetType
  name: string
  size: number
  md5: string | null
  encrypted: boolean
  areas: string[]
  /** The only nodes that the account may read it from; null: any. */
  restrictedTo: string[] | null
  createdAt: Date
  expiresAt: Date
  /** Null: the account has had its receipts of the day. */
  receiptId: number | null
}

/** Inserts an asset and deletes the reservation of the same content. The caller has deleted it from the trash. */
export async function insertAsset(tx: Db, asset: NewAsset): Promise<void> {
  await tx.run(sql`delete from reservations where user_id = ${asset.userId} and cid = ${asset.cid}`)
  await tx.run(sql`
    insert into assets (user_id, folder_id, cid, kind, name, size, md5, encrypted, areas, restricted_to, created_at, expires_at, receipt_id)
    values (${asset.userId}, ${asset.folderId}, ${asset.cid}, ${asset.kind}, ${asset.name}, ${asset.size}, ${asset.md5}, ${asset.encrypted},
      ${asset.areas}, ${asset.restrictedTo}, ${asset.createdAt}, ${asset.expiresAt}, ${asset.receiptId})`)
}

export const reserve = (tx: Db, asset: Omit<NewAsset, 'expiresAt' | 'restrictedTo' | 'receiptId'>, traceId: string) =>
  tx.run(sql`
    insert into reservations (user_id, cid, folder_id, kind, name, size, md5, encrypted, areas, trace_id, created_at)
    values (${asset.userId}, ${asset.cid}, ${asset.folderId}, ${asset.kind}, ${asset.name}, ${asset.size}, ${asset.md5}, ${asset.encrypted},
      ${asset.areas}, ${traceId}, ${asset.createdAt})
    on conflict (user_id, cid) do update set folder_id = excluded.folder_id, name = excluded.name, size = excluded.size,
      areas = excluded.areas, trace_id = excluded.trace_id, created_at = excluded.created_at`)

export interface ReservationRow {
  user_id: number
  cid: string
  folder_id: number
  kind: AssetType
  name: string
  size: number
  md5: string | null
  encrypted: boolean
  areas: string[]
}

/** Deletes a reservation. @returns the deleted row */
export const deleteReservation = (tx: Db, userId: number, cid: string) =>
  tx.maybe<ReservationRow>(sql`
    delete from reservations where user_id = ${userId} and cid = ${cid}
    returning user_id, cid, folder_id, kind, name, size, md5, encrypted, areas`)

export const renameAsset = (db: Db, userId: number, cid: string, name: string) =>
  db.run(sql`update assets set name = ${name} where user_id = ${userId} and cid = ${cid}`)

export const setFolder = (tx: Db, assetId: number, folderId: number) =>
  tx.run(sql`update assets set folder_id = ${folderId} where id = ${assetId}`)

export const setAreas = (tx: Db, assetId: number, areas: readonly string[]) =>
  tx.run(sql`update assets set areas = ${areas} where id = ${assetId}`)

/** Deletes a locked asset with its link and counted downloads. */
export async function deleteAsset(tx: Db, asset: Pick<AssetRow, 'id' | 'user_id' | 'cid'>): Promise<void> {
  await tx.run(sql`delete from assets where id = ${asset.id}`)
  await deleteLinks(tx, asset.user_id, [asset.cid])
}

/** Moves files into a folder, except those already there. @returns the CIDs that moved */
export const moveAssets = async (
  tx: Db,
  userId: number,
  cids: readonly string[],
  folderId: number,
): Promise<string[]> =>
  (
    await tx.rows<{ cid: string }>(sql`
      update assets set folder_id = ${folderId} where user_id = ${userId} and cid = any(${cids}) and folder_id <> ${folderId} returning cid`)
  ).map((row) => row.cid)

/** Which of these CIDs the account has. */
export const findOwned = async (db: Db, userId: number, cids: readonly string[]): Promise<Set<string>> =>
  new Set(
    (await db.rows<{ cid: string }>(sql`select cid from assets where user_id = ${userId} and cid = any(${cids})`)).map(
      (row) => row.cid,
    ),
  )

/** Deletes the assets of these folders. @returns their CIDs */
export const deleteAssetsIn = async (tx: Db, userId: number, folderIds: readonly number[]): Promise<string[]> =>
  (
    await tx.rows<{ cid: string }>(sql`
      delete from assets where user_id = ${userId} and folder_id = any(${folderIds}) returning cid`)
  ).map((row) => row.cid)

/** Deletes the reservations of uploads into these folders. @returns their CIDs */
export const deleteReservationsIn = async (tx: Db, userId: number, folderIds: readonly number[]): Promise<string[]> =>
  (
    await tx.rows<{ cid: string }>(sql`
      delete from reservations where user_id = ${userId} and folder_id = any(${folderIds}) returning cid`)
  ).map((row) => row.cid)

/** Deletes the reservations of an upload, by its trace or by its content; '' matches none. */
export const deleteReservations = (tx: Db, userId: number, { traceId, cid }: { traceId: string; cid: string }) =>
  tx.rows<{ cid: string; trace_id: string }>(sql`
    delete from reservations where user_id = ${userId}
      and ((trace_id = ${traceId} and ${traceId !== ''}) or (cid = ${cid} and ${cid !== ''}))
    returning cid, trace_id`)

/** Restricts the assets of a content, except those already restricted, to these nodes. */
export const restrictAssets = (tx: Db, cid: string, nodeIds: readonly string[]) =>
  tx.run(sql`update assets set restricted_to = ${nodeIds} where cid = ${cid} and restricted_to is null`)

/** The account proved possession of an asset with the listed size: it may read it from any node. */
export const liftRestriction = (tx: Db, { cid, size }: { cid: string; size: number }, userId: number) =>
  tx.run(sql`
    update assets set restricted_to = null where cid = ${cid} and user_id = ${userId} and restricted_to is not null and size = ${size}`)

/** Expired assets. */
export const findExpired = (db: Db, at: Date, limit: number) =>
  db.rows<{ id: number; user_id: number; cid: string }>(sql`
    select id, user_id, cid from assets where expires_at <= ${at} order by expires_at limit ${limit}`)

/** Locks an asset if it has expired. @returns whether it has */
export const lockExpired = async (tx: Db, id: number, at: Date): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from assets where id = ${id} and expires_at <= ${at} for update`)) !== undefined

/** Reservations made before this time. */
export const findOldReservations = (db: Db, before: Date, limit: number) =>
  db.rows<{ user_id: number; cid: string }>(
    sql`select user_id, cid from reservations where created_at <= ${before} order by created_at limit ${limit}`,
  )

/** @returns 0 if it is gone or was renewed */
export const deleteOldReservation = (tx: Db, userId: number, cid: string, before: Date) =>
  tx.run(sql`delete from reservations where user_id = ${userId} and cid = ${cid} and created_at <= ${before}`)

export const setShared = (tx: Db, userId: number, cid: string, shared: boolean) =>
  tx.run(
    sql`update assets set share_status = ${shared ? SHARE.on : SHARE.off} where user_id = ${userId} and cid = ${cid}`,
  )

/** Locks an asset and returns its counted downloads. */
export const lockDownloads = (tx: Db, assetId: number) =>
  tx.maybe<{ downloads: number }>(sql`select downloads from assets where id = ${assetId} for update`)

export const addDownload = (tx: Db, assetId: number) =>
  tx.run(sql`update assets set downloads = downloads + 1 where id = ${assetId}`)

const restored = sql`cid, kind, size, md5, encrypted, areas, share_status, downloads, restricted_to, created_at, expires_at, receipt_id`
/** Columns that an asset keeps in the trash. */
export const trashedColumns = sql`user_id, folder_id, seq, name, ${restored}`

/**
 * Statements that the trash embeds in its own, so that moving the assets of a large folder does not transfer them to the server.
 */
export const deleteReturning = (userId: number, ids: readonly number[]): Sql =>
  sql`delete from assets where user_id = ${userId} and id = any(${ids}) returning id, ${trashedColumns}`
export const deleteInFoldersReturning = (userId: number, folderIds: readonly number[]): Sql =>
  sql`delete from assets where user_id = ${userId} and folder_id = any(${folderIds}) returning ${trashedColumns}`

/** Restores an asset into this folder, under this name. @param taken the statement that returns it */
export const restoreAsset = (tx: Db, taken: Sql, { folderId, name }: { folderId: number; name: string }) =>
  tx.run(sql`
    with back as (${taken})
    insert into assets (user_id, folder_id, name, ${restored}) select user_id, ${folderId}, ${name}, ${restored} from back`)

/**
 * Restores assets into their folders, in their previous order.
 * @param taken the statement that returns them
 * @param reservePositions builds the statement that reserves positions for them in their folders
 */
export const restoreAssets = (tx: Db, taken: Sql, reservePositions: (assets: Sql) => Sql) =>
  tx.run(sql`
    with back as (${taken}), positions as (${reservePositions(sql`back`)})
    insert into assets (user_id, folder_id, seq, name, ${restored})
    select b.user_id, b.folder_id, p.next_seq - row_number() over (partition by b.folder_id order by b.seq desc), name, ${restored}
    from back b join positions p on p.folder_id = b.folder_id`)

/** How often others downloaded the asset through a share. */
export const downloadsOf = async (db: Db, assetId: number): Promise<number> =>
  (await db.one<{ downloads: number }>(sql`select downloads from assets where id = ${assetId}`)).downloads
