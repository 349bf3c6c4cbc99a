import type { PointEntry, PointKind } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { pendingPayoutsIn } from '../payouts/pending.ts'

export const pendingRedemptions = pendingPayoutsIn(sql`redemptions`)

export interface PointSums {
  accumulated: number
  withdrawing: number
  credited: number
}

/** Grants, and what devices earned, in whole points. One statement, so that the sums are consistent. */
export const sumPoints = (db: Db, userId: number): Promise<PointSums> =>
  db.one(sql`
    select (select coalesce(sum(points), 0)::bigint from point_entries where user_id = ${userId})
        + (select coalesce(div(sum(traffic + storage), 1000000), 0)::bigint from device_days where user_id = ${userId}) as accumulated,
      coalesce(sum(points) filter (where state <> 'done'), 0)::bigint as withdrawing,
      coalesce(sum(points) filter (where state = 'done'), 0)::bigint as credited
    from redemptions where user_id = ${userId}`)

export const insertEntry = (
  tx: Db,
  entry: { userId: number; points: number; kind: PointKind; reason: string; by: number | null; at: Date },
): Promise<number> =>
  tx.run(sql`
    insert into point_entries (user_id, points, kind, reason, by_user_id, created_at)
    values (${entry.userId}, ${entry.points}, ${entry.kind}, ${entry.reason}, ${entry.by}, ${entry.at})`)

/** Latest first. */
export const latestEntries = (
  db: Db,
  userId: number,
  limit: number,
): Promise<(Omit<PointEntry, 'created_at'> & { created_at: Date })[]> =>
  db.rows(sql`
    select points, kind, reason, created_at from point_entries where user_id = ${userId} order by id desc limit ${limit}`)

export interface RedemptionRow {
  id: number
  wallet: string
  points: number
  amount: number
  state: 'reserved' | 'sent' | 'done'
  payment: string | null
  created_at: Date
  receipt_id: number | null
}

const COLUMNS = sql`id, wallet, points, amount, state, payment, created_at, receipt_id`

export const insertRedemption = (
  tx: Db,
  redemption: { userId: number; wallet: string; points: number; amount: number; at: Date },
): Promise<RedemptionRow> =>
  tx.one(sql`
    insert into redemptions (user_id, wallet, points, amount, state, due_at, created_at)
    values (${redemption.userId}, ${redemption.wallet}, ${redemption.points}, ${redemption.amount}, 'reserved',
      ${redemption.at}, ${redemption.at})
    returning ${COLUMNS}`)

/** Latest first. */
export const listRedemptions = (db: Db, userId: number, limit: number, offset: number): Promise<RedemptionRow[]> =>
  db.rows(sql`
    select ${COLUMNS} from redemptions where user_id = ${userId} order by id desc limit ${limit} offset ${offset}`)

export const countRedemptions = async (db: Db, userId: number): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count from redemptions where user_id = ${userId}`)).count

/** Points that were not redeemed are given up; payouts stay without the account. */
export const erased = (userId: number): Sql[] => [
  sql`delete from point_entries where user_id = ${userId}`,
  sql`update point_entries set by_user_id = null where by_user_id = ${userId}`,
  sql`update redemptions set user_id = null where user_id = ${userId}`,
]

export const countUnpaidRedemptions = async (db: Db, userId: number): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) as count from redemptions where user_id = ${userId} and state <> 'done'`)
  ).count

export const exported = (userId: number): Sql => sql`
  select id as row_key, wallet, points, amount, state, payment, created_at, receipt_id from redemptions where user_id = ${userId}`

export const exportedPoints = (userId: number): Sql => sql`
  select id as row_key, points, kind, reason, created_at from point_entries where user_id = ${userId}`
