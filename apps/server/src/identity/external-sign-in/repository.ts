import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

export interface NewFlow {
  stateHash: Buffer
  provider: string
  browserHash: Buffer
  verifier: string
  nonce: string
  /** Null: sign in. */
  userId: number | null
  redirect: string
  network: string
  expiresAt: Date
}

export const insertFlow = (db: Db, flow: NewFlow): Promise<number> =>
  db.run(sql`
    insert into sign_in_flows (state_hash, provider, browser_hash, verifier, nonce, user_id, redirect, network, expires_at)
    values (${flow.stateHash}, ${flow.provider}, ${flow.browserHash}, ${flow.verifier}, ${flow.nonce}, ${flow.userId},
      ${flow.redirect}, ${flow.network}, ${flow.expiresAt})`)

/** Deletes all but the newest `kept` open flows of a network. `userId` null: of sign-ins. */
export const deleteOldFlows = (db: Db, network: string, userId: number | null, kept: number): Promise<number> =>
  db.run(sql`
    delete from sign_in_flows where state_hash in (
      select state_hash from sign_in_flows
      where network = ${network} and user_id is not distinct from ${userId}::bigint and code_hash is null
      order by expires_at desc offset ${kept}::int for update skip locked)`)

/** Also finds used flows. */
export const findFlow = (
  db: Db,
  stateHash: Buffer,
): Promise<{ provider: string; redirect: string; links: boolean } | undefined> =>
  db.maybe(sql`
    select provider, redirect, user_id is not null as links from sign_in_flows where state_hash = ${stateHash}`)

/** Marks the flow used. Undefined if it was used before, or the cookie is wrong. */
export const useFlow = (
  db: Db,
  flow: { stateHash: Buffer; provider: string; browserHash: Buffer; at: Date },
): Promise<{ verifier: string; nonce: string } | undefined> =>
  db.maybe(sql`
    update sign_in_flows set used_at = ${flow.at}
    where state_hash = ${flow.stateHash} and provider = ${flow.provider} and browser_hash = ${flow.browserHash}
      and used_at is null and expires_at > ${flow.at}
    returning verifier, nonce`)

export interface ExternalProfile {
  subject: string
  name: string
  verified_email: string
  shown_email: string
}

/** Stores the profile until the portal redeems the handover code. */
export const storeIdentity = (
  db: Db,
  stateHash: Buffer,
  identity: ExternalProfile,
  handover: { codeHash: Buffer; expiresAt: Date },
): Promise<number> =>
  db.run(sql`
    update sign_in_flows set code_hash = ${handover.codeHash}, expires_at = ${handover.expiresAt}, verifier = '', nonce = '',
      subject = ${identity.subject}, name = ${identity.name}, verified_email = ${identity.verified_email},
      shown_email = ${identity.shown_email}
    where state_hash = ${stateHash}`)

export interface ExternalIdentity extends ExternalProfile {
  provider: string
}

/** Redeems a handover code, once, for the browser and purpose that started the flow. */
export const useHandover = (
  tx: Db,
  handover: { codeHash: Buffer; browserHash: Buffer; userId: number | null; at: Date },
): Promise<ExternalIdentity | undefined> =>
  tx.maybe(sql`
    delete from sign_in_flows
    where code_hash = ${handover.codeHash} and browser_hash = ${handover.browserHash}
      and user_id is not distinct from ${handover.userId}::bigint and expires_at > ${handover.at}
    returning provider, subject, name, verified_email, shown_email`)

/** The cookie of a flow is named after its state. */
export const findHandoverState = (db: Db, codeHash: Buffer): Promise<{ state_hash: Buffer } | undefined> =>
  db.maybe(sql`select state_hash from sign_in_flows where code_hash = ${codeHash}`)

/** Until the transaction ends, no other transaction links this identity or creates an account for it. */
export const lockIdentity = (tx: Db, provider: string, subject: string): Promise<number> =>
  advisoryLock(tx, `identity ${provider} ${subject}`)

export const findOwner = (
  db: Db,
  provider: string,
  subject: string,
): Promise<{ id: number; uid: string } | undefined> =>
  db.maybe(sql`
    select u.id, u.uid from identities i join users u on u.id = i.user_id
    where i.provider = ${provider} and i.subject = ${subject}`)

export const recordUse = (
  tx: Db,
  { provider, subject, name, shown_email }: ExternalIdentity,
  at: Date,
): Promise<number> =>
  tx.run(sql`
    update identities set used_at = ${at}, name = ${name}, email = ${shown_email}
    where provider = ${provider} and subject = ${subject}`)

/** 0 if the account has another identity of this provider. */
export const insertIdentity = (
  tx: Db,
  { provider, subject, name, shown_email }: ExternalIdentity,
  userId: number,
  at: Date,
): Promise<number> =>
  tx.run(sql`
    insert into identities (provider, subject, user_id, name, email, created_at)
    values (${provider}, ${subject}, ${userId}, ${name}, ${shown_email}, ${at})
    on conflict on constraint identities_one_of_a_provider do nothing`)

export interface IdentityRow {
  provider: string
  name: string
  email: string
  created_at: Date
  used_at: Date | null
}

export const findIdentities = (db: Db, userId: number): Promise<IdentityRow[]> =>
  db.rows(sql`
    select provider, name, email, created_at, used_at from identities where user_id = ${userId} order by created_at, provider`)

export const deleteIdentity = (tx: Db, userId: number, provider: string): Promise<number> =>
  tx.run(sql`delete from identities where user_id = ${userId} and provider = ${provider}`)

export const deleteIdentitiesSince = (tx: Db, userId: number, since: Date): Promise<number> =>
  tx.run(sql`delete from identities where user_id = ${userId} and created_at >= ${since}`)

export const expired = (at: Date): Sql[] => [
  sql`delete from sign_in_flows where state_hash in (
    select state_hash from sign_in_flows where expires_at < ${at} limit ${EXPIRED_BATCH} for update skip locked)`,
]

export const erased = (userId: number): Sql[] => [
  sql`delete from sign_in_flows where user_id = ${userId}`,
  sql`delete from identities where user_id = ${userId}`,
]

export const exported = (userId: number): Sql => sql`
  select row_number() over (order by provider) as row_key, provider, name, email, created_at, used_at from identities
  where user_id = ${userId}`
