import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { prepared, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

/** The receipt of an upload that the account has deleted; undefined if there was none, or it was deleted long ago. */
/** The same for several contents, by CID. */
export const findFormerReceipts = async (
  tx: Db,
  userId: number,
  cids: readonly string[],
): Promise<Map<string, number>> =>
  new Map(
    (
      await tx.rows<{ cid: string; receipt_id: number }>(prepared`
        select c.cid, f.receipt_id from unnest(${cids}::text[]) c (cid)
        join former_uploads f on f.user_id = ${userId} and f.content = substring(sha256(convert_to(c.cid, 'UTF8')) for 16)`)
    ).map((row) => [row.cid, row.receipt_id]),
  )

export const findFormerReceipt = async (db: Db, userId: number, cid: string): Promise<number | undefined> =>
  (
    await db.maybe<{ receipt_id: number }>(prepared`
      select receipt_id from former_uploads
      where user_id = ${userId} and content = substring(sha256(convert_to(${cid}::text, 'UTF8')) from 1 for 16)`)
  )?.receipt_id

export const expired = (at: Date): Sql[] => [
  sql`delete from former_uploads where (user_id, content) in (
    select user_id, content from former_uploads where deleted_at < ${ago(at, 90 * DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
]

export const erased = (userId: number): Sql[] => [
  sql`delete from former_uploads where (user_id, content) in (
    select user_id, content from former_uploads where user_id = ${userId} limit ${EXPIRED_BATCH})`,
]
