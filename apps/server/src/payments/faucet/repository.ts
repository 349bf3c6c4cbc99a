import type { ClaimState } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { pendingPayoutsIn } from '../payouts/pending.ts'

export const pendingClaims = pendingPayoutsIn(sql`claims`)

export interface ClaimRow {
  wallet: string
  amount: number
  /** Hash of the transaction that pays it, if any. */
  payment: string | null
  state: ClaimState
  created_at: Date
  receipt_id: number | null
}

const COLUMNS = sql`wallet, amount, payment, state, created_at, receipt_id`

/** Undefined if the wallet or the account already has a claim of this day. */
export const insertClaim = (
  tx: Db,
  claim: { userId: number; wallet: string; day: string; amount: number; network: string; at: Date },
): Promise<ClaimRow | undefined> =>
  tx.maybe(sql`
    insert into claims (user_id, wallet, day, amount, network, state, due_at, created_at)
    values (${claim.userId}, ${claim.wallet}, ${claim.day}, ${claim.amount}, ${claim.network}, 'reserved', ${claim.at}, ${claim.at})
    on conflict do nothing
    returning ${COLUMNS}`)

/** 0 rows if less than `amount` is left of the hourly limit. */
export const reserveFromHour = (tx: Db, hour: Date, amount: number, limit: number): Promise<number> =>
  tx.run(sql`
    insert into claim_hours as h (hour, given) values (${hour}, ${amount})
    on conflict (hour) do update set given = h.given + excluded.given where h.given + excluded.given <= ${limit}`)

/** 0 rows if the client network has reached its daily limit. */
export const countClaimOfNetwork = (tx: Db, day: string, network: string, limit: number): Promise<number> =>
  tx.run(sql`
    insert into claim_networks as n (day, network, claims) values (${day}, ${network}, 1)
    on conflict (day, network) do update set claims = n.claims + 1 where n.claims < ${limit}`)

export const reservedInHour = async (db: Db, hour: Date): Promise<number> =>
  (await db.maybe<{ given: number }>(sql`select given from claim_hours where hour = ${hour}`))?.given ?? 0

/** The claim of this wallet on a day, otherwise that of another wallet of the account. */
export const findClaim = (db: Db, userId: number, wallet: string, day: string): Promise<ClaimRow | undefined> =>
  db.maybe(sql`
    select ${COLUMNS} from claims where day = ${day} and (wallet = ${wallet} or user_id = ${userId})
    order by wallet = ${wallet} desc limit 1`)

export const listClaims = (db: Db, userId: number, limit: number, offset: number): Promise<ClaimRow[]> =>
  db.rows(sql`
    select ${COLUMNS} from claims where user_id = ${userId}
    order by created_at desc, id desc limit ${limit} offset ${offset}`)

export const countClaims = async (db: Db, userId: number): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count from claims where user_id = ${userId}`)).count

/** Counters are deleted after two days, whatever the time zone. Claims stay. */
export const expired = (at: Date): Sql[] => [
  sql`delete from claim_hours where hour < ${ago(at, 2 * DAY)}`,
  sql`delete from claim_networks where day < ${ago(at, 2 * DAY)}::timestamptz::date`,
]

/** Payouts stay without the account. */
export const erased = (userId: number): Sql[] => [sql`update claims set user_id = null where user_id = ${userId}`]

export const countUnpaidClaims = async (db: Db, userId: number): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) as count from claims where user_id = ${userId} and state <> 'done'`)
  ).count

export const exported = (userId: number): Sql => sql`
  select id as row_key, wallet, day, amount, state, payment, created_at, receipt_id from claims where user_id = ${userId}`
