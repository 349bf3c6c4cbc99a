import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export type Resource = 'storage' | 'traffic'

export interface Alert {
  user_id: number
  resource: Resource
  level: number
  /** Since when the traffic is counted; null for storage. */
  period: Date | null
}

/** Accounts after an id that stored or sent something lately, or were told of a level, in the order of their ids. */
export const findCandidates = async (db: Db, since: Date, after: number, limit: number): Promise<number[]> =>
  (
    await db.rows<{ user_id: number }>(sql`
      select user_id from (
        select user_id from usage_hours where hour >= ${since} and user_id > ${after}
        union select user_id from usage_alerts where user_id > ${after}
      ) active order by user_id limit ${limit}`)
  ).map(({ user_id }) => user_id)

export const alertsOf = (db: Db, userIds: readonly number[]) =>
  db.rows<Alert>(sql`
    select user_id, resource, level, period from usage_alerts where user_id = any(${userIds}::bigint[])`)

/** @returns whether it changed: of several servers, one tells the owner */
export const setAlert = async (tx: Db, { user_id, resource, level, period }: Alert): Promise<boolean> =>
  (await tx.run(sql`
    insert into usage_alerts as a (user_id, resource, level, period) values (${user_id}, ${resource}, ${level}, ${period})
    on conflict (user_id, resource) do update set level = excluded.level, period = excluded.period
    where (a.level, a.period) is distinct from (excluded.level, excluded.period)`)) > 0

export const deleteAlert = (tx: Db, userId: number, resource: Resource) =>
  tx.run(sql`delete from usage_alerts where user_id = ${userId} and resource = ${resource}`)

export const erased = (userId: number): Sql[] => [sql`delete from usage_alerts where user_id = ${userId}`]
