import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { prepared, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

/** How long reports about a transfer can come after its tokens ended. */
const LATE_MAX_MS = 8 * DAY

export interface CapsRow {
  name: string
  traffic_cap: number | null
  spending_cap: number | null
}

export const findCaps = (db: Db, keyId: string): Promise<CapsRow | undefined> =>
  db.maybe(sql`select name, traffic_cap, spending_cap from api_keys where id = ${keyId} and removed_at is null`)

/** Locks what the key used in the month, so that calls in parallel decide one after the other. */
export async function lockUsage(tx: Db, keyId: string, month: Date): Promise<{ bytes: number; spent: number }> {
  await tx.run(sql`insert into key_usage (key_id, month) values (${keyId}, ${month}) on conflict do nothing`)
  return tx.one(sql`select bytes, spent from key_usage where key_id = ${keyId} and month = ${month} for update`)
}

export const findUsage = (db: Db, keyId: string, month: Date) =>
  db.maybe<{ bytes: number; spent: number }>(
    sql`select bytes, spent from key_usage where key_id = ${keyId} and month = ${month}`,
  )

/** Bytes that other transfers of the key may still take. */
export const sumReserved = async (db: Db, keyId: string, month: Date, at: Date, except = ''): Promise<number> =>
  (
    await db.one<{ bytes: number }>(sql`
      select coalesce(sum(reserved - counted), 0) as bytes from key_transfers
      where key_id = ${keyId} and month = ${month} and reserved > counted and ends_at > ${at} and trace_id <> ${except}`)
  ).bytes

/** Bytes of a transfer that were counted. */
export const findCounted = async (tx: Db, traceId: string): Promise<number> =>
  (await tx.maybe<{ counted: number }>(sql`select counted from key_transfers where trace_id = ${traceId}`))?.counted ??
  0

/** A transfer that another key goes on with is that key's from then on. */
export const upsertTransfer = (
  tx: Db,
  {
    traceId,
    keyId,
    month,
    bytes,
    unsized,
    until,
  }: { traceId: string; keyId: string; month: Date; bytes: number; unsized: boolean; until: Date },
) =>
  tx.run(sql`
    insert into key_transfers as t (trace_id, key_id, month, reserved, unsized, ends_at)
    values (${traceId}, ${keyId}, ${month}, ${bytes}, ${unsized}, ${until})
    on conflict (trace_id) do update set key_id = excluded.key_id, month = excluded.month, ends_at = excluded.ends_at,
      reserved = greatest(t.reserved, excluded.reserved), unsized = t.unsized and excluded.unsized`)

/** What a transfer takes from now on counts for no key. What was counted stays. */
export const deleteTransfer = (tx: Db, traceId: string) =>
  tx.run(sql`delete from key_transfers where trace_id = ${traceId}`)

/**
 * Counts bytes of transfers for the keys that asked for them. An upload of unknown size has one token, so what its receipt counts is its size.
 */
export const addCounted = (tx: Db, transfers: readonly { trace: string; bytes: number }[]) =>
  tx.run(prepared`
    with arrived as (
      select trace, sum(bytes) as bytes from jsonb_to_recordset(${JSON.stringify(transfers)}::jsonb) a (trace text, bytes bigint)
      group by trace
    ), counted as (
      update key_transfers t set counted = t.counted + a.bytes,
        reserved = case when t.unsized then t.counted + a.bytes else t.reserved end
      from arrived a where t.trace_id = a.trace
      returning t.key_id, t.month, a.bytes
    )
    insert into key_usage as u (key_id, month, bytes)
    select key_id, month, sum(bytes) from counted group by key_id, month order by key_id, month
    on conflict (key_id, month) do update set bytes = u.bytes + excluded.bytes`)

export const addSpent = (tx: Db, keyId: string, month: Date, cost: number) =>
  tx.run(sql`update key_usage set spent = spent + ${cost} where key_id = ${keyId} and month = ${month}`)

export const insertOrder = (tx: Db, order: { orderId: string; keyId: string; month: Date; cost: number }) =>
  tx.run(sql`
    insert into key_orders (order_id, key_id, month, cost)
    values (${order.orderId}, ${order.keyId}, ${order.month}, ${order.cost})`)

/** What the order cost is free again. */
export const deleteOrder = (tx: Db, orderId: string) =>
  tx.run(sql`
    with ended as (delete from key_orders where order_id = ${orderId} returning key_id, month, cost)
    update key_usage u set spent = u.spent - e.cost from ended e where u.key_id = e.key_id and u.month = e.month`)

/** What the keys of an account used in the month. */
export const listUsage = (db: Db, userId: number, month: Date, at: Date) =>
  db.rows<{ key_id: number; bytes: number; spent: number; reserved: number }>(sql`
    select k.id as key_id, coalesce(u.bytes, 0) as bytes, coalesce(u.spent, 0) as spent,
      (select coalesce(sum(t.reserved - t.counted), 0) from key_transfers t
        where t.key_id = k.id and t.month = ${month} and t.reserved > t.counted and t.ends_at > ${at}) as reserved
    from api_keys k left join key_usage u on u.key_id = k.id and u.month = ${month}
    where k.user_id = ${userId} and k.removed_at is null`)

export const expired = (at: Date): Sql[] => [
  sql`delete from key_transfers where trace_id in (
    select trace_id from key_transfers where ends_at <= ${ago(at, LATE_MAX_MS)} limit ${EXPIRED_BATCH} for update skip locked)`,
]
