import { type AssetType, type OnConflict, SHARE } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { none, prepared, type Sql, sql } from '../../platform/db/sql.ts'
import { scopeOf } from '../folder-scope/scope.ts'
import { deleteLinks } from '../links/links.ts'

export interface AssetRow {
  id: number
  user_id: number
  folder_id: number
  version: number
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

/** Names an entry of an account: by its content, and by its id if the account lists the content several times. */
export interface AssetKey {
  /** As `readCid` returns it. */
  cid: string
  /** Absent: the earliest entry of the content. */
  assetId?: number | undefined
}

type EntryKey = AssetKey | { cid?: undefined; assetId: number }

const columns = sql`id, user_id, folder_id, version, cid, kind, name, size, encrypted, areas, share_status = ${SHARE.on} as shared, restricted_to, expires_at,
  receipt_id`

/** An account, as an API key that may be limited to folders sees it. */
export interface Holder {
  userId: number
  folders: readonly number[] | null
}

const isBelow = (userId: number, folders: Holder['folders']): Sql =>
  folders ? sql`and folder_id in ${scopeOf(userId, folders)}` : none

const isNamed = (userId: number, { cid, assetId }: EntryKey): Sql =>
  sql`user_id = ${userId} ${cid === undefined ? none : sql`and cid = ${cid}`} ${assetId === undefined ? none : sql`and id = ${assetId}`}`

/** The entry that a call names. Every lookup of one entry goes through this function. */
export const findAsset = (db: Db, userId: number, key: EntryKey) =>
  db.maybe<AssetRow>(sql`select ${columns} from assets where ${isNamed(userId, key)} order by id limit 1`)

/** As `findAsset`, but only below the folders that the caller's key is limited to. */
export const findAssetWithin = (db: Db, { userId, folders }: Holder, key: AssetKey) =>
  db.maybe<AssetRow>(sql`
    select ${columns} from assets where ${isNamed(userId, key)} ${isBelow(userId, folders)} order by id limit 1`)

/** The entry that a link opens, whatever content it has. */
export const findAssetById = (db: Db, userId: number, id: number) =>
  db.maybe<AssetRow>(sql`select ${columns} from assets where user_id = ${userId} and id = ${id}`)

/** All entries that a call can mean, the earliest first. */
export const findEntries = (db: Db, userId: number, key: AssetKey) =>
  db.rows<AssetRow>(sql`select ${columns} from assets where ${isNamed(userId, key)} order by id`)

/** The receipt that the account has for a content. */
export const findKnownReceipt = async (db: Db, userId: number, cid: string): Promise<number | undefined> =>
  (
    await db.maybe<{ receipt_id: number }>(sql`
      select receipt_id from assets where user_id = ${userId} and cid = ${cid} and receipt_id is not null
      union all select receipt_id from asset_versions where user_id = ${userId} and cid = ${cid} and receipt_id is not null limit 1`)
  )?.receipt_id

/** Bytes that announced uploads of a content have reserved, and that a new announcement under this name replaces. */
export const reservedFor = async (tx: Db, announced: Announcement): Promise<number> =>
  (
    await tx.one<{ size: number }>(sql`
      select coalesce(sum(size), 0)::bigint as size from reservations where ${isReplaced(announced)}`)
  ).size

type Announcement = Pick<NewAsset, 'userId' | 'cid' | 'folderId' | 'name'> & { onConflict: OnConflict | undefined }

/** Without `onConflict`, an account announces a content once; with it, once per place. */
const isReplaced = ({ userId, cid, folderId, name, onConflict }: Announcement): Sql => sql`
  user_id = ${userId} and cid = ${cid} ${onConflict === undefined ? none : sql`and folder_id = ${folderId} and name = ${name}`}`

/** The CID of an account's newest asset with each of these MD5s. Assets that are restricted to edges do not count. */
export const findByMd5 = async (db: Db, userId: number, md5s: readonly string[]): Promise<Map<string, string>> =>
  new Map(
    (
      await db.rows<{ md5: string; cid: string }>(sql`
        select distinct on (md5) md5, cid from assets
        where user_id = ${userId} and md5 = any(${md5s}) and restricted_to is null order by md5, id desc`)
    ).map(({ md5, cid }) => [md5, cid]),
  )

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

/** In buckets with versions, S3 has a name for every content. */
const newVersionId = (userId: Sql, folderId: Sql): Sql =>
  sql`case when bucket_versioning(${userId}::bigint, ${folderId}::bigint) = 'Enabled' then gen_random_uuid() end`

/** @returns its id */
export const insertAsset = async (tx: Db, asset: NewAsset): Promise<number> =>
  (
    await tx.one<{ id: number }>(sql`
    insert into assets (user_id, folder_id, version_id, cid, kind, name, size, md5, encrypted, areas, restricted_to, created_at, expires_at, receipt_id)
    values (${asset.userId}, ${asset.folderId}, ${newVersionId(sql`${asset.userId}`, sql`${asset.folderId}`)}, ${asset.cid}, ${asset.kind}, ${asset.name}, ${asset.size},
      ${asset.md5}, ${asset.encrypted}, ${asset.areas}, ${asset.restrictedTo}, ${asset.createdAt}, ${asset.expiresAt}, ${asset.receiptId})
    returning id`)
  ).id

/** Inserts several assets of one account, each of another content, in the order given. @returns their ids, by CID */
export const insertAssets = async (
  tx: Db,
  common: Pick<NewAsset, 'userId' | 'areas' | 'createdAt' | 'expiresAt'>,
  added: readonly Omit<NewAsset, 'userId' | 'areas' | 'createdAt' | 'expiresAt' | 'restrictedTo'>[],
): Promise<Map<string, number>> =>
  new Map(
    (
      await tx.rows<{ cid: string; id: number }>(prepared`
        insert into assets (user_id, folder_id, version_id, cid, kind, name, size, md5, encrypted, areas, created_at, expires_at, receipt_id)
        select ${common.userId}, "folderId", ${newVersionId(sql`${common.userId}`, sql`"folderId"`)}, cid, kind, name, size, md5, encrypted, ${common.areas}::text[], ${common.createdAt},
          ${common.expiresAt}, "receiptId"
        from rows from (jsonb_to_recordset(${JSON.stringify(added)}::jsonb)
          as ("folderId" bigint, cid text, kind text, name text, size bigint, md5 text, encrypted boolean, "receiptId" bigint))
          with ordinality a order by a.ordinality
        returning cid, id`)
    ).map(({ cid, id }) => [cid, id]),
  )

/** Which of these contents the account has, in its files or in the trash. */
export const findListed = async (tx: Db, userId: number, cids: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await tx.rows<{ cid: string }>(prepared`
        select cid from assets where user_id = ${userId} and cid = any(${cids})
        union select cid from trashed_assets where user_id = ${userId} and cid = any(${cids})`)
    ).map((row) => row.cid),
  )

/** Announces an upload, instead of the announcements that it replaces. The caller has locked the account. */
export async function reserve(
  tx: Db,
  asset: Omit<NewAsset, 'expiresAt' | 'restrictedTo' | 'receiptId'> & { onConflict: OnConflict | undefined },
  traceId: string,
): Promise<void> {
  await tx.run(sql`delete from reservations where ${isReplaced(asset)}`)
  await tx.run(sql`
    insert into reservations (user_id, cid, folder_id, kind, name, size, md5, encrypted, areas, trace_id, created_at, on_conflict)
    values (${asset.userId}, ${asset.cid}, ${asset.folderId}, ${asset.kind}, ${asset.name}, ${asset.size}, ${asset.md5}, ${asset.encrypted},
      ${asset.areas}, ${traceId}, ${asset.createdAt}, ${asset.onConflict ?? null})`)
}

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
  /** Null: the content is not listed if the account has it anywhere. */
  on_conflict: OnConflict | null
}

/** Deletes the reservations of a content. @returns the deleted rows, the oldest first */
export const deleteReservationsOf = async (tx: Db, userId: number, cid: string): Promise<ReservationRow[]> =>
  (
    await tx.rows<ReservationRow & { created_at: Date }>(sql`
      delete from reservations where user_id = ${userId} and cid = ${cid}
      returning user_id, cid, folder_id, kind, name, size, md5, encrypted, areas, on_conflict, created_at`)
  ).sort((a, b) => a.created_at.getTime() - b.created_at.getTime())

/** Deletes the reservations of a content that need no upload any more, now that it is listed at this place. */
export const deleteFulfilled = (tx: Db, { userId, cid, folderId, name }: Omit<Announcement, 'onConflict'>) =>
  tx.run(sql`
    delete from reservations where user_id = ${userId} and cid = ${cid}
      and (on_conflict is null or (folder_id = ${folderId} and name = ${name}))`)

export const renameAsset = (tx: Db, assetId: number, name: string) =>
  tx.run(sql`update assets set name = ${name}, key_part = null where id = ${assetId}`)

export const setFolder = (tx: Db, assetId: number, folderId: number) =>
  tx.run(sql`update assets set folder_id = ${folderId} where id = ${assetId}`)

/** Replaces the content of an entry; the caller has kept the earlier one as a version. */
export const setContent = (tx: Db, assetId: number, content: Omit<NewAsset, 'userId' | 'folderId' | 'name'>) =>
  tx.run(sql`
    update assets set version = greatest(version, (select max(v.version) from asset_versions v where v.asset_id = assets.id)) + 1,
      version_id = ${newVersionId(sql`user_id`, sql`folder_id`)}, cid = ${content.cid}, kind = ${content.kind}, size = ${content.size}, md5 = ${content.md5},
      encrypted = ${content.encrypted}, areas = ${content.areas}, restricted_to = ${content.restrictedTo}, created_at = ${content.createdAt},
      expires_at = ${content.expiresAt}, ending_stage = 0, receipt_id = ${content.receiptId}
    where id = ${assetId}`)

export const setAreas = (tx: Db, assetId: number, areas: readonly string[]) =>
  tx.run(sql`update assets set areas = ${areas} where id = ${assetId}`)

/** Deletes a locked asset with its link and counted downloads. */
export async function deleteAsset(tx: Db, asset: Pick<AssetRow, 'id' | 'user_id'>): Promise<void> {
  await tx.run(sql`delete from assets where id = ${asset.id}`)
  await deleteLinks(tx, asset.user_id, { assets: [asset.id] })
}

/** Moves files into a folder, except those already there. @returns the ids of those that moved */
export const moveAssets = async (
  tx: Db,
  userId: number,
  ids: readonly number[],
  folderId: number,
): Promise<Set<number>> =>
  new Set(
    (
      await tx.rows<{ id: number }>(sql`
        update assets set folder_id = ${folderId} where user_id = ${userId} and id = any(${ids}) and folder_id <> ${folderId} returning id`)
    ).map(({ id }) => id),
  )

/** An entry of an account, as calls for many of them need it. */
export interface Entry {
  id: number
  cid: string
}

/** The earliest entries of these contents, and the entries with these ids, by what named them. Missing ones are left out. */
export async function findNamedEntries(
  db: Db,
  { userId, folders }: Holder,
  { cids, ids }: { cids: readonly string[]; ids: readonly number[] },
): Promise<{ byCid: Map<string, Entry>; byId: Map<number, Entry> }> {
  const rows = await db.rows<Entry & { first: boolean }>(sql`
    (select distinct on (cid) id, cid, true as first from assets
      where user_id = ${userId} and cid = any(${cids}) ${isBelow(userId, folders)} order by cid, id)
    union all select id, cid, false from assets where user_id = ${userId} and id = any(${ids}) ${isBelow(userId, folders)}`)
  return {
    byCid: new Map(rows.filter(({ first }) => first).map((row) => [row.cid, row])),
    byId: new Map(rows.filter(({ first }) => !first).map((row) => [row.id, row])),
  }
}

/** Which of these entries are not encrypted. */
export const findUnencrypted = async (db: Db, userId: number, ids: readonly number[]): Promise<Set<number>> =>
  new Set(
    (
      await db.rows<{ id: number }>(
        sql`select id from assets where user_id = ${userId} and id = any(${ids}) and not encrypted`,
      )
    ).map(({ id }) => id),
  )

/** Deletes the assets of these folders. */
export const deleteAssetsIn = (tx: Db, userId: number, folderIds: readonly number[]) =>
  tx.rows<Entry>(sql`delete from assets where user_id = ${userId} and folder_id = any(${folderIds}) returning id, cid`)

/** Which of these contents the account still lists, or has in the trash, as a version, or as a part of an unfinished upload. */
export const stillListed = async (db: Db, userId: number, cids: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await db.rows<{ cid: string }>(sql`
        select cid from assets where user_id = ${userId} and cid = any(${cids})
        union select cid from trashed_assets where user_id = ${userId} and cid = any(${cids})
        union select cid from asset_versions where user_id = ${userId} and cid = any(${cids})
        union select p.cid from object_uploads u join object_parts p on p.upload_id = u.id
          where u.user_id = ${userId} and p.cid = any(${cids})`)
    ).map(({ cid }) => cid),
  )

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

/** Restricts the assets and versions of a content, except those already restricted, to these nodes. */
export const restrictAssets = (tx: Db, cid: string, nodeIds: readonly string[]) =>
  tx.run(sql`
    with versions as (update asset_versions set restricted_to = ${nodeIds} where cid = ${cid} and restricted_to is null)
    update assets set restricted_to = ${nodeIds} where cid = ${cid} and restricted_to is null`)

/** The account proved possession of an asset with the listed size: it may read it from any node. */
export const liftRestriction = (tx: Db, { cid, size }: { cid: string; size: number }, userId: number) =>
  tx.run(sql`
    with versions as (
      update asset_versions set restricted_to = null
      where cid = ${cid} and user_id = ${userId} and restricted_to is not null and size = ${size}
    )
    update assets set restricted_to = null where cid = ${cid} and user_id = ${userId} and restricted_to is not null and size = ${size}`)

/** The same for several contents. */
export const liftRestrictions = (tx: Db, contents: readonly { cid: string; size: number }[], userId: number) =>
  tx.run(prepared`
    update assets a set restricted_to = null
    from unnest(${contents.map(({ cid }) => cid)}::text[], ${contents.map(({ size }) => size)}::bigint[]) c (cid, size)
    where a.user_id = ${userId} and a.cid = c.cid and a.size = c.size and a.restricted_to is not null`)

/** Which of these contents the account has announced. */
export const findReservedContents = async (tx: Db, userId: number, cids: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await tx.rows<{ cid: string }>(
        prepared`select cid from reservations where user_id = ${userId} and cid = any(${cids})`,
      )
    ).map((row) => row.cid),
  )

/** Expired assets whose end was announced for the last time. */
export const findExpired = (db: Db, at: Date, limit: number) =>
  db.rows<{ id: number; user_id: number; cid: string }>(sql`
    select id, user_id, cid from assets where ending_stage = 3 and expires_at <= ${at} order by expires_at limit ${limit}`)

/** Files of an account that end before a time, the first ones first. */
export const findEnding = (db: Db, userId: number, before: Date, limit: number) =>
  db.rows<{ cid: string; name: string; expires_at: Date }>(sql`
    select cid, name, expires_at from assets where user_id = ${userId} and expires_at < ${before} order by expires_at limit ${limit}`)

/** Locks an asset if it has expired and was announced. @returns whether it has */
export const lockExpired = async (tx: Db, id: number, at: Date): Promise<boolean> =>
  (await tx.maybe(
    sql`select 1 from assets where id = ${id} and ending_stage = 3 and expires_at <= ${at} for update`,
  )) !== undefined

/** Reservations made before this time. */
export const findOldReservations = (db: Db, before: Date, limit: number) =>
  db.rows<{ user_id: number; cid: string }>(
    sql`select distinct user_id, cid, created_at from reservations where created_at <= ${before} order by created_at limit ${limit}`,
  )

/** @returns 0 if it is gone or was renewed */
export const deleteOldReservations = (tx: Db, userId: number, cid: string, before: Date) =>
  tx.run(sql`delete from reservations where user_id = ${userId} and cid = ${cid} and created_at <= ${before}`)

export const setShared = (tx: Db, assetId: number, shared: boolean) =>
  tx.run(sql`update assets set share_status = ${shared ? SHARE.on : SHARE.off} where id = ${assetId}`)

/** Locks an asset and returns its counted downloads. */
export const lockDownloads = (tx: Db, assetId: number) =>
  tx.maybe<{ downloads: number }>(sql`select downloads from assets where id = ${assetId} for update`)

export const addDownload = (tx: Db, assetId: number) =>
  tx.run(sql`update assets set downloads = downloads + 1 where id = ${assetId}`)

const restored = sql`version, version_id, cid, kind, size, md5, encrypted, areas, share_status, downloads, restricted_to, created_at, expires_at, receipt_id`
/** Columns that an asset keeps in the trash. */
export const trashedColumns = sql`user_id, folder_id, seq, name, ${restored}`

/**
 * Statements that the trash embeds in its own, so that moving the assets of a large folder does not transfer them to the server.
 */
export const deleteReturning = (userId: number, ids: readonly number[]): Sql =>
  sql`delete from assets where user_id = ${userId} and id = any(${ids}) returning id as asset_id, ${trashedColumns}`
export const deleteInFoldersReturning = (userId: number, folderIds: readonly number[]): Sql =>
  sql`delete from assets where user_id = ${userId} and folder_id = any(${folderIds}) returning id as asset_id, ${trashedColumns}`

/** Restores an asset with its id into this folder, under this name. @param taken the statement that returns it */
export const restoreAsset = (tx: Db, taken: Sql, { folderId, name }: { folderId: number; name: string }) =>
  tx.run(sql`
    with back as (${taken})
    insert into assets (id, user_id, folder_id, name, ${restored}) overriding system value
    select asset_id, user_id, ${folderId}, ${name}, ${restored} from back`)

/**
 * Restores assets with their ids into their folders, in their previous order.
 * @param taken the statement that returns them
 * @param reservePositions builds the statement that reserves positions for them in their folders
 */
export const restoreAssets = (tx: Db, taken: Sql, reservePositions: (assets: Sql) => Sql) =>
  tx.run(sql`
    with back as (${taken}), positions as (${reservePositions(sql`back`)})
    insert into assets (id, user_id, folder_id, seq, name, ${restored}) overriding system value
    select b.asset_id, b.user_id, b.folder_id, p.next_seq - row_number() over (partition by b.folder_id order by b.seq desc), name, ${restored}
    from back b join positions p on p.folder_id = b.folder_id`)

export const md5Of = async (db: Db, assetId: number): Promise<string | null> =>
  (await db.one<{ md5: string | null }>(sql`select md5 from assets where id = ${assetId}`)).md5

/** How often others downloaded the asset through a share. */
export const downloadsOf = async (db: Db, assetId: number): Promise<number> =>
  (await db.one<{ downloads: number }>(sql`select downloads from assets where id = ${assetId}`)).downloads

/** Deletes some assets of an account. @returns their CIDs */
export const deleteSomeAssets = async (tx: Db, userId: number, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ cid: string }>(sql`
      delete from assets where id in (select id from assets where user_id = ${userId} limit ${limit}) returning cid`)
  ).map((row) => row.cid)

/** Deletes some reservations of an account. @returns their CIDs */
export const deleteSomeReservations = async (tx: Db, userId: number, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ cid: string }>(sql`
      delete from reservations where user_id = ${userId}
        and cid in (select cid from reservations where user_id = ${userId} limit ${limit}) returning cid`)
  ).map((row) => row.cid)

export const exported = (userId: number): Sql => sql`
  select id as row_key, id, folder_id, name, cid, kind, size, md5, encrypted, areas, share_status = ${SHARE.on} as shared, downloads,
    created_at, expires_at, receipt_id from assets where user_id = ${userId}`
