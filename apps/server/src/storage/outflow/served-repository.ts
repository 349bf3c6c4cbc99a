import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_AT_ONCE } from '../../platform/tasks/expired.ts'

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

/** Reports that a node might deliver twice. */
export const expired = (at: Date): Sql[] => [
  sql`delete from served_batches where (node_id, batch) in (
    select node_id, batch from served_batches where received_at < ${ago(at, 30 * DAY)} limit ${EXPIRED_AT_ONCE} for update skip locked)`,
]
