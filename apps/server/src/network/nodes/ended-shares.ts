import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** Ends of shares, which database triggers insert. */

/** Ends are sent again for this long: one whose transaction commits after a later id must not be missed, and repeating is harmless. */
const AGAIN = '10 seconds'
const TOLD_MAX = 2000

/** The last id. Read it before checking whether a share is open. */
export const lastEnded = async (db: Db): Promise<number> =>
  (await db.one<{ id: number }>(sql`select coalesce(max(id), 0)::float8 as id from ended_shares`)).id

/**
 * Ends that a node does not know yet, those first. Anyone may run a node, so each end is sent as a hash: only a node that holds a token
 * of that share can recognize it.
 */
export const endedAfter = (db: Db, known: number) =>
  db.rows<{ id: number; key: string }>(sql`
    select id::float8 as id, encode(sha256(convert_to(account || chr(10) || target, 'UTF8')), 'hex') as key from ended_shares
    where id > ${known} or noted_at > now() - ${AGAIN}::interval order by id <= ${known}, ended_shares.id limit ${TOLD_MAX}`)

/** Whether there are ends that a node does not know yet. */
export const anyEndedAfter = async (db: Db, known: number): Promise<boolean> =>
  (await db.one<{ any: boolean }>(sql`select exists (select 1 from ended_shares where id > ${known}) as any`)).any
