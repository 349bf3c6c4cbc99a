import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import { stopKeepingOf } from '../trash/service.ts'

/** The table of objects that S3 deleted in buckets with versions. */

export interface KeyPlace {
  folderId: number
  /** The last part of the key. */
  part: string
}

export interface DeletionRow {
  id: number
  is_marker: boolean
  version_id: string | null
  /** In the trash. */
  asset_id: number | null
}

const columns = sql`id, is_marker, replace(version_id::text, '-', '') as version_id, asset_id`
const isOf = (userId: number, { folderId, part }: KeyPlace): Sql =>
  sql`user_id = ${userId} and folder_id = ${folderId} and part = ${part} collate "C"`

/**
 * Of objects that are in the trash by now.
 * @param named whether the markers have versions of their own; otherwise they are the version "null"
 */
export const insertDeletions = (
  tx: Db,
  userId: number,
  deleted: readonly (KeyPlace & { assetId: number | null })[],
  { named, at }: { named: boolean; at: Date },
) =>
  tx.rows<{ folder_id: number; part: string; version_id: string | null }>(sql`
    insert into object_deletions (user_id, folder_id, part, version_id, created_at, asset_id, has_null)
    select ${userId}, "folderId", part, case when ${named} then gen_random_uuid() end, ${at}, "assetId", not ${named}
      or exists (select from trashed_assets t where t.asset_id = "assetId" and t.version_id is null)
      or exists (select from asset_versions v where v.asset_id = "assetId" and v.kept and v.version_id is null)
    from jsonb_to_recordset(${JSON.stringify(deleted)}::jsonb) d ("folderId" bigint, part text, "assetId" bigint)
    returning folder_id, part, replace(version_id::text, '-', '') as version_id`)

/** The latest deletion of a key. */
export const findLatest = (db: Db, userId: number, place: KeyPlace) =>
  db.maybe<DeletionRow>(
    sql`select ${columns} from object_deletions where ${isOf(userId, place)} order by id desc limit 1`,
  )

/** Deletions of a key whose marker or object in the trash may be the version "null". */
export const findNull = (tx: Db, userId: number, place: KeyPlace) =>
  tx.rows<DeletionRow & { is_null_object: boolean }>(sql`
    select ${columns}, exists (
      select from trashed_assets t where t.asset_id = d.asset_id and t.version_id is null) as is_null_object
    from object_deletions d where ${isOf(userId, place)} and has_null`)

/** They have no version "null" any more. */
export const dropNull = (tx: Db, ids: readonly number[]) =>
  tx.run(sql`update object_deletions set has_null = false where id = any(${ids})`)

/** Takes a marker away; what it hid stays where it is among the versions of its key. */
export async function dropMarker(tx: Db, id: number): Promise<void> {
  await tx.run(sql`update object_deletions set is_marker = false where id = ${id}`)
  await tx.run(sql`delete from object_deletions where id = ${id} and asset_id is null`)
}

/** The object of a deletion is not kept any more. */
export async function dropObject(tx: Db, id: number): Promise<void> {
  await tx.run(sql`update object_deletions set asset_id = null where id = ${id}`)
  await tx.run(sql`delete from object_deletions where id = ${id} and not is_marker`)
}

/** Deletions in folders that are gone, also from the trash. What they keep is purged as everything in the trash. */
export const expired = (purgeAt: Date): Sql[] => [
  stopKeepingOf(
    sql`
      delete from object_deletions where id in (
        select d.id from object_deletions d
        where not exists (select from folders f where f.id = d.folder_id)
          and not exists (select from trashed_folders t where t.id = d.folder_id)
        limit ${EXPIRED_BATCH})
      returning asset_id`,
    purgeAt,
  ),
]

export const erased = (userId: number): Sql[] => [sql`delete from object_deletions where user_id = ${userId}`]

export const exported = (userId: number): Sql => sql`
  select id as row_key, folder_id, part, is_marker, created_at, asset_id from object_deletions where user_id = ${userId}`
