import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export type PayoutKind = 'claims' | 'redemptions' | 'exchange_refunds' | 'test_coins' | 'order_credits'

export interface Payout {
  hash: string
  bytes: Buffer
  last_height: number
  created_at: Date
}

export const insertPayout = (tx: Db, kind: PayoutKind, payout: Omit<Payout, 'created_at'>, at: Date): Promise<number> =>
  tx.run(sql`
    insert into payouts (kind, hash, bytes, last_height, state, created_at)
    values (${kind}, ${payout.hash}, ${payout.bytes}, ${payout.last_height}, 'sent', ${at})`)

/** Payouts whose result is not known yet. */
export const openPayouts = (db: Db, kind: PayoutKind): Promise<Payout[]> =>
  db.rows(sql`
    select hash, bytes, last_height, created_at from payouts where state = 'sent' and kind = ${kind}
    order by created_at limit 100`)

/** Also deletes the bytes, which are never sent again. @returns 1 for the one caller who ended it */
export const endPayout = (tx: Db, hash: string, state: 'done' | 'void', at: Date): Promise<number> =>
  tx.run(sql`
    update payouts set state = ${state}, ended_at = ${at}, bytes = '' where hash = ${hash} and state = 'sent'`)

/** Only failed transactions are deleted; what they paid stays. */
export const expired = (at: Date): Sql[] => [
  sql`delete from payouts where state = 'void' and ended_at < ${ago(at, 2 * DAY)}`,
]
