import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

/** Transfers are kept for two days. */
export const TRANSFER_LIFE = 2 * DAY

/** Bytes that moved. An upload has no source, a download no target: people are no places. */
export interface Moved {
  kind: 'upload' | 'download' | 'replica'
  size: number
  from?: string | undefined
  to?: string | undefined
  /** The trace of a download: what one node reports of one trace adds up. Nobody is shown it. */
  trace?: string
  /** False for a part of a transfer that was counted already. */
  begins?: boolean
}

/** Writes down that bytes moved, in the transaction that finds it out; a node and a trace come at most once in a call. */
export async function recordTransfers(tx: Db, moved: readonly Moved[], at: Date): Promise<void> {
  if (moved.length === 0) return
  await tx.run(sql`
    insert into transfers as t (kind, size, from_node, to_node, trace_id, begins, at)
    select m.*, ${at} from unnest(${moved.map(({ kind }) => kind)}::text[],
      ${moved.map(({ size }) => Math.floor(size))}::bigint[], ${moved.map(({ from }) => from ?? null)}::text[],
      ${moved.map(({ to }) => to ?? null)}::text[], ${moved.map(({ trace }) => trace ?? null)}::text[],
      ${moved.map(({ begins }) => begins ?? true)}::boolean[]) m (kind, size, from_node, to_node, trace_id, begins)
    order by m.trace_id
    on conflict (trace_id, from_node) where trace_id is not null do update set size = least(${Number.MAX_SAFE_INTEGER}::bigint, t.size + excluded.size)`)
}

/** What explorers no longer show. */
export const expired = (at: Date): Sql[] => [
  sql`delete from transfers where id in (
    select id from transfers where at < ${ago(at, TRANSFER_LIFE)} limit ${EXPIRED_BATCH} for update skip locked)`,
]
