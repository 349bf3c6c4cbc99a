import type { SignInMethod } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import type { Within } from '../../platform/audit-log/query.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

export interface SessionRow {
  id: string
  ip: string
  agent: string
  created_at: Date
  seen_at: Date
}

export const findOpenSessions = (db: Db, userId: number, at: Date): Promise<SessionRow[]> =>
  db.rows(sql`
    select id, ip, agent, created_at, coalesce(seen_at, created_at) as seen_at from sessions
    where user_id = ${userId} and revoked_at is null and expires_at > ${at}
    order by coalesce(seen_at, created_at) desc limit 200`)

export const sessionsSeen = (db: Db, userId: number, at: Date): Promise<{ open: number; last: Date | null }> =>
  db.one(sql`
    select count(*) filter (where revoked_at is null and expires_at > ${at}) as open, max(coalesce(seen_at, created_at)) as last
    from sessions where user_id = ${userId}`)

/** Those of these sessions that are open. */
export const stillOpen = async (db: Db, ids: readonly string[], at: Date): Promise<Set<string>> =>
  new Set(
    (
      await db.rows<{ id: string }>(
        sql`select id from sessions where id = any(${ids}::uuid[]) and revoked_at is null and expires_at > ${at}`,
      )
    ).map(({ id }) => id),
  )

/** Ends one session, all but one, or all. @returns how many were open */
export const endOpenSessions = (
  tx: Db,
  userId: number,
  which: { only?: string | undefined; but?: string | undefined },
  at: Date,
): Promise<number> =>
  tx.run(sql`
    update sessions set revoked_at = ${at}
    where user_id = ${userId} and revoked_at is null and expires_at > ${at}
      and (${which.only ?? null}::uuid is null or id = ${which.only ?? null}::uuid)
      and (${which.but ?? null}::uuid is null or id <> ${which.but ?? null}::uuid)`)

/** Cancels sign-ins that wait for their second factor. */
export const deleteSecondFactorTokens = (tx: Db, userId: number): Promise<number> =>
  tx.run(sql`delete from second_factor_tickets where user_id = ${userId}`)

export interface SignInRow {
  at: Date
  way: SignInMethod
  second: '' | 'owed' | 'totp' | 'passkey' | 'recovery'
  ip: string
  agent: string
  ok: boolean
}

export const findSignIns = (db: Db, userId: number, size: number): Promise<SignInRow[]> =>
  db.rows(sql`
    select at, way, second, ip, agent, ok from sign_ins where user_id = ${userId} order by id desc limit ${size}`)

export const findLastAuthentication = (
  db: Db,
  session: string,
): Promise<{ created_at: Date; proved_at: Date | null } | undefined> =>
  db.maybe(sql`select created_at, proved_at from sessions where id = ${session}`)

export const recordAuthentication = (db: Db, session: string, at: Date): Promise<number> =>
  db.run(sql`update sessions set proved_at = ${at} where id = ${session} and revoked_at is null`)

/** Sign-ins are shown for 90 days. Failed ones without an account are kept for a day. */
export const expired = (at: Date): Sql[] => [
  sql`delete from sessions where id in (
    select id from sessions where expires_at < ${ago(at, DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
  sql`delete from second_factor_tickets where ticket_hash in (
    select ticket_hash from second_factor_tickets where expires_at < ${at} limit ${EXPIRED_BATCH} for update skip locked)`,
  sql`delete from sign_ins where id in (
    select id from sign_ins where at < ${ago(at, 90 * DAY)} or (user_id is null and at < ${ago(at, DAY)}) limit ${EXPIRED_BATCH} for update skip locked)`,
]

export const erased = (userId: number): Sql[] => [
  sql`delete from second_factor_tickets where user_id = ${userId}`,
  sql`delete from sign_ins where id in (select id from sign_ins where user_id = ${userId} limit ${EXPIRED_BATCH})`,
  sql`delete from sessions where id in (select id from sessions where user_id = ${userId} limit ${EXPIRED_BATCH})`,
]

export const exportedSessions = (userId: number): Sql => sql`
  select row_number() over (order by created_at, id) as row_key, id, created_at, seen_at, expires_at, ip, agent from sessions
  where user_id = ${userId} and revoked_at is null`

export const exportedSignIns = (userId: number): Sql => sql`
  select id as row_key, at, way, second, ip, agent, ok from sign_ins where user_id = ${userId}`

/** Sign-ins of an account in a time span, newest first. */
export const pageOfSignIns = (
  db: Db,
  userId: number,
  { from, to }: Within,
  before: { at: Date; id: number } | undefined,
  limit: number,
): Promise<(SignInRow & { id: number })[]> =>
  db.rows(sql`
    select id, at, way, second, ip, agent, ok from sign_ins where user_id = ${userId}
      ${from ? sql`and at >= ${from}` : none} ${to ? sql`and at < ${to}` : none}
      ${before === undefined ? none : sql`and (at, id) < (${before.at}, ${before.id})`}
    order by at desc, id desc limit ${limit}`)

/** The programs of these sessions, as far as they are still known. */
export const sessionAgents = async (db: Db, userId: number, ids: readonly string[]): Promise<Map<string, string>> =>
  new Map(
    ids.length === 0
      ? []
      : (
          await db.rows<{ id: string; agent: string }>(sql`
            select id, agent from sessions where user_id = ${userId} and id::text = any(${[...new Set(ids)]})`)
        ).map(({ id, agent }) => [id, agent]),
  )
