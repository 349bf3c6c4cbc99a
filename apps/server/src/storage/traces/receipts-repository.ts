import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export interface DueReceipt {
  trace_id: string
  node_id: string
  account: string
  cid: string
  reader_key: string
  received: number
  received_signature: string
  sent: number
  sent_signature: string
  signed: number
  /** Receipts that it has already. */
  receipts: number
}

/** Locks downloads whose receipt is due. Rows that a report is changing wait for the next run. */
export const lockDue = (tx: Db, at: Date, limit: number) =>
  tx.rows<DueReceipt>(sql`
    select s.trace_id, s.node_id, t.account, t.cid, coalesce(t.receipt_key, '') as reader_key, s.received, s.received_signature, s.sent,
      s.sent_signature, s.signed, s.receipts
    from trace_sent s join traces t on t.id = s.trace_id
    where s.receipt_at <= ${at} order by s.receipt_at limit ${limit} for update of s skip locked`)

/** Notes the receipts of downloads; a later one replaces an earlier one. */
export const setIssued = (
  tx: Db,
  rows: readonly { trace_id: string; node_id: string; receipt: number | null }[],
  at: Date,
) =>
  tx.run(sql`
    update trace_sent s set receipt_at = null, receipt_id = coalesce(f.receipt, s.receipt_id), receipts = s.receipts + (f.receipt is not null)::int,
      receipt_issued_at = case when f.receipt is null then s.receipt_issued_at else ${at}::timestamptz end
    from unnest(${rows.map(({ trace_id }) => trace_id)}::text[], ${rows.map(({ node_id }) => node_id)}::text[],
      ${rows.map(({ receipt }) => receipt)}::bigint[]) f (trace_id, node_id, receipt)
    where s.trace_id = f.trace_id and s.node_id = f.node_id`)

interface Period {
  from: Date
  to: Date
}

export interface DownloadReceipt {
  receipt: number
  node_id: string
  /** Bytes that both signed and that count. */
  signed: number
  issued_at: Date
}

/** The receipts of a download, one per node; none if another account pays for it. */
export const receiptsOfTrace = (db: Db, traceId: string, account: string) =>
  db.rows<DownloadReceipt>(sql`
    select s.receipt_id as receipt, s.node_id, s.signed, s.receipt_issued_at as issued_at
    from traces t join trace_sent s on s.trace_id = t.id
    where t.id = ${traceId} and t.account = ${account} and s.receipt_id is not null and s.receipt_issued_at is not null order by s.receipt_id`)

/** Downloads `t` from a node `s` that began since then, with a receipt that was issued in a period. */
const issuedIn = (nodeId: string, { from, to }: Period, since: Date): Sql => sql`
  trace_sent s join traces t on t.id = s.trace_id and t.created_at >= ${since}
  where s.node_id = ${nodeId} and s.receipt_id is not null and s.receipt_issued_at >= ${from} and s.receipt_issued_at < ${to}`

/** The receipts of downloads from a node that were issued in a period, newest first. @param since when the downloads began, at the earliest */
export const receiptsOfNode = (
  db: Db,
  nodeId: string,
  period: Period,
  { since, limit, offset }: { since: Date; limit: number; offset: number },
) =>
  db.rows<DownloadReceipt>(sql`
    select s.receipt_id as receipt, s.node_id, s.signed, s.receipt_issued_at as issued_at from ${issuedIn(nodeId, period, since)}
    order by s.receipt_issued_at desc, s.receipt_id desc limit ${limit} offset ${offset}`)

export const countReceiptsOfNode = async (db: Db, nodeId: string, period: Period, since: Date): Promise<number> =>
  (await db.one<{ total: number }>(sql`select count(*) as total from ${issuedIn(nodeId, period, since)}`)).total

/** When a transfer began; undefined if it is no longer known. */
export const traceBegan = async (db: Db, traceId: string): Promise<Date | undefined> =>
  (await db.maybe<{ created_at: Date }>(sql`select created_at from traces where id = ${traceId}`))?.created_at

/** Receipts of the account's own downloads; those of uploads are named by its files. */
export const exported = (userId: number, uid: string): Sql => sql`
  select s.receipt_id as row_key, s.receipt_id, t.id as transfer, t.cid, s.node_id, s.signed, s.receipt_issued_at as issued_at
  from trace_sent s join traces t on t.id = s.trace_id
  where t.user_id = ${userId} and t.account = ${uid} and s.receipt_id is not null`
