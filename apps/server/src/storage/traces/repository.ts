import { TRACE, type TraceDetail, type TraceState } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import { COUNTER_MAX } from '../../platform/db/counters.ts'
import type { Db } from '../../platform/db/db.ts'
import { prepared, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

export interface TraceRow {
  trace_id: string
  user_id: number | null
  cid: string
  name: string
  transfer_type: string
  state: TraceState
  rate: number
  cost_ms: number
  total_size: number
  first_byte_time: number
  available_bandwidth: number
  node_id: string
  created_at: Date
  log: string
  details: TraceDetail[]
  node_bytes: number
}

export const insertTrace = (
  tx: Db,
  trace: {
    id: string
    userId: number | null
    account: string
    shownAs: string | null
    kind: 'upload' | 'download'
    cid: string
    name: string
    preview: boolean
    receiptKey: string | null
    visitor: string | null
    offered: readonly string[] | null
    at: Date
  },
) =>
  tx.run(sql`
    insert into traces (id, user_id, account, shown_as, kind, cid, name, preview, receipt_key, visitor, offered, granted, created_at)
    values (${trace.id}, ${trace.userId}, ${trace.account}, ${trace.shownAs}, ${trace.kind}, ${trace.cid}, ${trace.name}, ${trace.preview},
      ${trace.receiptKey}, ${trace.visitor}, ${trace.offered}, true, ${trace.at})`)

/** Records the nodes offered for a transfer. */
export const recordOffered = (db: Db, id: string, nodeIds: readonly string[]) =>
  db.run(sql`update traces set offered = ${nodeIds} where id = ${id}`)

export const lockTrace = (tx: Db, id: string) =>
  tx.maybe<{
    user_id: number | null
    kind: 'upload' | 'download'
    cid: string
    name: string
    account: string
    offered: string[] | null
    created_at: Date
    closed_at: Date | null
  }>(
    prepared`select user_id, kind, cid, name, account, offered, created_at, closed_at from traces where id = ${id} for update`,
  )

export const updateTrace = (
  tx: Db,
  trace: {
    id: string
    state: number
    cid: string
    rate: number
    costMs: number
    totalSize: number
    firstByteTime: number
    availableBandwidth: number
    nodeId: string
    log: string
    details: readonly TraceDetail[]
    closedAt: Date | null
  },
) =>
  tx.run(sql`
    update traces set state = ${trace.state}, cid = ${trace.cid}, rate = ${trace.rate}, cost_ms = ${trace.costMs},
      total_size = ${trace.totalSize}, first_byte_time = ${trace.firstByteTime},
      available_bandwidth = ${trace.availableBandwidth}, node_id = ${trace.nodeId}, log = ${trace.log},
      details = ${JSON.stringify(trace.details)}::jsonb, closed_at = ${trace.closedAt}
    where id = ${trace.id}`)

/** Sets the name and CID of an upload that began without them. */
export const nameTrace = (tx: Db, trace: { id: string; userId: number; cid: string; name: string }) =>
  tx.run(sql`
    update traces set name = ${trace.name}, cid = case when cid = '' then ${trace.cid} else cid end
    where id = ${trace.id} and user_id = ${trace.userId} and kind = 'upload' and name = ''`)

/** Closes the trace of a transfer that needed no bytes, unless a report closed it before. */
/** The upload belongs to an import. */
export const setImport = (tx: Db, id: string, importId: number) =>
  tx.run(sql`update traces set import_id = ${importId} where id = ${id}`)

export const isOfImport = async (tx: Db, id: string, importId: number): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from traces where id = ${id} and import_id = ${importId}`)) !== undefined

/** Uploads of an import that nobody has ended. */
export const listOpenOfImport = async (tx: Db, importId: number): Promise<string[]> =>
  (await tx.rows<{ id: string }>(sql`select id from traces where import_id = ${importId} and closed_at is null`)).map(
    ({ id }) => id,
  )

/** The CID of a file that an import has listed in its folder, and that is still there. */
export const findImported = async (
  tx: Db,
  { id, user_id, folder_id, created_at }: { id: number; user_id: number; folder_id: number; created_at: Date },
): Promise<string | undefined> =>
  (
    await tx.maybe<{ cid: string }>(sql`
      select t.cid from traces t join assets a on a.user_id = t.user_id and a.cid = t.cid
      where t.import_id = ${id} and t.user_id = ${user_id} and t.cid <> '' and a.folder_id = ${folder_id} and a.created_at >= ${created_at}
      limit 1`)
  )?.cid

export const closeTrace = (tx: Db, id: string, at: Date) =>
  tx.run(sql`update traces set state = ${TRACE.ok}, closed_at = ${at} where id = ${id} and closed_at is null`)

/** What a node has reported for a trace so far. */
export interface Reported {
  /** Bytes that it sent, at most the limit of a trace. */
  bytes: number
  /** Bytes that count of all nodes together: the limit of the trace is for all of them. */
  total: number
  /** The largest number of bytes that the client signed. */
  received: number
  /** The largest number of bytes that the node signed. */
  sent: number
  /** Bytes that count as signed: both signed them; `elsewhere`: at other nodes. */
  signed: number
  elsewhere: number
  /** Signatures that were verified, valid or not. */
  signatures: number
}

export async function findReported(
  db: Db,
  nodeId: string,
  traceIds: readonly string[],
): Promise<Map<string, Reported>> {
  const rows = await db.rows<Reported & { trace_id: string }>(sql`
    select trace_id, coalesce(sum(bytes) filter (where node_id = ${nodeId}), 0)::bigint as bytes,
      coalesce((select t.node_bytes from traces t where t.id = trace_id), 0) as total,
      coalesce(sum(received) filter (where node_id = ${nodeId}), 0)::bigint as received,
      coalesce(sum(sent) filter (where node_id = ${nodeId}), 0)::bigint as sent,
      coalesce(sum(signed) filter (where node_id = ${nodeId}), 0)::bigint as signed,
      coalesce(sum(signed) filter (where node_id <> ${nodeId}), 0)::bigint as elsewhere,
      coalesce(sum(signatures) filter (where node_id = ${nodeId}), 0)::int as signatures
    from trace_sent where trace_id = any(${traceIds}) group by trace_id`)
  return new Map(rows.map(({ trace_id, ...reported }) => [trace_id, reported]))
}

/** Locks these traces. @returns what the node has reported for them so far */
export async function lockReported(
  tx: Db,
  nodeId: string,
  traceIds: readonly string[],
): Promise<Map<string, Reported>> {
  // Two statements, because one would read the values from before it waited for the lock.
  await tx.rows(sql`select 1 from traces where id = any(${traceIds}) order by id for update`)
  return findReported(tx, nodeId, traceIds)
}

/** What a report adds to a trace. */
export interface ReportedMore {
  trace: string
  bytes: number
  signed: number
  signatures: number
  /** Larger than before, with the signature; otherwise absent. */
  received?: { bytes: number; signature: string } | undefined
  sent?: { bytes: number; signature: string } | undefined
}

/** Adds to what a node has reported. @param receiptAt when a receipt is issued for the bytes that both signed, if nothing more is signed before */
export const addReported = (tx: Db, nodeId: string, rows: readonly ReportedMore[], receiptAt: Date) =>
  tx.run(sql`
    insert into trace_sent as s (trace_id, node_id, bytes, signed, signatures, received, received_signature, sent, sent_signature, receipt_at)
    select trace, ${nodeId}, bytes, signed, signatures, received, received_signature, sent, sent_signature,
      case when signed > 0 then ${receiptAt}::timestamptz end
    from unnest(${rows.map(({ trace }) => trace)}::text[], ${rows.map(({ bytes }) => bytes)}::bigint[],
      ${rows.map(({ signed }) => signed)}::bigint[], ${rows.map(({ signatures }) => signatures)}::int[],
      ${rows.map(({ received }) => received?.bytes ?? 0)}::bigint[], ${rows.map(({ received }) => received?.signature ?? '')}::text[],
      ${rows.map(({ sent }) => sent?.bytes ?? 0)}::bigint[], ${rows.map(({ sent }) => sent?.signature ?? '')}::text[])
      f (trace, bytes, signed, signatures, received, received_signature, sent, sent_signature)
    on conflict (trace_id, node_id) do update set bytes = least(${COUNTER_MAX}::bigint, s.bytes + excluded.bytes),
      signed = s.signed + excluded.signed, signatures = s.signatures + excluded.signatures,
      received = greatest(s.received, excluded.received), sent = greatest(s.sent, excluded.sent),
      received_signature = case when excluded.received > s.received then excluded.received_signature else s.received_signature end,
      sent_signature = case when excluded.sent > s.sent then excluded.sent_signature else s.sent_signature end,
      receipt_at = coalesce(excluded.receipt_at, s.receipt_at)`)

/** Adds bytes to traces. @returns the traces that had none before */
export async function addTraced(tx: Db, traced: ReadonlyMap<string, number>): Promise<string[]> {
  if (traced.size === 0) return []
  const ids = [...traced.keys()]
  const rows = await tx.rows<{ id: string | null }>(sql`
    with before as (select id, node_bytes from traces where id = any(${ids}) order by id for update)
    update traces t set node_bytes = least(${COUNTER_MAX}::bigint, t.node_bytes + f.bytes)
    from unnest(${ids}::text[], ${ids.map((id) => traced.get(id) ?? 0)}::bigint[]) f (id, bytes), before
    where t.id = f.id and before.id = t.id
    returning case when before.node_bytes = 0 then t.id end as id`)
  return rows.map((row) => row.id).filter((id) => id !== null)
}

export const traceColumns = sql`id as trace_id, user_id, cid, name, kind as transfer_type, state, rate, cost_ms, total_size, first_byte_time,
  available_bandwidth, node_id, created_at, log, details, node_bytes`

/**
 * Lists show a transfer once a client reported it or a node sent bytes, and an upload while it is in progress and once it has a name. A
 * client that asks and never transfers, or dies, leaves no entry. Previews are never listed.
 */
const isTransfer = (
  at: Date,
): Sql => sql`not preview and (state <> ${TRACE.open} or total_size > 0 or node_bytes > 0 or details <> '[]'
  or (kind = 'upload' and (name <> '' or exists (select 1 from upload_grants g where g.trace_id = t.id and g.open_until > ${at}))))`

export const findTraces = (db: Db, userId: number, at: Date, limit: number, offset: number) =>
  db.rows<TraceRow>(sql`
    select ${traceColumns} from traces t where user_id = ${userId} and ${isTransfer(at)}
    order by created_at desc, id limit ${limit} offset ${offset}`)

/** Only failed ones. */
export const findFailedTraces = (db: Db, userId: number, limit: number) =>
  db.rows<TraceRow>(sql`
    select ${traceColumns} from traces t where user_id = ${userId} and state = ${TRACE.failed} and not preview
    order by created_at desc, id limit ${limit}`)

/** Failed ones since then that no successful one of the same file followed, newest first. */
export const findUnrepeated = (db: Db, userId: number, since: Date, limit: number) =>
  db.rows<{ trace_id: string; name: string; created_at: Date }>(sql`
    select t.id as trace_id, t.name, t.created_at from traces t
    where t.user_id = ${userId} and t.created_at > ${since} and t.state = ${TRACE.failed} and not t.preview
      and not exists (
        select from traces later where later.user_id = t.user_id and later.created_at > t.created_at and later.kind = t.kind
          and later.state = ${TRACE.ok} and (later.name = t.name or later.cid = t.cid and t.cid <> ''))
    order by t.created_at desc limit ${limit}`)

export const countTraces = async (db: Db, userId: number, at: Date): Promise<number> =>
  (
    await db.one<{ total: number }>(
      sql`select count(*) as total from traces t where user_id = ${userId} and ${isTransfer(at)}`,
    )
  ).total

export const findTrace = (db: Db, id: string) =>
  db.maybe<TraceRow>(sql`select ${traceColumns} from traces where id = ${id}`)

/** Condition on a trace `t`: its support case is open. */
const isOpenSupport = sql`exists (select 1 from trace_supports s where s.trace_id = t.id and s.closed_at is null)`

/** Traces of previews live for a week, because nodes may report late. */
export const expired = (at: Date): Sql[] => [
  sql`delete from traces where id in (
    select id from traces t where created_at < ${ago(at, 90 * DAY)} and not ${isOpenSupport} limit ${EXPIRED_BATCH} for update skip locked)`,
  sql`delete from traces where id in (
    select id from traces t where preview and created_at < ${ago(at, 7 * DAY)} and not ${isOpenSupport} limit ${EXPIRED_BATCH} for update skip locked)`,
]

/** With what was sent to support. */
export const erased = ({ id, uid }: { id: number; uid: string }): Sql[] => [
  sql`delete from traces where id in (
    select id from traces where user_id = ${id} or account = ${uid} limit ${EXPIRED_BATCH})`,
]

export const exported = (userId: number): Sql => sql`
  select row_number() over (order by created_at, id) as row_key, id, kind, cid, name, state, total_size, cost_ms, node_id, created_at,
    closed_at from traces where user_id = ${userId}`
