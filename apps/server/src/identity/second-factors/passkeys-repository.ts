import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

export type ChallengePurpose = 'add' | 'login' | 'second' | 'prove'

export const insertChallenge = (
  db: Db,
  challenge: {
    challenge: string
    purpose: ChallengePurpose
    userId: number | null
    network: string
    expiresAt: Date
  },
): Promise<number> =>
  db.run(sql`
    insert into passkey_challenges (challenge, purpose, user_id, network, expires_at)
    values (${challenge.challenge}, ${challenge.purpose}, ${challenge.userId}, ${challenge.network}, ${challenge.expiresAt})`)

/** Deletes all but the newest `kept` challenges of a network. `userId` null: of sign-ins. */
export const deleteOldChallenges = (db: Db, network: string, userId: number | null, kept: number): Promise<number> =>
  db.run(sql`
    delete from passkey_challenges where challenge in (
      select challenge from passkey_challenges
      where network = ${network} and user_id is not distinct from ${userId}::bigint
      order by expires_at desc offset ${kept}::int for update skip locked)`)

/** @returns 0 if it was used before */
export const useChallenge = (
  db: Db,
  { challenge, purpose, userId, at }: { challenge: string; purpose: ChallengePurpose; userId: number | null; at: Date },
): Promise<number> =>
  db.run(sql`
    delete from passkey_challenges
    where challenge = ${challenge} and purpose = ${purpose} and user_id is not distinct from ${userId}::bigint
      and expires_at > ${at}`)

export interface PasskeyRow {
  credential_id: string
  user_id: number
  uid: string
  public_key: Buffer
  counter: number
  transports: string[]
}

export const findPasskey = (db: Db, id: string): Promise<PasskeyRow | undefined> =>
  db.maybe(sql`
    select p.credential_id, p.user_id, u.uid, p.public_key, p.counter, p.transports
    from passkeys p join users u on u.id = p.user_id where p.credential_id = ${id}`)

export interface PasskeyInfo {
  credential_id: string
  name: string
  synced: boolean
  transports: string[]
  created_at: Date
  used_at: Date | null
}

export const findPasskeys = (db: Db, userId: number): Promise<PasskeyInfo[]> =>
  db.rows(sql`
    select credential_id, name, synced, transports, created_at, used_at from passkeys
    where user_id = ${userId} order by created_at`)

/** 0 if the passkey is already registered. */
export const insertPasskey = (
  tx: Db,
  passkey: {
    id: string
    userId: number
    publicKey: Uint8Array
    counter: number
    transports: string[]
    name: string
    synced: boolean
    at: Date
  },
): Promise<number> =>
  tx.run(sql`
    insert into passkeys (credential_id, user_id, public_key, counter, transports, name, synced, created_at)
    values (${passkey.id}, ${passkey.userId}, ${Buffer.from(passkey.publicKey)}, ${passkey.counter}, ${passkey.transports},
      ${passkey.name}, ${passkey.synced}, ${passkey.at})
    on conflict (credential_id) do nothing`)

/** 0 if the counter has changed meanwhile: the passkey was used concurrently, or copied. */
export const recordUse = (
  tx: Db,
  { id, before, counter, at }: { id: string; before: number; counter: number; at: Date },
): Promise<number> =>
  tx.run(sql`
    update passkeys set counter = ${counter}, used_at = ${at} where credential_id = ${id} and counter = ${before}`)

export const renamePasskey = (tx: Db, userId: number, id: string, name: string): Promise<number> =>
  tx.run(sql`update passkeys set name = ${name} where credential_id = ${id} and user_id = ${userId}`)

export const deletePasskey = (tx: Db, userId: number, id: string): Promise<number> =>
  tx.run(sql`delete from passkeys where credential_id = ${id} and user_id = ${userId}`)

export const deletePasskeysSince = (tx: Db, userId: number, since: Date): Promise<number> =>
  tx.run(sql`delete from passkeys where user_id = ${userId} and created_at >= ${since}`)

export const expired = (at: Date): Sql[] => [
  sql`delete from passkey_challenges where challenge in (
    select challenge from passkey_challenges where expires_at < ${at} limit ${EXPIRED_BATCH} for update skip locked)`,
]

export const erased = (userId: number): Sql[] => [
  sql`delete from passkey_challenges where user_id = ${userId}`,
  sql`delete from passkeys where user_id = ${userId}`,
]

export const exported = (userId: number): Sql => sql`
  select row_number() over (order by credential_id) as row_key, name, synced, created_at, used_at from passkeys
  where user_id = ${userId}`
