import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** Files that end: `ending_stage` is how often their end was announced, at most three times. Only what was announced thrice is deleted. */

/** Files that end before these times are announced for the first, second and last time. */
export interface Stages {
  first: Date
  second: Date
  last: Date
}

/** Accounts with a file that is to be announced. */
export const findAccountsToTell = async (db: Db, { first, second, last }: Stages, limit: number): Promise<number[]> =>
  (
    await db.rows<{ user_id: number }>(sql`
      select distinct user_id from (
        select user_id from assets where ending_stage = 0 and expires_at < ${first}
        union all select user_id from assets where ending_stage = 1 and expires_at < ${second}
        union all select user_id from assets where ending_stage = 2 and expires_at < ${last}
      ) due order by user_id limit ${limit}`)
  ).map(({ user_id }) => user_id)

/** Keeps files that were never announced at least until then. */
export const postponeUntold = (tx: Db, userId: number, until: Date) =>
  tx.run(sql`
    update assets set expires_at = ${until} where user_id = ${userId} and ending_stage = 0 and expires_at < ${until}`)

export interface ToldFile {
  name: string
  expires_at: Date
  /** How many were announced now. */
  total: number
}

/** Marks files as announced. @returns the first of them that end */
export const markTold = (tx: Db, userId: number, { first, second, last }: Stages, limit: number) =>
  tx.rows<ToldFile>(sql`
    with due as (
      select id, case when expires_at < ${last} then 3 when expires_at < ${second} then 2 else 1 end as stage
      from assets where user_id = ${userId} and expires_at < ${first} and ending_stage < 3
    ), told as (
      update assets a set ending_stage = due.stage from due where a.id = due.id and a.ending_stage < due.stage
      returning a.id, a.name, a.expires_at
    )
    select name, expires_at, count(*) over () as total from told order by expires_at, id limit ${limit}`)

/** Keeps files that end before a time until another one. @param ids only these */
export const extendBefore = (tx: Db, userId: number, before: Date, until: Date, ids?: readonly number[]) =>
  tx.run(sql`
    update assets set expires_at = ${until}, ending_stage = 0
    where user_id = ${userId} and expires_at < ${before} and (${ids === undefined} or id = any(${[...(ids ?? [])]}::bigint[]))`)

export const pageOfEnding = (db: Db, userId: number, before: Date, limit: number, offset: number) =>
  db.rows<{ id: number; cid: string; name: string; size: number; folder_id: number; expires_at: Date }>(sql`
    select id, cid, name, size, folder_id, expires_at from assets where user_id = ${userId} and expires_at < ${before}
    order by expires_at, id limit ${limit} offset ${offset}`)

export const countEnding = async (db: Db, userId: number, before: Date): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) as count from assets where user_id = ${userId} and expires_at < ${before}`,
    )
  ).count
