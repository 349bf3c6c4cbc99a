import type { UnearnedKind } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import { COUNTER_MAX } from '../../platform/db/counters.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import { type AccountKind, EARNING_KINDS } from './account-kinds.ts'

export interface Traffic {
  sent: number
  signed: number
}

/** Signed bytes that may earn. */
export const paidIn = (traffic: ReadonlyMap<AccountKind, Traffic>): number =>
  EARNING_KINDS.reduce((sum, kind) => sum + (traffic.get(kind)?.signed ?? 0), 0)

/** Adds traffic of a node to an hour. */
export const addNodeTraffic = (tx: Db, nodeId: string, hour: Date, traffic: ReadonlyMap<AccountKind, Traffic>) => {
  const rows = [...traffic]
    .filter(([, { sent, signed }]) => sent > 0 || signed > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return tx.run(sql`
    insert into node_traffic as t (node_id, hour, account_kind, sent, signed)
    select ${nodeId}, ${hour}, kind, sent, signed from unnest(${rows.map(([kind]) => kind)}::text[],
      ${rows.map(([, { sent }]) => sent)}::bigint[], ${rows.map(([, { signed }]) => signed)}::bigint[]) f (kind, sent, signed)
    on conflict (node_id, hour, account_kind) do update set sent = least(${COUNTER_MAX}::bigint, t.sent + excluded.sent),
      signed = least(${COUNTER_MAX}::bigint, t.signed + excluded.signed)`)
}

/** Bytes per node, of one hour, that both sides signed and that earn; 0 for a node with other signed bytes. */
export async function paidTraffic(db: Db, nodeIds: readonly string[], hour: Date): Promise<Map<string, number>> {
  const rows = await db.rows<{ node_id: string; signed: number }>(sql`
    select node_id,
      least(${COUNTER_MAX}::numeric, coalesce(sum(signed) filter (where account_kind = any(${[...EARNING_KINDS]})), 0))::bigint as signed
    from node_traffic where node_id = any(${nodeIds}) and hour = ${hour} and signed > 0 group by node_id`)
  return new Map(rows.map(({ node_id, signed }) => [node_id, signed]))
}

/** Bytes of a node that both sides signed and that do not earn, by hour in a period. */
export async function unearnedTraffic(
  db: Db,
  nodeId: string,
  { from, to }: { from: Date; to: Date },
): Promise<{ hour: Date; kind: UnearnedKind; bytes: number }[]> {
  const rows = await db.rows<{ hour: Date; kind: AccountKind; bytes: number }>(sql`
    select hour, account_kind as kind, signed as bytes from node_traffic
    where node_id = ${nodeId} and hour >= ${from} and hour < ${to} and signed > 0 order by hour, signed desc, account_kind`)
  return rows.flatMap(({ kind, ...row }) => (kind === 'vip' ? [] : [{ kind, ...row }]))
}

export const expired = (at: Date): Sql[] => [
  sql`delete from node_traffic where (node_id, hour, account_kind) in (
    select node_id, hour, account_kind from node_traffic where hour < ${ago(at, 90 * DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
]
