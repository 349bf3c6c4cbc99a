import { type Role, UPLOAD_RECEIPTS_PER_DAY } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { prepared, sql } from '../../platform/db/sql.ts'

export interface Credentials {
  id: number
  uid: string
  password_hash: string | null
}

export const findCredentials = (db: Db, email: string): Promise<Credentials | undefined> =>
  db.maybe(sql`select id, uid, password_hash from users where email = ${email}`)

/** Undefined if the password has changed meanwhile. */
export const lockCredentialsForShare = (
  tx: Db,
  id: number,
  passwordHash: string | null,
): Promise<{ id: number } | undefined> =>
  tx.maybe(sql`select id from users where id = ${id} and password_hash is not distinct from ${passwordHash} for share`)

/** Undefined if the e-mail address is taken, or another account can still get it back. */
export const insertUser = (
  tx: Db,
  user: { uid: string; email: string; passwordHash: string | null; at: Date },
): Promise<{ id: number } | undefined> =>
  tx.maybe(sql`
    insert into users (uid, email, password_hash, created_at)
    select ${user.uid}, ${user.email}, ${user.passwordHash}, ${user.at}
    where not exists (select from email_changes where old_email = ${user.email} and ended_at is null and undo_until > ${user.at})
    on conflict (email) do nothing returning id`)

export const insertUserWithoutEmail = (tx: Db, uid: string, at: Date): Promise<{ id: number }> =>
  tx.one(sql`insert into users (uid, created_at) values (${uid}, ${at}) returning id`)

export const setPassword = (
  tx: Db,
  email: string,
  passwordHash: string,
): Promise<{ id: number; uid: string } | undefined> =>
  tx.maybe(sql`update users set password_hash = ${passwordHash} where email = ${email} returning id, uid`)

export interface ProfileRow {
  uid: string
  email: string | null
  role: Role
  vip: boolean
  storage_quota: number | null
  created_at: Date
}

export const findProfile = (db: Db, id: number): Promise<ProfileRow | undefined> =>
  db.maybe(sql`select uid, email, role, vip, storage_quota, created_at from users where id = ${id}`)

export interface AccountUsage {
  id: number
  uid: string
  vip: boolean
  storage_quota: number | null
  outflow_quota: number | null
  used_bytes: number
  reserved_bytes: number
  trash_bytes: number
  version_bytes: number
  asset_count: number
  plan_since: Date | null
  created_at: Date
  locked: boolean
  /** It is scheduled for deletion. */
  closing: boolean
  /** Bytes that may arrive before its unlisted uploads are counted again, and when they were counted. */
  unlisted_left: number
  unlisted_counted_at: Date | null
}

const usage = sql`id, uid, vip, storage_quota, outflow_quota, used_bytes, reserved_bytes, trash_bytes, version_bytes, asset_count, plan_since, created_at,
  locked_at is not null as locked, closing_at is not null as closing, unlisted_left, unlisted_counted_at`

/** Limits and counters of an account. */
export const findAccountUsage = (db: Db, userId: number) =>
  db.one<AccountUsage>(prepared`select ${usage} from users where id = ${userId}`)

/** Serializes changes to the storage, sign-in methods and second factors of an account. */
export const lockAccountForUpdate = (tx: Db, userId: number) =>
  tx.one<AccountUsage>(prepared`select ${usage} from users where id = ${userId} for update`)

/** Like `lockAccountForUpdate`, by uid. */
export const lockUidForUpdate = (tx: Db, uid: string) =>
  tx.maybe<AccountUsage>(prepared`select ${usage} from users where uid = ${uid} for update`)

export const setUnlisted = (tx: Db, userId: number, left: number, countedAt: Date) =>
  tx.run(prepared`update users set unlisted_left = ${left}, unlisted_counted_at = ${countedAt} where id = ${userId}`)

/** Counts a receipt of an upload. @returns false if the account has had all of the day (UTC) */
export const takeUploadReceipt = async (tx: Db, userId: number, at: Date): Promise<boolean> => {
  const day = at.toISOString().slice(0, 10)
  const { free, vip } = UPLOAD_RECEIPTS_PER_DAY
  return (
    (await tx.run(sql`
      update users set upload_receipts_day = ${day}::date,
        upload_receipts = case when upload_receipts_day = ${day}::date then upload_receipts + 1 else 1 end
      where id = ${userId} and (upload_receipts_day is distinct from ${day}::date
        or upload_receipts < case when vip then ${vip}::int else ${free}::int end)`)) > 0
  )
}

/** The e-mail address of an account that the transaction has locked. */
export const lockEmailForUpdate = (tx: Db, userId: number): Promise<{ uid: string; email: string | null }> =>
  tx.one(sql`select uid, email from users where id = ${userId} for update`)

/** The unique constraint of e-mail addresses, for `isDuplicate`. */
export const UNIQUE_EMAIL = 'users_email_key'

/** Whether the password stays. @throws a violation of `UNIQUE_EMAIL` if another account has the address */
export const setEmail = (tx: Db, userId: number, email: string, { keepPassword }: { keepPassword: boolean }) =>
  tx.run(sql`
    update users set email = ${email}, password_hash = case when ${keepPassword} then password_hash end where id = ${userId}`)

/** The same for several receipts. @returns how many the account may still have, at most `wanted` */
export const takeUploadReceipts = async (tx: Db, userId: number, wanted: number, at: Date): Promise<number> => {
  const day = at.toISOString().slice(0, 10)
  const { free, vip } = UPLOAD_RECEIPTS_PER_DAY
  return (
    await tx.one<{ taken: number }>(prepared`
      with before as (
        select id, case when upload_receipts_day = ${day}::date then upload_receipts else 0 end as used,
          case when vip then ${vip}::int else ${free}::int end as most
        from users where id = ${userId} for update)
      update users u set upload_receipts_day = ${day}::date, upload_receipts = b.used + greatest(0, least(${wanted}::int, b.most - b.used))
      from before b where u.id = b.id returning greatest(0, least(${wanted}::int, b.most - b.used)) as taken`)
  ).taken
}

/** Whether every sign-in requires a passkey. */
export const setPasskeyRequired = (tx: Db, userId: number, required: boolean): Promise<number> =>
  tx.run(sql`
    update users set passkey_required = ${required} where id = ${userId} and passkey_required <> ${required}`)
