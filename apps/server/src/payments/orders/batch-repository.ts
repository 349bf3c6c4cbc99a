import { ORDER, type OrderEvent, type OrderStatus, statusNameOf } from '@tidenet/contract'
import { emitEvent, findListenersOf } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { prepared } from '../../platform/db/sql.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from './payments-repository.ts'
import { COLUMNS, type OrderRow } from './repository.ts'

/** Statements for many orders at once: the orders of a block are confirmed in one transaction. */

/** The older first, as always when several are locked. */
export const lockOrders = (tx: Db, ids: readonly string[]): Promise<OrderRow[]> =>
  tx.rows(prepared`select ${COLUMNS} from orders where id = any(${ids}::text[]) order by seq for update`)

/** Per order, latest first. */
export async function paymentsOfAll(db: Db, ids: readonly string[]): Promise<Map<string, PaymentRow[]>> {
  const rows = await db.rows<PaymentRow>(
    prepared`select ${PAYMENT_COLUMNS} from order_payments where order_id = any(${ids}::text[]) order by id desc`,
  )
  const found = new Map<string, PaymentRow[]>()
  for (const row of rows) {
    const list = found.get(row.order_id)
    if (list) list.push(row)
    else found.set(row.order_id, [row])
  }
  return found
}

/** Releases leases of orders until they are due again; null: never. */
export const releaseUntilDue = (tx: Db, waits: readonly { id: string; due: Date | null }[]): Promise<number> =>
  tx.run(prepared`
    update orders o set leased_until = null, due_at = w.due
    from unnest(${waits.map(({ id }) => id)}::text[], ${waits.map(({ due }) => due)}::timestamptz[]) w (id, due) where o.id = w.id`)

/** @returns the ids of the payments whose transaction has paid for nothing else; the hashes must differ */
export const confirmPayments = async (
  tx: Db,
  payments: readonly { id: number; hash: string }[],
  at: Date,
): Promise<Set<number>> => {
  const rows = await tx.rows<{ id: number }>(prepared`
    update order_payments p set state = 'confirmed', hash = c.hash, problem = '', confirmed_at = ${at}
    from unnest(${payments.map(({ id }) => id)}::bigint[], ${payments.map(({ hash }) => hash)}::text[]) c (id, hash)
    where p.id = c.id and p.state <> 'confirmed'
      and not exists (select from order_payments o where o.chain_id = p.chain_id and o.hash = c.hash and o.state = 'confirmed')
    returning p.id`)
  return new Set(rows.map(({ id }) => id))
}

export const setPaymentReceipts = (tx: Db, receipts: readonly { id: number; receiptId: number }[]): Promise<number> =>
  tx.run(prepared`
    update order_payments p set receipt_id = r.receipt
    from unnest(${receipts.map(({ id }) => id)}::bigint[], ${receipts.map(({ receiptId }) => receiptId)}::bigint[]) r (id, receipt)
    where p.id = r.id`)

export const addEvents = (
  tx: Db,
  events: readonly { id: string; event: OrderEvent; hash?: string }[],
  at: Date,
): Promise<number> =>
  tx.run(prepared`
    insert into order_events (order_id, event, at, hash, fact)
    select e.id, e.event, ${at}::timestamptz, e.hash, ''
    from unnest(${events.map(({ id }) => id)}::text[], ${events.map(({ event }) => event)}::text[], ${events.map(({ hash = '' }) => hash)}::text[])
      with ordinality e (id, event, hash, place) order by e.place`)

/** The payment of these orders is confirmed. */
export const markPaid = (
  tx: Db,
  orders: readonly { id: string; hash: string; height: number }[],
  at: Date,
): Promise<number> =>
  tx.run(prepared`
    update orders o set status = ${ORDER.paid}, money = 'held', pay_hash = p.hash, start_height = p.height, pay_until = null, tries = 0,
      due_at = ${at}, updated_at = ${at}
    from unnest(${orders.map(({ id }) => id)}::text[], ${orders.map(({ hash }) => hash)}::text[], ${orders.map(({ height }) => height)}::bigint[])
      p (id, hash, height)
    where o.id = p.id`)

/** The workspaces of these orders run. `due`: when they are looked at again; undefined: now, under the same lease. */
export const markRunning = (
  tx: Db,
  orders: readonly { id: string; expiredAt: Date; due: Date | undefined }[],
  at: Date,
): Promise<number> =>
  tx.run(prepared`
    update orders o set status = ${ORDER.running}, workspace = 'active', started_at = ${at}, expired_at = r.expired_at, tries = 0,
      due_at = coalesce(r.due, ${at}), leased_until = case when r.due is null then o.leased_until end, updated_at = ${at}
    from unnest(${orders.map(({ id }) => id)}::text[], ${orders.map(({ expiredAt }) => expiredAt)}::timestamptz[],
      ${orders.map(({ due }) => due ?? null)}::timestamptz[]) r (id, expired_at, due)
    where o.id = r.id`)

/** Tells webhooks that these orders, as they were before, have another status. */
export async function emitStatus(
  tx: Db,
  orders: readonly Pick<OrderRow, 'id' | 'user_id' | 'status'>[],
  status: OrderStatus,
  at: Date,
): Promise<void> {
  const listeners = new Set(
    await findListenersOf(
      tx,
      'order.status',
      orders.map(({ user_id }) => user_id),
    ),
  )
  for (const { id, user_id, status: previous } of orders)
    if (listeners.has(user_id))
      await emitEvent(
        tx,
        user_id,
        'order.status',
        { order_id: id, status, status_name: statusNameOf(status), previous },
        at,
      )
}

/** By account: rows that count the orders of accounts are locked in this order. */
export const byAccount = <T extends Pick<OrderRow, 'user_id' | 'seq'>>(orders: readonly T[]): T[] =>
  [...orders].sort((a, b) => a.user_id - b.user_id || a.seq - b.seq)
