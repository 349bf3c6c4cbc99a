import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export interface TotpRow {
  secret: Buffer
  confirmed_at: Date | null
}

export const findTotp = (db: Db, userId: number): Promise<TotpRow | undefined> =>
  db.maybe(sql`select secret, confirmed_at from totp where user_id = ${userId}`)

/** Replaces an unconfirmed secret; 0 if there is a confirmed one. */
export const putTotp = (tx: Db, userId: number, secret: Buffer, at: Date): Promise<number> =>
  tx.run(sql`
    insert into totp as t (user_id, secret, created_at) values (${userId}, ${secret}, ${at})
    on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at, last_step = 0
      where t.confirmed_at is null`)

/** 0 if the code of this or a later step was used before. */
export const useStep = (tx: Db, userId: number, step: number): Promise<number> =>
  tx.run(sql`update totp set last_step = ${step} where user_id = ${userId} and last_step < ${step}`)

export const confirmTotp = (tx: Db, userId: number, at: Date): Promise<number> =>
  tx.run(sql`update totp set confirmed_at = ${at} where user_id = ${userId} and confirmed_at is null`)

export const deleteTotp = (tx: Db, userId: number): Promise<number> =>
  tx.run(sql`delete from totp where user_id = ${userId}`)

/** Authenticator apps and recovery codes. */
export const deleteFactorsSince = async (tx: Db, userId: number, since: Date): Promise<void> => {
  await tx.run(sql`
    delete from totp where user_id = ${userId} and (created_at >= ${since} or confirmed_at >= ${since})`)
  await tx.run(sql`delete from recovery_codes where user_id = ${userId} and created_at >= ${since}`)
}

export const countRecoveryCodes = async (db: Db, userId: number): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) as count from recovery_codes where user_id = ${userId} and used_at is null`,
    )
  ).count

export const deleteRecoveryCodes = (tx: Db, userId: number): Promise<number> =>
  tx.run(sql`delete from recovery_codes where user_id = ${userId}`)

export const insertRecoveryCodes = (tx: Db, userId: number, hashes: readonly Buffer[], at: Date): Promise<number> =>
  tx.run(sql`
    insert into recovery_codes (user_id, code_hash, created_at)
    select ${userId}::bigint, unnest(${hashes}::bytea[]), ${at}::timestamptz`)

/** 0 if it is wrong or was used before. */
export const useRecoveryCode = (tx: Db, userId: number, hash: Buffer, at: Date): Promise<number> =>
  tx.run(sql`
    update recovery_codes set used_at = ${at} where user_id = ${userId} and code_hash = ${hash} and used_at is null`)

export interface FactorsRow {
  password: boolean
  email: boolean
  passkey_required: boolean
  totp_since: Date | null
}

export const findFactors = (db: Db, userId: number): Promise<FactorsRow | undefined> =>
  db.maybe(sql`
    select password_hash is not null as password, email is not null as email, passkey_required,
      (select confirmed_at from totp where user_id = users.id) as totp_since
    from users where id = ${userId}`)

export const deleteUnusedRecoveryCodes = (tx: Db, userId: number): Promise<number> =>
  tx.run(sql`
    delete from recovery_codes where user_id = ${userId}
      and not exists (select from users where id = ${userId} and passkey_required)
      and not exists (select from totp where user_id = ${userId} and confirmed_at is not null)`)

export const findPassword = (
  db: Db,
  userId: number,
): Promise<{ email: string | null; password_hash: string | null } | undefined> =>
  db.maybe(sql`select email, password_hash from users where id = ${userId}`)

export const erased = (userId: number): Sql[] => [
  sql`delete from totp where user_id = ${userId}`,
  sql`delete from recovery_codes where user_id = ${userId}`,
]
