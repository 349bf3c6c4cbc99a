import type { Role } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { ErasedAccount } from '../../platform/erase.ts'

/** The dates of an account that is to be deleted. */
export interface Closing {
  uid: string
  email: string | null
  role: Role
  /** From when it is deleted; null: its owner did not ask for that. */
  closing_at: Date | null
}

export const findClosing = (db: Db, userId: number): Promise<Closing> =>
  db.one(sql`select uid, email, role, closing_at from users where id = ${userId}`)

/** @returns when the account is deleted: an earlier request counts */
export const startClosing = (tx: Db, userId: number, at: Date): Promise<{ closing_at: Date }> =>
  tx.one(sql`update users set closing_at = coalesce(closing_at, ${at}) where id = ${userId} returning closing_at`)

/** @returns 0 if nothing was asked for, or the deletion has begun */
export const cancelClosing = (tx: Db, userId: number): Promise<number> =>
  tx.run(sql`
    update users set closing_at = null where id = ${userId} and closing_at is not null and erasing_at is null`)

/** Accounts whose time is over and whose deletion has not begun. */
export const findToErase = (db: Db, at: Date, limit: number): Promise<ErasedAccount[]> =>
  db.rows(sql`
    select id, uid, email from users where closing_at <= ${at} and erasing_at is null and erased_at is null
    order by closing_at limit ${limit}`)

/** Locks the account for good: from now on, nobody can use or keep it. @returns 0 if its owner kept it, or this was done before */
export const beginErasing = (tx: Db, userId: number, at: Date): Promise<number> =>
  tx.run(sql`
    update users set erasing_at = ${at}, locked_at = coalesce(locked_at, ${at})
    where id = ${userId} and closing_at <= ${at} and erasing_at is null`)

/** Begins the deletion of an account without the time to undo it: that of a team whose owner deleted it. */
export const eraseAtOnce = (tx: Db, userId: number, at: Date): Promise<number> =>
  tx.run(sql`
    update users set closing_at = ${at}, erasing_at = ${at}, locked_at = coalesce(locked_at, ${at}) where id = ${userId}`)

/** Accounts whose deletion began before this time and is not finished. */
export const findErasing = (db: Db, before: Date, limit: number): Promise<ErasedAccount[]> =>
  db.rows(sql`
    select id, uid, email from users where closing_at is not null and erasing_at <= ${before} and erased_at is null
    order by erasing_at limit ${limit}`)

/** Removes everything about a person from the row. @returns 0 if this was done before */
export const finishErasing = (tx: Db, userId: number, at: Date): Promise<number> =>
  tx.run(sql`
    update users set email = null, password_hash = null, passkey_required = false, role = 'user', vip = false, storage_quota = null,
      outflow_quota = null, plan_since = null, plan_paid_until = null, lock_reason = '', upload_receipts_day = null,
      unlisted_left = 0, unlisted_counted_at = null,
      closing_at = null, erased_at = ${at}
    where id = ${userId} and erasing_at is not null and erased_at is null`)

/** The deletion did not begin: it is tried later. */
export const postponeClosing = (tx: Db, userId: number, at: Date, until: Date): Promise<number> =>
  tx.run(sql`
    update users set closing_at = ${until} where id = ${userId} and closing_at <= ${at} and erasing_at is null`)

export const exportedProfile = (userId: number): Sql => sql`
  select id as row_key, uid, email, role, vip, storage_quota, outflow_quota, used_bytes, trash_bytes, asset_count, created_at,
    plan_since, closing_at from users where id = ${userId}`
