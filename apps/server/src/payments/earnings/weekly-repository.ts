import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** Weeks are named after their Monday (UTC): `2026-01-05`. */

export const lastWeek = (db: Db) =>
  db.maybe<{ week: string; done: boolean }>(sql`
    select week::text as week, done_at is not null as done from weekly_summaries order by week desc limit 1`)

export const insertWeek = (db: Db, week: string, doneAt: Date | null) =>
  db.run(sql`insert into weekly_summaries (week, done_at) values (${week}::date, ${doneAt}) on conflict do nothing`)

/** Locks a week that is not done. @returns undefined if it is, or another server has locked it */
export const lockWeek = (tx: Db, week: string) =>
  tx.maybe<{ after: number }>(sql`
    select after from weekly_summaries where week = ${week}::date and done_at is null for update skip locked`)

export const moveWeek = (tx: Db, week: string, after: number) =>
  tx.run(sql`update weekly_summaries set after = ${after} where week = ${week}::date`)

export const endWeek = (tx: Db, week: string, at: Date) =>
  tx.run(sql`update weekly_summaries set done_at = ${at} where week = ${week}::date`)

/** What each device earned for these accounts in a week. */
export const weekOf = (db: Db, userIds: readonly number[], week: string) =>
  db.rows<{ user_id: number; node_id: string; traffic: number; storage: number }>(sql`
    select user_id, node_id, coalesce(sum(traffic), 0)::bigint as traffic, coalesce(sum(storage), 0)::bigint as storage from device_days
    where user_id = any(${userIds}::bigint[]) and day >= ${week}::date and day < ${week}::date + 7 group by user_id, node_id`)
