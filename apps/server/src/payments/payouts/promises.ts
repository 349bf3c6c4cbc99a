import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

/** What is promised in coins. */
export interface Promised {
  id: number
  wallet: string
  /** Whole coins. */
  amount: number
  tries: number
}

/** What payouts ask of the module that keeps the promises. */
export interface Promises {
  /** What is to be paid now, the oldest first. */
  due(db: Db, at: Date, limit: number): Promise<Promised[]>
  /** Hands promises over to a payout, from none or from the one that it stands in for; fewer rows when somebody else took some. */
  payBy(tx: Db, ids: readonly number[], hash: string, instead: string | null): Promise<number>
  finish(tx: Db, hash: string): Promise<number>
  /** What a payout was to pay waits again; longer after each try, ten minutes at most. */
  release(tx: Db, hash: string, error: string, at: Date): Promise<number>
  /** The same for what no transaction was made for. */
  postpone(tx: Db, ids: readonly number[], error: string, at: Date): Promise<number>
}

/** Promises in a table that has wallet, amount, state, payment, tries, error and due_at. Its owner names it. */
export const promisesIn = (table: Sql): Promises => ({
  due: (db, at, limit) =>
    db.rows(sql`
      select id, wallet, amount, tries from ${table} where state = 'reserved' and due_at <= ${at}
      order by due_at, id limit ${limit}`),

  payBy: (tx, ids, hash, instead) =>
    tx.run(sql`
      update ${table} set state = 'sent', payment = ${hash}
      where id = any(${ids}) and payment is not distinct from ${instead}::text and state <> 'done'`),

  finish: (tx, hash) => tx.run(sql`update ${table} set state = 'done', error = '' where payment = ${hash}`),

  release: (tx, hash, error, at) =>
    tx.run(sql`
      update ${table} set state = 'reserved', payment = null, tries = tries + 1, error = ${error},
        due_at = ${at}::timestamptz + interval '1 second' * least(600, power(2, least(tries, 10)))
      where payment = ${hash} and state = 'sent'`),

  postpone: (tx, ids, error, at) =>
    tx.run(sql`
      update ${table} set error = ${error}, due_at = ${at}::timestamptz + interval '5 seconds'
      where id = any(${ids}) and state = 'reserved'`),
})
