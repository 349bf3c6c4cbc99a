import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_AT_ONCE } from '../../platform/tasks/expired.ts'

/** No counter grows beyond what the wire can carry. */
const MOST = Number.MAX_SAFE_INTEGER

/** @returns 0 when the batch was there */
export const insertBatch = (tx: Db, nodeId: string, batch: string, at: Date) =>
  tx.run(sql`
    insert into served_batches (node_id, batch, received_at) values (${nodeId}, ${batch}, ${at}) on conflict do nothing`)

interface Credible {
  index: number
  size: number
  /** Whose outflow it is; nobody's for anonymous files. */
  userId: number | null
}

/**
 * Of the transfers those that can be true: the trace is of this account and content, and this node was offered for it. Which nodes were
 * offered earlier releases did not note: of their traces it is the nodes that hold the content.
 */
export const findCredible = (
  tx: Db,
  nodeId: string,
  transfers: readonly { index: number; account: string; trace_id: string; cid: string }[],
) =>
  tx.rows<Credible>(sql`
    select f.index, c.size, u.id as "userId"
    from unnest(${transfers.map((transfer) => transfer.index)}::int[], ${transfers.map((transfer) => transfer.account)}::text[],
      ${transfers.map((transfer) => transfer.trace_id)}::text[], ${transfers.map((transfer) => transfer.cid)}::text[])
      f (index, account, trace_id, cid)
    join contents c on c.cid = f.cid
    join traces t on t.id = f.trace_id and t.account = f.account and t.cid = f.cid
    left join users u on u.uid = f.account
    where case when t.offered is null then exists (select 1 from replicas r where r.cid = f.cid and r.node_id = ${nodeId})
      else ${nodeId} = any(t.offered) end
    order by f.index`)

/** What a node has reported of these traces so far; they are locked. */
export async function holdReported(tx: Db, nodeId: string, traceIds: readonly string[]): Promise<Map<string, number>> {
  // Two statements: one alone would read what was there before it waited.
  await tx.rows(sql`select 1 from traces where id = any(${traceIds}) order by id for update`)
  const rows = await tx.rows<{ trace_id: string; bytes: number }>(
    sql`select trace_id, bytes from trace_sent where node_id = ${nodeId} and trace_id = any(${traceIds})`,
  )
  return new Map(rows.map(({ trace_id, bytes }) => [trace_id, bytes]))
}

export const addReported = (tx: Db, nodeId: string, traced: ReadonlyMap<string, number>) =>
  tx.run(sql`
    insert into trace_sent as s (trace_id, node_id, bytes)
    select id, ${nodeId}, bytes from unnest(${[...traced.keys()]}::text[], ${[...traced.values()]}::bigint[]) f (id, bytes)
    on conflict (trace_id, node_id) do update set bytes = least(${MOST}::bigint, s.bytes + excluded.bytes)`)

/** Adds bytes to traces. @returns those of which nothing had been sent before */
export async function addTraced(tx: Db, traced: ReadonlyMap<string, number>): Promise<string[]> {
  if (traced.size === 0) return []
  const ids = [...traced.keys()]
  const rows = await tx.rows<{ id: string }>(sql`
    with before as (select id, node_bytes from traces where id = any(${ids}) order by id for update)
    update traces t set node_bytes = least(${MOST}::bigint, t.node_bytes + f.bytes)
    from unnest(${ids}::text[], ${ids.map((id) => traced.get(id) ?? 0)}::bigint[]) f (id, bytes), before
    where t.id = f.id and before.id = t.id
    returning case when before.node_bytes = 0 then t.id end as id`)
  return rows.map((row) => row.id).filter((id) => id !== null)
}

export interface Sent {
  userId: number
  hour: Date
  bytes: number
  peak: number
  trace: string
}

export interface HourSent {
  userId: number
  hour: Date
  bytes: number
  peak: number
  downloads: number
}

export const addSent = (tx: Db, rows: readonly HourSent[]) =>
  tx.run(sql`
    insert into usage_hours as h (user_id, hour, sent, downloads, peak)
    select * from unnest(${rows.map((row) => row.userId)}::bigint[], ${rows.map((row) => row.hour)}::timestamptz[],
      ${rows.map((row) => row.bytes)}::bigint[], ${rows.map((row) => row.downloads)}::int[], ${rows.map((row) => row.peak)}::bigint[])
    on conflict (user_id, hour) do update set sent = least(${MOST}::bigint, h.sent + excluded.sent), downloads = h.downloads + excluded.downloads,
      peak = greatest(h.peak, excluded.peak)`)

/** Reports that a node might deliver twice. */
export const expired = (at: Date): Sql[] => [
  sql`delete from served_batches where (node_id, batch) in (
    select node_id, batch from served_batches where received_at < ${ago(at, 30 * DAY)} limit ${EXPIRED_AT_ONCE} for update skip locked)`,
]
