import { ago, DAY } from '../../platform/ago.ts'
import { COUNTER_MAX } from '../../platform/db/counters.ts'
import type { Db } from '../../platform/db/db.ts'
import { prepared, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

/** How long transfers are stored. */
export const TRANSFER_LIFE = 2 * DAY

/** Transferred bytes. An upload has no source node, a download no target node. */
export interface NewTransfer {
  kind: 'upload' | 'download' | 'replica'
  size: number
  from?: string | undefined
  to?: string | undefined
  /** The trace of a download: reports of one node about one trace add up in one row. Never public. */
  trace?: string
  /** False for a part of a transfer that was already counted. */
  begins?: boolean
}

/** Records transfers in the caller's transaction. Each pair of node and trace may occur once per call. */
export async function recordTransfers(tx: Db, transfers: readonly NewTransfer[], at: Date): Promise<void> {
  if (transfers.length === 0) return
  await tx.run(prepared`
    insert into transfers as t (kind, size, from_node, to_node, trace_id, begins, at)
    select m.*, ${at} from unnest(${transfers.map(({ kind }) => kind)}::text[],
      ${transfers.map(({ size }) => Math.floor(size))}::bigint[], ${transfers.map(({ from }) => from ?? null)}::text[],
      ${transfers.map(({ to }) => to ?? null)}::text[], ${transfers.map(({ trace }) => trace ?? null)}::text[],
      ${transfers.map(({ begins }) => begins ?? true)}::boolean[]) m (kind, size, from_node, to_node, trace_id, begins)
    order by m.trace_id
    on conflict (trace_id, from_node) where trace_id is not null do update set size = least(${COUNTER_MAX}::bigint, t.size + excluded.size)`)
}

export const expired = (at: Date): Sql[] => [
  sql`delete from transfers where id in (
    select id from transfers where at < ${ago(at, TRANSFER_LIFE)} limit ${EXPIRED_BATCH} for update skip locked)`,
]
