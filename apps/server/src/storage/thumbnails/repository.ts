import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

/** The table of thumbnails, by account and content. */

/** Whether the account has the content: in a file, an earlier version, or the trash. */
const isHeld = sql`(
  exists (select from assets a where a.user_id = t.user_id and a.cid = t.cid)
  or exists (select from asset_versions v where v.user_id = t.user_id and v.cid = t.cid)
  or exists (select from trashed_assets d where d.user_id = t.user_id and d.cid = t.cid))`

export const findThumbnails = (db: Db, userId: number, cids: readonly string[]) =>
  db.rows<{ cid: string; image: Buffer }>(sql`
    select t.cid, t.image from thumbnails t where t.user_id = ${userId} and t.cid = any(${cids}::text[]) and ${isHeld}`)

/** How many an account has, and their bytes. */
export const countThumbnails = (db: Db, userId: number): Promise<{ count: number; bytes: number }> =>
  db.one(sql`
    select count(*) as count, coalesce(sum(octet_length(image)), 0)::bigint as bytes from thumbnails where user_id = ${userId}`)

/** @returns 0 if the content has one */
export const insertThumbnail = (db: Db, userId: number, cid: string, image: Buffer, at: Date) =>
  db.run(sql`
    insert into thumbnails (user_id, cid, image, created_at, checked_at) values (${userId}, ${cid}, ${image}, ${at}, ${at})
    on conflict do nothing`)

/** Checks those that were not checked since `before`, and deletes those whose content the account no longer has. @returns how many were checked */
export const dropUnheld = async (db: Db, at: Date, before: Date, limit: number): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      with due as (
        select user_id, cid from thumbnails where checked_at <= ${before} order by checked_at limit ${limit} for update skip locked),
      held as (
        update thumbnails t set checked_at = ${at} from due
        where t.user_id = due.user_id and t.cid = due.cid and ${isHeld}),
      dropped as (
        delete from thumbnails t using due
        where t.user_id = due.user_id and t.cid = due.cid and not ${isHeld})
      select count(*) as count from due`)
  ).count

export const erased = (userId: number): Sql[] => [
  sql`delete from thumbnails where (user_id, cid) in (
    select user_id, cid from thumbnails where user_id = ${userId} limit ${EXPIRED_BATCH})`,
]

/** Without the images: they show files that the account downloads. */
export const exported = (userId: number): Sql => sql`
  select cid as row_key, cid, octet_length(image) as size, created_at from thumbnails where user_id = ${userId}`
