import { AGENT_ROLES, type Role } from '@tidenet/contract'
import { escapeLike } from '../../platform/db/cursors.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, sql } from '../../platform/db/sql.ts'
import type { PlanDates } from './plan-months.ts'

/** An account as operators see it. */
export interface AccountRow {
  id: number
  uid: string
  email: string | null
  role: Role
  vip: boolean
  storage_quota: number | null
  outflow_quota: number | null
  locked_at: Date | null
  lock_reason: string
  closing_at: Date | null
  created_at: Date
  plan_since: Date | null
  used_bytes: number
  reserved_bytes: number
  asset_count: number
}

const columns = sql`u.id, u.uid, u.email, u.role, u.vip, u.storage_quota, u.outflow_quota, u.locked_at, u.lock_reason, u.closing_at, u.created_at,
  u.plan_since, u.used_bytes, u.reserved_bytes, u.asset_count`

export interface AccountFilter {
  q?: string | undefined
  role?: Role | undefined
  vip?: boolean | undefined
  locked?: boolean | undefined
}

/** Newest first. */
export const pageOfAccounts = (
  db: Db,
  { q, role, vip, locked }: AccountFilter,
  before: number | undefined,
  limit: number,
): Promise<AccountRow[]> => {
  const word = escapeLike((q ?? '').toLowerCase())
  return db.rows(sql`
    select ${columns} from users u where true
      ${word === '' ? none : sql`and (u.uid like ${`${word}%`} or u.email like ${`%${word}%`})`}
      ${role === undefined ? none : sql`and u.role = ${role}`}
      ${vip === undefined ? none : sql`and u.vip = ${vip}`}
      ${locked === undefined ? none : locked ? sql`and u.locked_at is not null` : sql`and u.locked_at is null`}
      ${before === undefined ? none : sql`and u.id < ${before}`}
    order by u.id desc limit ${limit}`)
}

export const findAccount = (db: Db, uid: string): Promise<AccountRow | undefined> =>
  db.maybe(sql`select ${columns} from users u where u.uid = ${uid}`)

/** When the plan of an account began, and until when an ended one was paid. */
export const findPlanDates = (tx: Db, id: number) =>
  tx.one<PlanDates & { plan_paid_until: Date | null }>(
    sql`select vip, plan_since, plan_paid_until, created_at from users where id = ${id}`,
  )

export const setPlan = (
  tx: Db,
  id: number,
  plan: {
    role: Role
    vip: boolean
    storage_quota: number | null
    outflow_quota: number | null
    plan_since: Date | null
    plan_paid_until: Date | null
  },
): Promise<AccountRow> =>
  tx.one(sql`
    update users u set role = ${plan.role}, vip = ${plan.vip}, storage_quota = ${plan.storage_quota}, outflow_quota = ${plan.outflow_quota},
      plan_since = ${plan.plan_since}, plan_paid_until = ${plan.plan_paid_until}
    where id = ${id} returning ${columns}`)

/** `since` null unlocks the account. */
export const setLock = (tx: Db, id: number, since: Date | null, reason: string): Promise<AccountRow> =>
  tx.one(
    sql`update users u set locked_at = case when erasing_at is null then ${since}::timestamptz else locked_at end, lock_reason = ${reason} where id = ${id} returning ${columns}`,
  )

export interface AccountState {
  id: number
  uid: string
  role: Role
  vip: boolean
  storage_quota: number | null
  outflow_quota: number | null
  locked_at: Date | null
}

/** The operator's account and the account to change. */
export const lockAccountsForNoKeyUpdate = (tx: Db, operatorId: number, uid: string): Promise<AccountState[]> =>
  tx.rows(sql`
    select id, uid, role, vip, storage_quota, outflow_quota, locked_at from users
    where id = ${operatorId} or uid = ${uid} order by id for no key update`)

export interface AccountFigures {
  total: number
  new_7d: number
  vip: number
  test: number
  enterprise: number
  operators: number
  locked: number
}

export const accountFigures = (db: Db, weekAgo: Date): Promise<AccountFigures> =>
  db.one(sql`
    select count(*) as total, count(*) filter (where created_at > ${weekAgo}) as new_7d, count(*) filter (where vip) as vip,
      count(*) filter (where role = 'test') as test, count(*) filter (where role = 'enterprise') as enterprise,
      count(*) filter (where role = 'operator') as operators, count(*) filter (where locked_at is not null) as locked
    from users`)

export const findOperators = (db: Db): Promise<{ uid: string; email: string | null; locked: boolean }[]> =>
  db.rows(sql`select uid, email, locked_at is not null as locked from users where role = 'operator' order by id`)

/** Accounts that answer in the support chat. */
export const findAgents = (db: Db): Promise<{ uid: string; email: string | null; locked: boolean }[]> =>
  db.rows(sql`
    select uid, email, locked_at is not null as locked from users where role = any(${[...AGENT_ROLES]}) order by id`)

/** @param name e-mail address or uid */
export const lockNamedForNoKeyUpdate = (
  tx: Db,
  name: string,
): Promise<{ id: number; uid: string; role: string; locked: boolean } | undefined> =>
  tx.maybe(sql`
    select id, uid, role, locked_at is not null as locked from users
    where uid = ${name} or email = ${name.toLowerCase()} for no key update`)

export const setRole = (tx: Db, id: number, role: Role): Promise<number> =>
  tx.run(sql`update users set role = ${role} where id = ${id}`)
