import type { WalletKind } from '@tidenet/contract'
import { WALLET_COOLDOWN } from '@tidenet/contract'
import { ago } from '../../platform/ago.ts'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import type { Db } from '../../platform/db/db.ts'
import { prepared, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import type { Purpose } from './texts.ts'

/** Unused, unexpired messages. */
export const countMessages = async (tx: Db, purpose: Purpose, network: string, at: Date): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`
      select count(*) as count from wallet_nonces
      where ip = ${network} and purpose = ${purpose} and used_at is null and expires_at > ${at}`)
  ).count

export interface MessageKey {
  purpose: Purpose
  /** Null: sign in. */
  userId: number | null
  /** Empty: any wallet. */
  address: string
}

/** Unused messages, newest first. */
export const findRecentMessages = (
  tx: Db,
  { purpose, userId, address }: MessageKey,
  network: string,
  since: Date,
): Promise<{ text: string }[]> =>
  tx.rows(sql`
    select text from wallet_nonces
    where purpose = ${purpose} and user_id is not distinct from ${userId}::bigint and address = ${address}
      and ip = ${network} and used_at is null and created_at > ${since}
    order by created_at desc`)

export const insertMessage = (
  tx: Db,
  { purpose, userId, address }: MessageKey,
  message: { id: string; text: string; network: string; at: Date; expiresAt: Date },
): Promise<number> =>
  tx.run(sql`
    insert into wallet_nonces (id, purpose, user_id, address, text, ip, created_at, expires_at)
    values (${message.id}, ${purpose}, ${userId}, ${address}, ${message.text}, ${message.network}, ${message.at}, ${message.expiresAt})`)

/** Unused, unexpired messages: those requested from the caller's network first, then the newest. */
export const findValidMessages = (
  db: Db,
  { purpose, userId, address }: MessageKey,
  network: string,
  at: Date,
  limit: number,
): Promise<{ id: string; text: string }[]> =>
  db.rows(sql`
    select id, text from wallet_nonces
    where purpose = ${purpose} and user_id is not distinct from ${userId}::bigint and address in (${address}, '')
      and used_at is null and expires_at > ${at}
    order by ip = ${network} desc, created_at desc limit ${limit}`)

/** 0 if it was used before. */
export const useMessage = (tx: Db, id: string, at: Date): Promise<number> =>
  tx.run(sql`update wallet_nonces set used_at = ${at} where id = ${id} and used_at is null and expires_at > ${at}`)

/** Until the transaction ends, no other transaction links this wallet or creates an account for it. Take it before the account's row lock. */
export const lockWallet = (tx: Db, address: string): Promise<number> => advisoryLock(tx, `wallet ${address}`)

export const findOwner = (db: Db, address: string): Promise<{ id: number; uid: string } | undefined> =>
  db.maybe(sql`select u.id, u.uid from wallets w join users u on u.id = w.user_id where w.address = ${address}`)

export interface WalletRow {
  address: string
  kind: WalletKind
  bound_at: Date
}

export const countWallets = async (db: Db): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count from wallets`)).count

/** The chain wallet first. */
export const findWallets = (db: Db, userId: number): Promise<WalletRow[]> =>
  db.rows(prepared`select address, kind, bound_at from wallets where user_id = ${userId} order by kind`)

export const insertWallet = (
  tx: Db,
  wallet: { address: string; kind: WalletKind; userId: number; publicKey: Uint8Array | null; at: Date },
): Promise<number> =>
  tx.run(sql`
    insert into wallets (address, kind, user_id, public_key, bound_at)
    values (${wallet.address}, ${wallet.kind}, ${wallet.userId}, ${wallet.publicKey && Buffer.from(wallet.publicKey)}, ${wallet.at})`)

export const deleteWallet = (tx: Db, userId: number, address: string): Promise<number> =>
  tx.run(sql`delete from wallets where user_id = ${userId} and address = ${address}`)

export const deleteWalletsSince = (tx: Db, userId: number, since: Date): Promise<number> =>
  tx.run(sql`delete from wallets where user_id = ${userId} and bound_at >= ${since}`)

export const recordRelease = (
  tx: Db,
  release: { address: string; userId: number; kind: WalletKind; at: Date },
): Promise<number> =>
  tx.run(sql`
    insert into wallet_releases (address, user_id, kind, released_at)
    values (${release.address}, ${release.userId}, ${release.kind}, ${release.at})
    on conflict (address, user_id) do update set released_at = excluded.released_at`)

/** When this wallet was last unlinked from another account, or another wallet of the kind from this account. */
export const findLastRelease = async (
  tx: Db,
  { address, kind, userId }: { address: string; kind: WalletKind; userId: number | null },
): Promise<Date | null> =>
  (
    await tx.one<{ at: Date | null }>(sql`
      select max(released_at) as at from wallet_releases
      where (address = ${address} and user_id is distinct from ${userId}::bigint)
        or (user_id = ${userId}::bigint and kind = ${kind} and address <> ${address})`)
  ).at

/** When wallets were last unlinked from an account, by kind. */
export const findReleases = (db: Db, userId: number): Promise<{ kind: WalletKind; at: Date }[]> =>
  db.rows(sql`select kind, max(released_at) as at from wallet_releases where user_id = ${userId} group by kind`)

export const expired = (at: Date): Sql[] => [
  sql`delete from wallet_nonces where id in (
    select id from wallet_nonces where expires_at < ${at} limit ${EXPIRED_BATCH} for update skip locked)`,
  sql`delete from wallet_releases where (address, user_id) in (
    select address, user_id from wallet_releases where released_at < ${ago(at, WALLET_COOLDOWN)} limit ${EXPIRED_BATCH} for update skip locked)`,
]

/** Wallets are free for another account after the usual time. */
export const erased = (userId: number, at: Date): Sql[] => [
  sql`delete from wallet_nonces where user_id = ${userId}`,
  sql`
    with gone as (delete from wallets where user_id = ${userId} returning address, user_id, kind)
    insert into wallet_releases (address, user_id, kind, released_at) select address, user_id, kind, ${at} from gone
    on conflict (address, user_id) do update set released_at = excluded.released_at`,
]

export const exported = (userId: number): Sql => sql`
  select row_number() over (order by kind) as row_key, address, kind, bound_at from wallets where user_id = ${userId}`
