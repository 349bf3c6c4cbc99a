import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** Ended shares and accounts; database triggers insert the rows. */

/** Recent rows are sent again, because a transaction can commit after one with a higher id. Repeating is harmless. */
const RESEND_FOR = '10 seconds'
const BATCH = 2000

/** The highest id. Read it before checking whether a share is open, or whether a caller may have a token. */
export const lastEnded = async (db: Db): Promise<number> =>
  (await db.one<{ id: number }>(sql`select coalesce(max(id), 0)::float8 as id from ended_shares`)).id

/**
 * Ended shares that a node does not know yet, followed by recent ones. Anyone can run a node, so they are sent as hashes: only a node
 * that has a token of the share can recognize it.
 * @returns `more`: there may be more than these
 */
export async function endedAfter(
  db: Db,
  known: number,
): Promise<{ list: { id: number; key: string }[]; more: boolean }> {
  const list = await db.rows<{ id: number; key: string }>(sql`
    select id::float8 as id, encode(sha256(convert_to(account || chr(10) || target, 'UTF8')), 'hex') as key from ended_shares
    where id > ${known} or noted_at > now() - ${RESEND_FOR}::interval order by id <= ${known}, ended_shares.id limit ${BATCH}`)
  return { list, more: list.length === BATCH }
}

export const anyEndedAfter = async (db: Db, known: number): Promise<boolean> =>
  (await db.one<{ any: boolean }>(sql`select exists (select 1 from ended_shares where id > ${known}) as any`)).any
