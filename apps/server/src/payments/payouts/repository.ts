import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

/** What is promised in coins, by the table that holds it: all have wallet, amount, state, payment, tries, error and due_at. */
export type PromisedKind = 'claims' | 'redemptions'
const tables: Readonly<Record<PromisedKind, Sql>> = { claims: sql`claims`, redemptions: sql`redemptions` }

export interface Promised {
  id: number
  wallet: string
  /** Whole coins. */
  amount: number
  tries: number
}

/** What is to be paid now, the oldest first. */
export const duePromises = (db: Db, kind: PromisedKind, at: Date, limit: number): Promise<Promised[]> =>
  db.rows(sql`
    select id, wallet, amount, tries from ${tables[kind]} where state = 'reserved' and due_at <= ${at}
    order by due_at, id limit ${limit}`)

export interface Payout {
  hash: string
  bytes: Buffer
  last_height: number
  created_at: Date
}

export const insertPayout = (
  tx: Db,
  kind: PromisedKind,
  payout: Omit<Payout, 'created_at'>,
  at: Date,
): Promise<number> =>
  tx.run(sql`
    insert into payouts (kind, hash, bytes, last_height, state, created_at)
    values (${kind}, ${payout.hash}, ${payout.bytes}, ${payout.last_height}, 'sent', ${at})`)

/** Hands promises over to a payout, from none or from the one that it stands in for; fewer rows when somebody else took some. */
export const payBy = (
  tx: Db,
  kind: PromisedKind,
  ids: readonly number[],
  hash: string,
  instead: string | null,
): Promise<number> =>
  tx.run(sql`
    update ${tables[kind]} set state = 'sent', payment = ${hash}
    where id = any(${ids}) and payment is not distinct from ${instead}::text and state <> 'done'`)

/** Payouts of which it is not known what came of them. */
export const openPayouts = (db: Db, kind: PromisedKind): Promise<Payout[]> =>
  db.rows(sql`
    select hash, bytes, last_height, created_at from payouts where state = 'sent' and kind = ${kind}
    order by created_at limit 100`)

/** 1 for the one caller who ended it. Nobody hands its bytes in again. */
export const endPayout = (tx: Db, hash: string, state: 'done' | 'void', at: Date): Promise<number> =>
  tx.run(sql`
    update payouts set state = ${state}, ended_at = ${at}, bytes = '' where hash = ${hash} and state = 'sent'`)

export const finishPromises = (tx: Db, kind: PromisedKind, hash: string): Promise<number> =>
  tx.run(sql`update ${tables[kind]} set state = 'done', error = '' where payment = ${hash}`)

/** What a payout was to pay waits again; longer after each try, ten minutes at most. */
export const releasePromises = (tx: Db, kind: PromisedKind, hash: string, error: string, at: Date): Promise<number> =>
  tx.run(sql`
    update ${tables[kind]} set state = 'reserved', payment = null, tries = tries + 1, error = ${error},
      due_at = ${at}::timestamptz + interval '1 second' * least(600, power(2, least(tries, 10)))
    where payment = ${hash} and state = 'sent'`)

/** The same for what no transaction was made for. */
export const postponePromises = (
  tx: Db,
  kind: PromisedKind,
  ids: readonly number[],
  error: string,
  at: Date,
): Promise<number> =>
  tx.run(sql`
    update ${tables[kind]} set error = ${error}, due_at = ${at}::timestamptz + interval '5 seconds'
    where id = any(${ids}) and state = 'reserved'`)

/** Payouts that came to nothing; what was promised stays. */
export const expired = (at: Date): Sql[] => [
  sql`delete from payouts where state = 'void' and ended_at < ${ago(at, 2 * DAY)}`,
]
