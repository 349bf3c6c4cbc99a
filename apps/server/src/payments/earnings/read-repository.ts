import type { Db } from '../../platform/db/db.ts'
import { none, sql } from '../../platform/db/sql.ts'

/** Sums of a device, in millionths of a point. */
export interface DeviceSums {
  node_id: string
  today_traffic: number
  today_storage: number
  yesterday_traffic: number
  yesterday_storage: number
  week_traffic: number
  week_storage: number
  month_traffic: number
  month_storage: number
  total_traffic: number
  total_storage: number
}

/** @param today the current day (UTC) @param nodeId only this device */
export const sumsByDevice = (db: Db, userId: number, today: string, nodeId?: string) =>
  db.rows<DeviceSums>(sql`
    select node_id, coalesce(sum(traffic) filter (where day = ${today}::date), 0)::bigint as today_traffic,
      coalesce(sum(storage) filter (where day = ${today}::date), 0)::bigint as today_storage,
      coalesce(sum(traffic) filter (where day = ${today}::date - 1), 0)::bigint as yesterday_traffic,
      coalesce(sum(storage) filter (where day = ${today}::date - 1), 0)::bigint as yesterday_storage,
      coalesce(sum(traffic) filter (where day > ${today}::date - 7), 0)::bigint as week_traffic,
      coalesce(sum(storage) filter (where day > ${today}::date - 7), 0)::bigint as week_storage,
      coalesce(sum(traffic) filter (where day > ${today}::date - 30), 0)::bigint as month_traffic,
      coalesce(sum(storage) filter (where day > ${today}::date - 30), 0)::bigint as month_storage,
      coalesce(sum(traffic), 0)::bigint as total_traffic, coalesce(sum(storage), 0)::bigint as total_storage
    from device_days where user_id = ${userId} ${nodeId === undefined ? none : sql`and node_id = ${nodeId}`} group by node_id`)

/** Days with earnings, oldest first. */
export const sumsByDay = (db: Db, userId: number, { nodeId, since }: { nodeId: string | undefined; since: string }) =>
  db.rows<{ day: string; traffic: number; storage: number }>(sql`
    select day::text as day, coalesce(sum(traffic), 0)::bigint as traffic, coalesce(sum(storage), 0)::bigint as storage from device_days
    where user_id = ${userId} and day >= ${since}::date ${nodeId === undefined ? none : sql`and node_id = ${nodeId}`}
    group by day order by day`)

export const findDay = (db: Db, userId: number, nodeId: string, day: string) =>
  db.maybe<{ traffic: number; storage: number; receipt_id: number | null }>(sql`
    select traffic, storage, receipt_id from device_days where user_id = ${userId} and day = ${day}::date and node_id = ${nodeId}`)

export const hasEarned = async (db: Db, userId: number, nodeId: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from device_days where user_id = ${userId} and node_id = ${nodeId} limit 1`)) !==
  undefined

export interface NodeHourRow {
  node_id: string
  hour: Date
  trusted: boolean
  passed: number
  failed: number
  audited: Date | null
  held: number
  online: number
  crowd: number
  signed: number
  paid_share: number
  version: number
  traffic: number
  storage: number
  receipt_id: number
}

/** Closed hours of a device, of this owner, in the order of time. */
export const hoursOf = (db: Db, userId: number, nodeId: string, { from, to }: { from: Date; to: Date }) =>
  db.rows<NodeHourRow>(sql`
    select node_id, hour, trusted, passed, failed, audited, held, online, crowd, signed, paid_share, version, traffic, storage, receipt_id
    from node_hours where node_id = ${nodeId} and user_id = ${userId} and hour >= ${from} and hour < ${to} order by hour`)

/** Which of these nodes are done in an hour that is being closed. */
export const doneIn = async (db: Db, hour: Date, nodeIds: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await db.rows<{ node_id: string }>(
        sql`select node_id from node_hours where hour = ${hour} and node_id = any(${nodeIds})`,
      )
    ).map(({ node_id }) => node_id),
  )

/** What devices earned in a period, both days included. */
export interface SumsOfAll {
  /** With an owner. */
  devices: number
  /** Of these, how many earned something. */
  earning: number
  /** Devices that earned something and were online at least half of the closed hours, and their owners. */
  counted: number
  owners: number
  /** Half of these owners earned at least this with a device, on average of their devices. */
  median: number | null
}

export const sumsOfAll = (db: Db, from: string, to: string) =>
  db.one<SumsOfAll>(sql`
    with devices as (
      select user_id, node_id, sum(traffic + storage)::bigint as sum, sum(online) as online from device_days
      where day >= ${from}::date and day <= ${to}::date group by user_id, node_id
    ), hours as (
      select count(*) as closed from earning_hours where closed_at is not null
        and hour >= ${from}::date::timestamp at time zone 'UTC' and hour < (${to}::date + 1)::timestamp at time zone 'UTC'
    ), owners as (
      select user_id, count(*) as devices, floor(avg(sum))::bigint as mean from devices, hours
      where sum > 0 and online >= hours.closed * 1800 group by user_id
    )
    select count(distinct node_id) as devices, count(distinct node_id) filter (where sum > 0) as earning,
      (select coalesce(sum(devices), 0) from owners)::int as counted, (select count(*) from owners) as owners,
      (select percentile_disc(0.5) within group (order by mean desc) from owners) as median
    from devices`)
