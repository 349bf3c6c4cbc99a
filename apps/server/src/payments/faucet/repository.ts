import type { ClaimState } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { promisesIn } from '../payouts/promises.ts'

export const promises = promisesIn(sql`claims`)

export interface ClaimRow {
  wallet: string
  amount: number
  /** Of the transaction that pays it; null before there is one. */
  payment: string | null
  state: ClaimState
  created_at: Date
}

const shown = sql`wallet, amount, payment, state, created_at`

/** The new claim; undefined when the wallet or the account has one of this day. */
export const insertClaim = (
  tx: Db,
  claim: { userId: number; wallet: string; day: string; amount: number; network: string; at: Date },
): Promise<ClaimRow | undefined> =>
  tx.maybe(sql`
    insert into claims (user_id, wallet, day, amount, network, state, due_at, created_at)
    values (${claim.userId}, ${claim.wallet}, ${claim.day}, ${claim.amount}, ${claim.network}, 'reserved', ${claim.at}, ${claim.at})
    on conflict do nothing
    returning ${shown}`)

/** Takes an amount of the hour's; 0 rows when not so much is left. */
export const takeOfHour = (tx: Db, hour: Date, amount: number, most: number): Promise<number> =>
  tx.run(sql`
    insert into claim_hours as h (hour, given) values (${hour}, ${amount})
    on conflict (hour) do update set given = h.given + excluded.given where h.given + excluded.given <= ${most}`)

/** Counts a claim of a network; 0 rows when it had its share. */
export const takeOfNetwork = (tx: Db, day: string, network: string, most: number): Promise<number> =>
  tx.run(sql`
    insert into claim_networks as n (day, network, claims) values (${day}, ${network}, 1)
    on conflict (day, network) do update set claims = n.claims + 1 where n.claims < ${most}`)

export const givenIn = async (db: Db, hour: Date): Promise<number> =>
  (await db.maybe<{ given: number }>(sql`select given from claim_hours where hour = ${hour}`))?.given ?? 0

/** The claim of a day, by this wallet or by another of the account. */
export const findClaim = (db: Db, userId: number, wallet: string, day: string): Promise<ClaimRow | undefined> =>
  db.maybe(sql`
    select ${shown} from claims where day = ${day} and (wallet = ${wallet} or user_id = ${userId})
    order by wallet = ${wallet} desc limit 1`)

export const listClaims = (db: Db, userId: number, limit: number, offset: number): Promise<ClaimRow[]> =>
  db.rows(sql`
    select ${shown} from claims where user_id = ${userId}
    order by created_at desc, id desc limit ${limit} offset ${offset}`)

export const countClaims = async (db: Db, userId: number): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count from claims where user_id = ${userId}`)).count

/** Counts of a day; two pass before they are deleted, whatever the zone. Claims stay. */
export const expired = (at: Date): Sql[] => [
  sql`delete from claim_hours where hour < ${ago(at, 2 * DAY)}`,
  sql`delete from claim_networks where day < ${ago(at, 2 * DAY)}::timestamptz::date`,
]
