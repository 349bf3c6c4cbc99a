import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import type { ComputedHour } from './inputs.ts'

/** The hour that was begun last. */
export const lastHour = (db: Db) =>
  db.maybe<{ hour: Date; closed_at: Date | null }>(
    sql`select hour, closed_at from earning_hours order by hour desc limit 1`,
  )

export const insertHour = (db: Db, { hour, share, closedAt }: { hour: Date; share: number; closedAt: Date | null }) =>
  db.run(sql`
    insert into earning_hours (hour, paid_share, closed_at) values (${hour}, ${share}, ${closedAt}) on conflict do nothing`)

/** Locks an hour. @returns undefined if another server has locked it */
export const lockHour = (tx: Db, hour: Date) =>
  tx.maybe<{ paid_share: number; after: string; closed_at: Date | null }>(sql`
    select paid_share, after, closed_at from earning_hours where hour = ${hour} for update skip locked`)

export const moveCursor = (tx: Db, hour: Date, after: string) =>
  tx.run(sql`update earning_hours set after = ${after} where hour = ${hour}`)

export const endHour = (tx: Db, hour: Date, at: Date) =>
  tx.run(sql`update earning_hours set closed_at = ${at} where hour = ${hour}`)

/** The end of the last closed hour. */
export const closedUntil = async (db: Db): Promise<Date | undefined> =>
  (
    await db.maybe<{ until: Date | null }>(
      sql`select max(hour) + make_interval(hours => 1) as until from earning_hours where closed_at is not null`,
    )
  )?.until ?? undefined

/** Of the last closed hour; null if there is none. The hour that is noted first was not computed. */
export const lastPaidShare = async (db: Db): Promise<number | null> =>
  (
    await db.maybe<{ paid_share: number }>(sql`
      select paid_share from earning_hours where closed_at is not null and hour > (select min(hour) from earning_hours)
      order by hour desc limit 1`)
  )?.paid_share ?? null

export const insertNodeHours = (tx: Db, hour: Date, hours: readonly (ComputedHour & { receipt: number })[]) => {
  const rows = hours.map(({ claims, ownerId, version, traffic, storage, receipt }) => ({
    ...claims,
    user_id: ownerId,
    audited: claims.audited > 0 ? new Date(claims.audited * 1000) : null,
    version,
    traffic,
    storage,
    receipt_id: receipt,
  }))
  return tx.run(sql`
    insert into node_hours (node_id, hour, user_id, trusted, passed, failed, audited, held, online, crowd, signed, paid_share, version,
      traffic, storage, receipt_id)
    select node, ${hour}, user_id, trusted, passed, failed, audited, held, online, crowd, signed, paid_share, version, traffic, storage, receipt_id
    from json_to_recordset(${JSON.stringify(rows)}::json) f (node text, user_id bigint, trusted boolean, passed int, failed int,
      audited timestamptz, held bigint, online int, crowd int, signed bigint, paid_share int, version int, traffic bigint, storage bigint,
      receipt_id bigint)`)
}

/** Adds hours to the days of their owners; a device without an owner earns for nobody. */
export const addToDays = (tx: Db, day: string, hours: readonly ComputedHour[]) => {
  const owned = hours.filter(({ ownerId }) => ownerId !== null)
  return tx.run(sql`
    insert into device_days as d (user_id, day, node_id, traffic, storage, online)
    select user_id, ${day}::date, node_id, traffic, storage, online from unnest(${owned.map(({ ownerId }) => ownerId)}::bigint[],
      ${owned.map(({ claims }) => claims.node)}::text[], ${owned.map(({ traffic }) => traffic)}::bigint[],
      ${owned.map(({ storage }) => storage)}::bigint[], ${owned.map(({ claims }) => claims.online)}::int[])
      f (user_id, node_id, traffic, storage, online)
    on conflict (user_id, day, node_id) do update set traffic = d.traffic + excluded.traffic, storage = d.storage + excluded.storage,
      online = d.online + excluded.online`)
}

export interface DeviceDay {
  user_id: number
  day: string
  node_id: string
  traffic: number
  storage: number
}

/** Locks days before `before` that have no receipt. */
export const lockOpenDays = (tx: Db, before: string, limit: number) =>
  tx.rows<DeviceDay>(sql`
    select user_id, day::text as day, node_id, traffic, storage from device_days
    where receipt_id is null and day < ${before}::date order by day, node_id limit ${limit} for update skip locked`)

const ids = (days: readonly Pick<DeviceDay, 'user_id' | 'day' | 'node_id'>[]) => sql`
  unnest(${days.map(({ user_id }) => user_id)}::bigint[], ${days.map(({ day }) => day)}::date[], ${days.map(({ node_id }) => node_id)}::text[])`

/** The hours of days, in the order of time. */
export const hoursOfDays = (tx: Db, days: readonly DeviceDay[]) =>
  tx.rows<DeviceDay & { hour: Date; version: number; receipt_id: number }>(sql`
    select f.user_id, f.day::text as day, f.node_id, h.hour, h.version, h.receipt_id, h.traffic, h.storage
    from ${ids(days)} f (user_id, day, node_id) join node_hours h on h.node_id = f.node_id and h.user_id = f.user_id
      and h.hour >= f.day::timestamp at time zone 'UTC' and h.hour < (f.day + 1)::timestamp at time zone 'UTC'
    order by h.hour`)

export const setDayReceipts = (tx: Db, days: readonly (DeviceDay & { receipt: number })[]) =>
  tx.run(sql`
    update device_days d set receipt_id = f.receipt
    from unnest(${days.map(({ user_id }) => user_id)}::bigint[], ${days.map(({ day }) => day)}::date[],
      ${days.map(({ node_id }) => node_id)}::text[], ${days.map(({ receipt }) => receipt)}::bigint[]) f (user_id, day, node_id, receipt)
    where d.user_id = f.user_id and d.day = f.day and d.node_id = f.node_id`)

/** Inputs of hours are kept for 90 days, as the traffic that they follow from; days are kept for ever. */
export const expired = (at: Date): Sql[] => [
  sql`delete from node_hours where (node_id, hour) in (
    select node_id, hour from node_hours where hour < ${ago(at, 90 * DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
  sql`delete from earning_hours where hour in (
    select hour from earning_hours where hour < ${ago(at, 90 * DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
]

/** What devices earned; the hours of nodes stay without the account. */
export const erased = (userId: number): Sql[] => [
  sql`delete from device_days where ctid = any(array(
    select ctid from device_days where user_id = ${userId} limit ${EXPIRED_BATCH}))`,
  sql`update node_hours set user_id = null where ctid = any(array(
    select ctid from node_hours where user_id = ${userId} limit ${EXPIRED_BATCH}))`,
  sql`delete from earning_disputes where user_id = ${userId}`,
]

export const exported = (userId: number): Sql => sql`
  select row_number() over (order by day, node_id) as row_key, day, node_id, traffic, storage, online, receipt_id from device_days
  where user_id = ${userId}`
