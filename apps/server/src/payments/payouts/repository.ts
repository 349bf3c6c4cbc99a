import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

/** What payouts are for. */
export type PayoutKind = 'claims' | 'redemptions'

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

/** Payouts of which it is not known what came of them. */
export const openPayouts = (db: Db, kind: PayoutKind): Promise<Payout[]> =>
  db.rows(sql`
    select hash, bytes, last_height, created_at from payouts where state = 'sent' and kind = ${kind}
    order by created_at limit 100`)

/** 1 for the one caller who ended it. Nobody hands its bytes in again. */
export const endPayout = (tx: Db, hash: string, state: 'done' | 'void', at: Date): Promise<number> =>
  tx.run(sql`
    update payouts set state = ${state}, ended_at = ${at}, bytes = '' where hash = ${hash} and state = 'sent'`)

/** Payouts that came to nothing; what was promised stays. */
export const expired = (at: Date): Sql[] => [
  sql`delete from payouts where state = 'void' and ended_at < ${ago(at, 2 * DAY)}`,
]
