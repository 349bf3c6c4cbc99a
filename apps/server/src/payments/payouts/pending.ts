import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

/** Coins that the network owes a wallet. */
export interface PendingPayout {
  id: number
  wallet: string
  /** Whole coins, or units of the token, as the table has it; text because units can exceed the safe integers. */
  amount: string
  tries: number
}

export interface PaidPayout {
  id: number
  /** Null if the account was deleted. */
  user_id: number | null
  wallet: string
  amount: string
}

/** A module's table of pending payouts, as `payOut` uses it. */
export interface PendingPayouts {
  /** Oldest first. */
  due(db: Db, at: Date, limit: number): Promise<PendingPayout[]>
  /**
   * Assigns payouts to a transaction. @param replaces the transaction that they had before, if any
   * @returns the number of assigned rows: fewer if another server assigned some
   */
  assign(tx: Db, ids: readonly number[], hash: string, replaces: string | null): Promise<number>
  /** Ends the payouts of a transaction in a block. @returns those that were not ended before */
  finish(tx: Db, hash: string): Promise<PaidPayout[]>
  setReceipts(tx: Db, ids: readonly number[], receipts: readonly number[]): Promise<number>
  /** Unassigns the payouts of a failed transaction, with exponential backoff up to ten minutes. */
  release(tx: Db, hash: string, error: string, at: Date): Promise<number>
  /** Payouts that wait since before then. */
  late(db: Db, before: Date): Promise<{ count: number; since: Date | null }>
  /** Delays payouts for which no transaction could be signed. */
  postpone(tx: Db, ids: readonly number[], error: string, at: Date): Promise<number>
}

/** @param table has the columns user_id, wallet, amount, receipt_id, state, payment, tries, error and due_at */
export const pendingPayoutsIn = (table: Sql): PendingPayouts => ({
  due: (db, at, limit) =>
    db.rows(sql`
      select id, wallet, amount::text as amount, tries from ${table} where state = 'reserved' and due_at <= ${at}
      order by due_at, id limit ${limit}`),

  assign: (tx, ids, hash, replaces) =>
    tx.run(sql`
      update ${table} set state = 'sent', payment = ${hash}
      where id = any(${ids}) and payment is not distinct from ${replaces}::text and state <> 'done'`),

  finish: (tx, hash) =>
    tx.rows(sql`
      update ${table} set state = 'done', error = '' where payment = ${hash} and state <> 'done' returning id, user_id, wallet, amount::text as amount`),

  setReceipts: (tx, ids, receipts) =>
    tx.run(sql`
      update ${table} t set receipt_id = r.receipt_id from unnest(${ids}::bigint[], ${receipts}::bigint[]) r (id, receipt_id)
      where t.id = r.id`),

  release: (tx, hash, error, at) =>
    tx.run(sql`
      update ${table} set state = 'reserved', payment = null, tries = tries + 1, error = ${error},
        due_at = ${at}::timestamptz + interval '1 second' * least(600, power(2, least(tries, 10)))
      where payment = ${hash} and state = 'sent'`),

  late: (db, before) =>
    db.one(sql`
      select count(*) as count, min(created_at) as since from ${table} where state = 'reserved' and created_at < ${before}`),

  postpone: (tx, ids, error, at) =>
    tx.run(sql`
      update ${table} set error = ${error}, due_at = ${at}::timestamptz + interval '5 seconds'
      where id = any(${ids}) and state = 'reserved'`),
})
