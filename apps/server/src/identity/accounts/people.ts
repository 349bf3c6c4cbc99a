import type { Role } from '@tidenet/contract'
import { escapeLike } from '../../platform/db/cursors.ts'
import type { Db } from '../../platform/db/db.ts'
import { prepared, type Sql, sql } from '../../platform/db/sql.ts'
import { limitsOf } from './limits.ts'
import type { PlanDates } from './plan-months.ts'

/** The fields of an account that other domains use. */
export interface Person {
  id: number
  uid: string
  email: string | null
  locked: boolean
  /** Whether its owner asked to delete it. */
  closing: boolean
}

export async function accountsOf(db: Db, ids: readonly number[]): Promise<Map<number, Person>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<Person>(prepared`
    select id, uid, email, locked_at is not null as locked, closing_at is not null as closing from users where id = any(${[...new Set(ids)]}::bigint[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

export interface Plan extends PlanDates {
  role: Role
  locked: boolean
  /** Bytes. */
  storage: number
  /** Bytes per month of the plan. */
  downloadTraffic: number
}

/** The plans of these accounts. */
export async function plansOf(db: Db, ids: readonly number[]): Promise<Map<number, Plan>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<
    PlanDates & {
      id: number
      role: Role
      locked: boolean
      storage_quota: number | null
      outflow_quota: number | null
    }
  >(sql`
    select id, role, vip, locked_at is not null as locked, storage_quota, outflow_quota, plan_since, created_at
    from users where id = any(${[...new Set(ids)]}::bigint[])`)
  return new Map(
    rows.map(({ id, role, vip, locked, plan_since, created_at, ...quotas }) => [
      id,
      { role, vip, locked, plan_since, created_at, ...limitsOf({ vip, ...quotas }) },
    ]),
  )
}

/** Bytes that these accounts store, with those that uploads have reserved. */
export async function storedBytes(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await db.rows<{ id: number; bytes: number }>(
    sql`select id, used_bytes + reserved_bytes as bytes from users where id = any(${[...new Set(ids)]}::bigint[])`,
  )
  return new Map(rows.map(({ id, bytes }) => [id, bytes]))
}

/** Bytes that accounts with a VIP plan store. */
export const paidBytes = async (db: Db): Promise<number> =>
  (
    await db.one<{ bytes: number }>(
      sql`select coalesce(sum(used_bytes) filter (where vip and locked_at is null), 0)::bigint as bytes from users`,
    )
  ).bytes

/** The ids of the accounts with these uids. */
export async function idsOf(db: Db, uids: readonly string[]): Promise<Map<string, number>> {
  if (uids.length === 0) return new Map()
  const rows = await db.rows<{ uid: string; id: number }>(
    sql`select uid, id from users where uid = any(${[...new Set(uids)]})`,
  )
  return new Map(rows.map(({ uid, id }) => [uid, id]))
}

/** The ids of accounts with this complete uid or e-mail address. */
export const idsOfUidOrEmail = async (db: Db, text: string): Promise<number[]> =>
  (await db.rows<{ id: number }>(sql`select id from users where uid = ${text} or email = ${text.toLowerCase()}`)).map(
    ({ id }) => id,
  )

/** A subquery for the ids of accounts whose uid starts with `start`. */
export const idsOfNamed = (start: string): Sql => sql`select id from users where uid like ${`${escapeLike(start)}%`}`

/** Subqueries for the ids of accounts with a VIP plan, and of enterprise accounts, that are not locked. */
export const paidAccounts: Sql = sql`select id from users where vip and locked_at is null`
export const enterpriseAccounts: Sql = sql`select id from users where role = 'enterprise' and locked_at is null`
