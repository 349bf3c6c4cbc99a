import type { AssetType } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'

/** The table of versions: what entries contained before. */

export interface VersionRow {
  id: number
  asset_id: number
  version: number
  cid: string
  kind: AssetType
  size: number
  md5: string | null
  encrypted: boolean
  restricted_to: string[] | null
  receipt_id: number | null
  created_at: Date
  replaced_at: Date
  purge_at: Date
  removed_at: Date | null
  /** Until it is deleted, whatever the plan. */
  kept: boolean
}

const columns = sql`v.id, v.asset_id, v.version, v.cid, v.kind, v.size, v.md5, v.encrypted, v.restricted_to, v.receipt_id, v.created_at, v.replaced_at,
  v.purge_at, v.removed_at, v.kept`

/** When versions are purged that are kept until they are deleted. */
export const KEPT_UNTIL = new Date('9999-12-31T00:00:00Z')

interface Keeping {
  at: Date
  /** Of a version that is not kept until it is deleted. */
  purgeAt: Date
}

/**
 * Keeps the content that an entry has now. In a bucket with versions, it is kept until it is deleted; while they are suspended, the version
 * "null" is not, because there can be only one.
 * @returns whether it is kept until it is deleted
 */
export const keepVersion = async (tx: Db, assetId: number, { at, purgeAt }: Keeping): Promise<boolean> => {
  const { kept, state } = await tx.one<{ kept: boolean; state: string | null }>(sql`
    insert into asset_versions (user_id, asset_id, version, version_id, cid, kind, size, md5, encrypted, restricted_to, receipt_id, created_at,
      replaced_at, kept, purge_at)
    select user_id, id, version, version_id, cid, kind, size, md5, encrypted, restricted_to, receipt_id, created_at, ${at}, k.kept,
      case when k.kept then ${KEPT_UNTIL}::timestamptz else ${purgeAt}::timestamptz end
    from assets cross join lateral (
      select coalesce(s.state = 'Enabled' or (s.state = 'Suspended' and version_id is not null), false) as kept
      from (select bucket_versioning(user_id, folder_id) as state) s
    ) k
    where id = ${assetId}
    returning kept, (select bucket_versioning(a.user_id, a.folder_id) from assets a where a.id = asset_id) as state`)
  if (state === 'Suspended') await stopKeepingNull(tx, assetId, purgeAt)
  return kept
}

/** There is another version "null" now. */
export const stopKeepingNull = (tx: Db, assetId: number, purgeAt: Date) =>
  tx.run(sql`
    update asset_versions set kept = false, purge_at = ${purgeAt} where asset_id = ${assetId} and kept and version_id is null`)

type Place = 'assets' | 'trashed_assets'
const placeOf = {
  assets: { table: sql`assets`, id: sql`id` },
  trashed_assets: { table: sql`trashed_assets`, id: sql`asset_id` },
}

/** Keeps the content of an entry, which need not be the current one, for as long as the plan says. */
export const demoteContent = (tx: Db, place: Place, assetId: number, { at, purgeAt }: Keeping) => {
  const { table, id } = placeOf[place]
  return tx.run(sql`
    insert into asset_versions (user_id, asset_id, version, version_id, cid, kind, size, md5, encrypted, restricted_to, receipt_id, created_at, replaced_at, purge_at)
    select user_id, ${id}, version, version_id, cid, kind, size, md5, encrypted, restricted_to, receipt_id, created_at, ${at}, ${purgeAt}
    from ${table} where ${id} = ${assetId}`)
}

/** Makes the newest kept version of an entry its content. @returns undefined if it has none */
export const promoteVersion = (tx: Db, place: Place, assetId: number) => {
  const { table, id } = placeOf[place]
  return tx.maybe<{ cid: string }>(sql`
    with newest as (
      delete from asset_versions where id = (
        select id from asset_versions where asset_id = ${assetId} and kept order by version desc limit 1) returning *
    )
    update ${table} e set version = n.version, version_id = n.version_id, cid = n.cid, kind = n.kind, size = n.size, md5 = n.md5,
      encrypted = n.encrypted, restricted_to = n.restricted_to, receipt_id = n.receipt_id, created_at = n.created_at
    from newest n where e.${id} = n.asset_id returning e.cid`)
}

/** What S3 keeps of a content goes along when the content becomes the current one again. */
export const copyDetails = (tx: Db, assetId: number, version: number) =>
  tx.run(sql`select copy_object_details(id, ${version}, version) from assets where id = ${assetId}`)

/** A page of the versions of an entry, the newest first. */
export const findVersions = (db: Db, assetId: number, at: Date, limit: number, offset: number) =>
  db.rows<VersionRow>(sql`
    select ${columns} from asset_versions v where v.asset_id = ${assetId} and v.purge_at > ${at}
    order by v.version desc limit ${limit} offset ${offset}`)

export const countVersions = async (db: Db, assetId: number, at: Date): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) as count from asset_versions where asset_id = ${assetId} and purge_at > ${at}`,
    )
  ).count

/** A version of an entry that the account lists; none of an entry in the trash. */
const findOne = (db: Db, userId: number, condition: Sql, at: Date) =>
  db.maybe<VersionRow>(sql`
    select ${columns} from asset_versions v join assets a on a.id = v.asset_id and a.user_id = v.user_id
    where v.user_id = ${userId} and v.purge_at > ${at} and ${condition} order by v.id desc limit 1`)

export const findVersion = (db: Db, userId: number, id: number, at: Date) => findOne(db, userId, sql`v.id = ${id}`, at)

/** The newest version with this content, of this entry or of any. Deleted ones are not readable. */
export const findVersionOf = (
  db: Db,
  userId: number,
  { cid, assetId }: { cid: string; assetId: number | undefined },
  at: Date,
) =>
  findOne(
    db,
    userId,
    sql`v.cid = ${cid} and v.removed_at is null and (${assetId ?? null}::bigint is null or v.asset_id = ${assetId ?? null})`,
    at,
  )

export const markRemoved = (tx: Db, id: number, { at, purgeAt }: { at: Date; purgeAt: Date }) =>
  tx.run(sql`
    update asset_versions set removed_at = ${at}, kept = false, kept_until = purge_at, purge_at = least(purge_at, ${purgeAt}) where id = ${id}`)

/** Keeps it for as long as before it was deleted. @param purgeAt for one that was deleted by a server that did not record that */
export const markKept = (tx: Db, id: number, purgeAt: Date) =>
  tx.run(sql`
    update asset_versions set removed_at = null, kept = coalesce(kept_until >= ${KEPT_UNTIL}::timestamptz, false), kept_until = null, purge_at = coalesce(kept_until, ${purgeAt}) where id = ${id}`)

/** Deletes versions of an entry beyond the newest `max`, except those that are kept. @returns their CIDs */
export const deleteSurplus = (tx: Db, assetId: number, max: number) =>
  deleteWhere(
    tx,
    sql`select id from asset_versions where asset_id = ${assetId} and not kept order by version desc offset ${max}`,
  )

/** Deletes all versions of these entries, which are deleted too. @returns their CIDs */
export const deleteVersionsOf = async (tx: Db, userId: number, assetIds: readonly number[]): Promise<string[]> =>
  assetIds.length === 0
    ? []
    : deleteWhere(tx, sql`select id from asset_versions where user_id = ${userId} and asset_id = any(${assetIds})`)

export const deleteVersions = (tx: Db, userId: number, ids: readonly number[]) =>
  deleteWhere(tx, sql`select id from asset_versions where user_id = ${userId} and id = any(${ids})`)

/** Deletes those of these versions that are due. @returns their CIDs */
export const deleteDue = (tx: Db, userId: number, ids: readonly number[], at: Date) =>
  deleteWhere(
    tx,
    sql`select id from asset_versions where user_id = ${userId} and id = any(${ids}) and purge_at <= ${at}`,
  )

const deleteWhere = async (tx: Db, ids: Sql): Promise<string[]> =>
  (await tx.rows<{ cid: string }>(sql`delete from asset_versions where id in (${ids}) returning cid`)).map(
    ({ cid }) => cid,
  )

/** The versions of an account that were replaced first. @param kept whether also those that are kept until they are deleted */
export const findOldestVersions = (tx: Db, userId: number, limit: number, { kept }: { kept: boolean }) =>
  tx.rows<{ id: number; size: number }>(sql`
    select id, size from asset_versions where user_id = ${userId} ${kept ? none : sql`and not kept`} order by replaced_at, id limit ${limit}`)

export const findDueVersions = (db: Db, at: Date, limit: number) =>
  db.rows<{ id: number; user_id: number }>(sql`
    select id, user_id from asset_versions where purge_at <= ${at} order by purge_at limit ${limit}`)

export const exported = (userId: number): Sql => sql`
  select id as row_key, asset_id, version, cid, kind, size, md5, encrypted, created_at, replaced_at, receipt_id from asset_versions
  where user_id = ${userId} and removed_at is null`
