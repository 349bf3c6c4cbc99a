import { idsOf } from '../../identity/index.ts'
import { placement } from '../../network/index.ts'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

/** @returns 0 if the batch was recorded before */
export const insertBatch = (tx: Db, nodeId: string, batch: string, at: Date) =>
  tx.run(sql`
    insert into served_batches (node_id, batch, received_at) values (${nodeId}, ${batch}, ${at}) on conflict do nothing`)

interface Transfer {
  index: number
  account: string
  trace_id: string
  cid: string
}

export interface Credible {
  index: number
  /** The account that the traffic counts for; `Transfer.account` is what the node's token calls it. */
  account: string
  /** See `Payer`. */
  userId: number | null
  readerId: number | null
  /** Bytes of the content. */
  size: number
  trace: { receipt_key: string | null; visitor: string | null; created_at: Date }
}

/**
 * Finds the plausible transfers: the trace belongs to this account and content, and this node was offered for it. Transfers that
 * only a client reported have no offered nodes.
 */
export async function findCredible(tx: Db, nodeId: string, transfers: readonly Transfer[]): Promise<Credible[]> {
  const rows = await tx.rows<{
    index: number
    cid: string
    account: string
    user_id: number | null
    receipt_key: string | null
    visitor: string | null
    created_at: Date
  }>(sql`
    select f.index, f.cid, t.account, t.user_id, t.receipt_key, t.visitor, t.created_at
    from unnest(${transfers.map((transfer) => transfer.index)}::int[], ${transfers.map((transfer) => transfer.account)}::text[],
      ${transfers.map((transfer) => transfer.trace_id)}::text[], ${transfers.map((transfer) => transfer.cid)}::text[])
      f (index, account, trace_id, cid)
    join traces t on t.id = f.trace_id and coalesce(t.shown_as, t.account) = f.account and t.cid = f.cid
    where t.kind = 'download' and ${nodeId} = any(t.offered)
    order by f.index`)
  if (rows.length === 0) return []
  const cids = [...new Set(rows.map(({ cid }) => cid))]
  const contents = await placement.findContents(tx, cids)
  const ids = await idsOf(
    tx,
    rows.map(({ account }) => account),
  )
  return rows.flatMap(({ index, cid, account, user_id: readerId, ...trace }) => {
    const content = contents.get(cid)
    return content ? [{ index, size: content.size, account, userId: ids.get(account) ?? null, readerId, trace }] : []
  })
}

/** A batch is remembered while its node might deliver it again. */
export const expired = (at: Date): Sql[] => [
  sql`delete from served_batches where (node_id, batch) in (
    select node_id, batch from served_batches where received_at < ${ago(at, 30 * DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
]
