import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** Ends of shares, noted by triggers wherever one ends. */

/** One that is told twice does no harm; one that was being written while later ones were told must not be missed. */
const AGAIN = '10 seconds'
const TOLD_MAX = 2000

/** The last end that was noted; to be asked before it is looked whether a share is open. */
export const lastEnded = async (db: Db): Promise<number> =>
  (await db.one<{ id: number }>(sql`select coalesce(max(id), 0)::float8 as id from ended_shares`)).id

/**
 * Ends that a node has not heard of, those first. Anybody may run a node: none is told whose shares these were, or of what; one that
 * holds a token of them recognizes it.
 */
export const endedAfter = (db: Db, known: number) =>
  db.rows<{ id: number; key: string }>(sql`
    select id::float8 as id, encode(sha256(convert_to(account || chr(10) || target, 'UTF8')), 'hex') as key from ended_shares
    where id > ${known} or noted_at > now() - ${AGAIN}::interval order by id <= ${known}, ended_shares.id limit ${TOLD_MAX}`)

/** Whether there are ends that a node has not heard of. */
export const anyEndedAfter = async (db: Db, known: number): Promise<boolean> =>
  (await db.one<{ any: boolean }>(sql`select exists (select 1 from ended_shares where id > ${known}) as any`)).any
