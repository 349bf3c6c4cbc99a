import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

/** The receipt of an upload that the account has deleted; undefined if there was none, or it was deleted long ago. */
export const findFormerReceipt = async (db: Db, userId: number, cid: string): Promise<number | undefined> =>
  (
    await db.maybe<{ receipt_id: number }>(sql`
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
