import type { ExchangeReason } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { pendingPayoutsIn } from '../payouts/pending.ts'
import type { Transfer } from './transfers.ts'

/** Refunds, in units of the token. */
export const pendingRefunds = pendingPayoutsIn(sql`exchange_refunds`)
export const pendingTestCoins = pendingPayoutsIn(sql`test_coins`)

/** How far payments to an address were read. */
export interface ReadRow {
  from_height: number
  height: number
  block_time: Date
  read_at: Date
  deep_at: Date
}

export interface ReadKey {
  chainId: string
  token: string
  address: string
}

export const findRead = (db: Db, { chainId, token, address }: ReadKey): Promise<ReadRow | undefined> =>
  db.maybe(sql`
    select from_height, height, block_time, read_at, deep_at from exchange_reads
    where chain_id = ${chainId} and token = ${token} and address = ${address}`)

/** Payments are read from the block after this one on: it has payments from before. No effect if reading has begun. */
export const beginReading = (
  db: Db,
  { chainId, token, address }: ReadKey,
  { height, time }: { height: number; time: Date },
  at: Date,
): Promise<number> =>
  db.run(sql`
    insert into exchange_reads (chain_id, token, address, from_height, height, block_time, read_at, deep_at)
    values (${chainId}, ${token}, ${address}, ${height + 1}, ${height}, ${time}, ${at}, ${at})
    on conflict (chain_id, token, address) do nothing`)

/** @param from below where reading began: the chain was started anew @param deep older blocks were read, too */
export const setRead = (
  db: Db,
  { chainId, token, address }: ReadKey,
  { from, height, time, deep }: { from: number; height: number; time: Date; deep: boolean },
  at: Date,
): Promise<number> =>
  db.run(sql`
    update exchange_reads set from_height = least(from_height, ${from}), height = greatest(height, ${height}),
      block_time = greatest(block_time, ${time}), read_at = ${at},
      deep_at = case when ${deep} then ${at} else deep_at end
    where chain_id = ${chainId} and token = ${token} and address = ${address}`)

/** `hash/event` of the payments of these transactions that are known. */
export const knownPayments = async (db: Db, hashes: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await db.rows<{ hash: string; event: number }>(
        sql`select hash, event from exchange_payments where hash = any(${hashes})`,
      )
    ).map(({ hash, event }) => `${hash}/${event}`),
  )

export const isKnown = async (tx: Db, hash: string, event: number): Promise<boolean> =>
  (await tx.maybe(sql`select id from exchange_payments where hash = ${hash} and event = ${event}`)) !== undefined

/** @returns its id */
export const insertPayment = async (
  tx: Db,
  payment: Transfer & {
    exchange_no: number
    block_time: Date
    result: 'pending' | 'refund' | 'kept'
    reason: ExchangeReason
    fee: bigint
    at: Date
  },
): Promise<number> =>
  (
    await tx.one<{ id: number }>(sql`
      insert into exchange_payments (exchange_no, hash, event, height, block_time, payer, units, memo, result, reason, fee, created_at)
      values (${payment.exchange_no}, ${payment.hash}, ${payment.event}, ${payment.height}, ${payment.block_time}, ${payment.payer},
        ${String(payment.units)}::numeric, ${payment.memo}, ${payment.result}, ${payment.reason}, ${String(payment.fee)}::numeric, ${payment.at})
      returning id`)
  ).id

/** One per payment, at most. */
export const insertRefund = (
  tx: Db,
  refund: { userId: number | null; paymentId: number; wallet: string; units: bigint; at: Date },
): Promise<number> =>
  tx.run(sql`
    insert into exchange_refunds (user_id, payment_id, wallet, amount, state, due_at, created_at)
    values (${refund.userId}, ${refund.paymentId}, ${refund.wallet}, ${String(refund.units)}::numeric, 'reserved', ${refund.at}, ${refund.at})`)

/** The payment that is being credited was credited. */
export const setCredited = (tx: Db, exchangeNo: number): Promise<number> =>
  tx.run(sql`update exchange_payments set result = 'credited' where exchange_no = ${exchangeNo} and result = 'pending'`)

/** The payment that was being credited is refunded in full. */
export const setRefused = (
  tx: Db,
  exchangeNo: number,
  reason: ExchangeReason,
): Promise<{ id: number; payer: string; units: string } | undefined> =>
  tx.maybe(sql`
    update exchange_payments set result = 'refund', reason = ${reason} where exchange_no = ${exchangeNo} and result = 'pending'
    returning id, payer, units::text as units`)

export interface PaymentRow {
  exchange_no: number
  hash: string
  height: number
  block_time: Date
  payer: string
  units: string
  memo: string
  result: 'pending' | 'credited' | 'refund' | 'kept'
  reason: ExchangeReason
  fee: string
  refund_state: 'reserved' | 'sent' | 'done' | null
  refund_units: string | null
  refund_hash: string | null
  refund_since: Date | null
  refund_error: string | null
}

/** Oldest first. */
export const paymentsOf = (db: Db, exchangeNos: readonly number[]): Promise<PaymentRow[]> =>
  db.rows(sql`
    select p.exchange_no, p.hash, p.height, p.block_time, p.payer, p.units::text as units, p.memo, p.result, p.reason, p.fee::text as fee,
      r.state as refund_state, r.amount::text as refund_units, r.payment as refund_hash, r.created_at as refund_since, r.error as refund_error
    from exchange_payments p left join exchange_refunds r on r.payment_id = p.id
    where p.exchange_no = any(${exchangeNos}) order by p.id`)

export interface TestCoinsRow {
  wallet: string
  amount: number
  state: 'reserved' | 'sent' | 'done'
  payment: string | null
  created_at: Date
}

/** Undefined if the account or the wallet has claimed on this day. */
export const insertTestCoins = (
  db: Db,
  claim: { userId: number; wallet: string; day: string; amount: number; at: Date },
): Promise<TestCoinsRow | undefined> =>
  db.maybe(sql`
    insert into test_coins (user_id, wallet, day, amount, state, due_at, created_at)
    values (${claim.userId}, ${claim.wallet}, ${claim.day}::date, ${claim.amount}, 'reserved', ${claim.at}, ${claim.at})
    on conflict do nothing returning wallet, amount, state, payment, created_at`)

/** The latest claim of an account or wallet, and whether it is of this day. */
export const latestTestCoins = (
  db: Db,
  { userId, wallet, day }: { userId: number; wallet: string; day: string },
): Promise<(TestCoinsRow & { today: boolean }) | undefined> =>
  db.maybe(sql`
    select wallet, amount, state, payment, created_at, day >= ${day}::date as today from test_coins
    where user_id = ${userId} or wallet = ${wallet} order by id desc limit 1`)
