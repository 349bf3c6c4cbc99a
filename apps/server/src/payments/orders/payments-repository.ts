import type { OrderMessage } from '@tidenet/chain-client'
import type { PaymentKind, PaymentState } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { prepared, type Sql, sql } from '../../platform/db/sql.ts'

/** A payment request. `amount` in units, as text because it can exceed the safe integers. */
export interface PaymentRow {
  id: number
  order_id: string
  kind: PaymentKind
  state: PaymentState
  payer: string
  cost: number
  amount: string
  duration: number
  message: OrderMessage
  from_height: number
  chain_id: string
  hash: string
  problem: string
  /** Paid by the network from the wallet's allowance. */
  auto: boolean
  created_at: Date
  expires_at: Date
  confirmed_at: Date | null
  receipt_id: number | null
}

export const PAYMENT_COLUMNS = sql`
  id, order_id, kind, state, payer, cost, amount::text as amount, duration, message, from_height, chain_id, hash, problem, auto, created_at,
  expires_at, confirmed_at, receipt_id`

export const insertPayment = (
  tx: Db,
  payment: Omit<PaymentRow, 'id' | 'state' | 'hash' | 'problem' | 'auto' | 'confirmed_at' | 'receipt_id'> & {
    auto?: boolean
  },
): Promise<PaymentRow> =>
  tx.one(prepared`
    insert into order_payments (order_id, kind, state, payer, cost, amount, duration, message, from_height, chain_id, auto, created_at, expires_at)
    values (${payment.order_id}, ${payment.kind}, 'open', ${payment.payer}, ${payment.cost}, ${payment.amount}::numeric, ${payment.duration},
      ${JSON.stringify(payment.message)}::jsonb, ${payment.from_height}, ${payment.chain_id}, ${payment.auto ?? false}, ${payment.created_at}, ${payment.expires_at})
    returning ${PAYMENT_COLUMNS}`)

/** Latest first. */
export const paymentsOf = (db: Db, orderId: string): Promise<PaymentRow[]> =>
  db.rows(
    prepared`select ${PAYMENT_COLUMNS} from order_payments where order_id = ${orderId} order by id desc limit 100`,
  )

/** The confirmed payments of an order, in the order in which their hours are used. */
export const confirmedPayments = (db: Db, orderId: string): Promise<{ duration: number; amount: string }[]> =>
  db.rows(sql`
    select duration, amount::text as amount from order_payments where order_id = ${orderId} and state = 'confirmed' order by duration`)

/** @returns 0 if this transaction has paid for something else; does not throw, so that the caller's database transaction continues */
export const confirmPayment = (tx: Db, id: number, hash: string, at: Date): Promise<number> =>
  tx.run(prepared`
    update order_payments p set state = 'confirmed', hash = ${hash}, problem = '', confirmed_at = ${at}
    where id = ${id} and state <> 'confirmed'
      and not exists (select from order_payments o where o.chain_id = p.chain_id and o.hash = ${hash} and o.state = 'confirmed')`)

export const setPaymentReceipt = (tx: Db, id: number, receiptId: number): Promise<number> =>
  tx.run(sql`update order_payments set receipt_id = ${receiptId} where id = ${id}`)

export const changePayment = (
  tx: Db,
  id: number,
  change: { state: PaymentState; hash?: string; problem?: string; expiresAt?: Date },
): Promise<number> =>
  tx.run(prepared`
    update order_payments set state = ${change.state}, hash = coalesce(${change.hash ?? null}, hash),
      problem = coalesce(${change.problem ?? null}, problem), expires_at = coalesce(${change.expiresAt ?? null}::timestamptz, expires_at)
    where id = ${id} and state <> 'confirmed'`)

/** Whether the transaction has paid for another order. */
export const isUsed = async (db: Db, chainId: string, hash: string, orderId: string): Promise<boolean> =>
  (await db.maybe(prepared`
    select from order_payments
    where chain_id = ${chainId} and hash = ${hash} and state = 'confirmed' and order_id <> ${orderId}`)) !== undefined

export const exported = (userId: number): Sql => sql`
  select p.id as row_key, p.order_id, p.kind, p.state, p.payer, p.amount, p.duration, p.hash, p.created_at, p.confirmed_at, p.receipt_id
  from order_payments p join orders o on o.id = p.order_id where o.user_id = ${userId}`
