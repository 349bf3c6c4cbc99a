import type { Role } from '@tidenet/contract'
import { literally } from '../../platform/db/cursors.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, sql } from '../../platform/db/sql.ts'

export interface UserRow {
  id: number
  uid: string
  email: string | null
  role: Role
  vip: boolean
  storage_quota: number | null
  outflow_quota: number | null
  locked_at: Date | null
  lock_reason: string
  created_at: Date
  used_bytes: number
  asset_count: number
}

const columns = sql`u.id, u.uid, u.email, u.role, u.vip, u.storage_quota, u.outflow_quota, u.locked_at, u.lock_reason, u.created_at,
  u.used_bytes, u.asset_count`

export interface UserFilter {
  q?: string | undefined
  role?: Role | undefined
  vip?: boolean | undefined
  locked?: boolean | undefined
}

/** Newest first. */
export const pageOfUsers = (
  db: Db,
  { q, role, vip, locked }: UserFilter,
  before: number | undefined,
  limit: number,
): Promise<UserRow[]> => {
  const word = literally((q ?? '').toLowerCase())
  return db.rows(sql`
    select ${columns} from users u where true
      ${word === '' ? none : sql`and (u.uid like ${`${word}%`} or u.email like ${`%${word}%`})`}
      ${role === undefined ? none : sql`and u.role = ${role}`}
      ${vip === undefined ? none : sql`and u.vip = ${vip}`}
      ${locked === undefined ? none : locked ? sql`and u.locked_at is not null` : sql`and u.locked_at is null`}
      ${before === undefined ? none : sql`and u.id < ${before}`}
    order by u.id desc limit ${limit}`)
}

export const findUser = (db: Db, uid: string): Promise<UserRow | undefined> =>
  db.maybe(sql`select ${columns} from users u where u.uid = ${uid}`)

/** How the account is used: what is open, and what it sent since `month`. */
export const findUse = (db: Db, id: number, month: Date, at: Date) =>
  db.one<{
    reserved: number
    folders: number
    sessions: number
    keys: number
    shares: number
    sent: number
    last_seen: Date | null
  }>(sql`
    select u.reserved_bytes as reserved,
      (select count(*) from folders where user_id = u.id) as folders,
      (select count(*) from sessions where user_id = u.id and revoked_at is null and expires_at > ${at}) as sessions,
      (select count(*) from api_keys where user_id = u.id) as keys,
      (select count(*) from links where user_id = u.id) as shares,
      (select coalesce(sum(sent), 0) from usage_hours where user_id = u.id and hour >= ${month}) as sent,
      greatest((select max(coalesce(seen_at, created_at)) from sessions where user_id = u.id),
        (select max(used_at) from api_keys where user_id = u.id)) as last_seen
    from users u where u.id = ${id}`)

export const setPlan = (
  tx: Db,
  id: number,
  plan: { role: Role; vip: boolean; storage_quota: number | null; outflow_quota: number | null },
): Promise<UserRow> =>
  tx.one(sql`
    update users u set role = ${plan.role}, vip = ${plan.vip}, storage_quota = ${plan.storage_quota}, outflow_quota = ${plan.outflow_quota}
    where id = ${id} returning ${columns}`)

/** `since` null lets it in again. */
export const setLock = (tx: Db, id: number, since: Date | null, reason: string): Promise<UserRow> =>
  tx.one(sql`update users u set locked_at = ${since}, lock_reason = ${reason} where id = ${id} returning ${columns}`)
