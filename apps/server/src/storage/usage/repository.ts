import { COUNTER_MAX } from '../../platform/db/counters.ts'
import type { Db } from '../../platform/db/db.ts'
import { prepared, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

/** Download traffic of an account since `from`, in bytes, and its peak. */
export const trafficSince = (db: Db, userId: number, from: Date) =>
  db.one<{ sent: number; peak: number }>(sql`
    select coalesce(sum(sent), 0)::bigint as sent, coalesce(max(peak), 0) as peak from usage_hours
    where user_id = ${userId} and hour >= ${from}`)

export const setStored = (tx: Db, userId: number, hour: Date, bytes: number) =>
  tx.run(prepared`
    insert into usage_hours (user_id, hour, stored) values (${userId}, ${hour}, ${bytes})
    on conflict (user_id, hour) do update set stored = excluded.stored`)

export const addReceived = (tx: Db, userId: number, hour: Date, bytes: number) =>
  tx.run(prepared`
    insert into usage_hours as h (user_id, hour, received) values (${userId}, ${hour}, ${bytes})
    on conflict (user_id, hour) do update set received = least(${COUNTER_MAX}::bigint, h.received + excluded.received)`)

/** Download traffic of each of these accounts since a time, and how much of it clients signed; only accounts with some. */
export async function usedSince(
  tx: Db,
  since: readonly (readonly [userId: number, from: Date])[],
): Promise<Map<number, { sent: number; signed: number }>> {
  const rows = await tx.rows<{ user_id: number; sent: number; signed: number }>(sql`
    select h.user_id, sum(h.sent)::bigint as sent, sum(h.signed)::bigint as signed
    from unnest(${since.map(([id]) => id)}::bigint[], ${since.map(([, from]) => from)}::timestamptz[]) f (id, since)
    join usage_hours h on h.user_id = f.id and h.hour >= f.since group by h.user_id`)
  return new Map(rows.map(({ user_id, ...used }) => [user_id, used]))
}

export interface HourSent {
  userId: number
  hour: Date
  bytes: number
  /** Bytes that clients signed. */
  signed: number
  peak: number
  downloads: number
}

export const addSent = (tx: Db, rows: readonly HourSent[]) =>
  tx.run(sql`
    insert into usage_hours as h (user_id, hour, sent, signed, downloads, peak)
    select * from unnest(${rows.map((row) => row.userId)}::bigint[], ${rows.map((row) => row.hour)}::timestamptz[],
      ${rows.map((row) => row.bytes)}::bigint[], ${rows.map((row) => row.signed)}::bigint[], ${rows.map((row) => row.downloads)}::int[], ${rows.map((row) => row.peak)}::bigint[])
    on conflict (user_id, hour) do update set sent = least(${COUNTER_MAX}::bigint, h.sent + excluded.sent), signed = h.signed + excluded.signed,
      downloads = h.downloads + excluded.downloads, peak = greatest(h.peak, excluded.peak)`)

export interface StepRow {
  step: Date
  sent: number
  received: number
  downloads: number
  peak: number
  /** The last value recorded in the step, if any. */
  stored: number | null
}

/** Sums by hour or UTC day over from ≤ hour < to; steps without an entry are left out. */
export const findSteps = (db: Db, userId: number, unit: 'hour' | 'day', from: Date, to: Date) =>
  db.rows<StepRow>(sql`
    select date_trunc(${unit}, hour, 'UTC') as step, sum(sent)::bigint as sent, sum(received)::bigint as received,
      sum(downloads)::int as downloads, max(peak) as peak,
      (array_agg(stored order by hour desc) filter (where stored is not null))[1] as stored
    from usage_hours where user_id = ${userId} and hour >= ${from} and hour < ${to}
    group by 1 order by 1`)

/** Bytes stored at a time: the last value recorded before it, or 0. */
export const storedBefore = async (db: Db, userId: number, at: Date): Promise<number> =>
  (
    await db.maybe<{ stored: number }>(sql`
      select stored from usage_hours where user_id = ${userId} and hour < ${at} and stored is not null order by hour desc limit 1`)
  )?.stored ?? 0

export const erased = (userId: number): Sql[] => [
  sql`delete from usage_hours where ctid = any(array(
    select ctid from usage_hours where user_id = ${userId} limit ${EXPIRED_BATCH}))`,
]

export const exported = (userId: number): Sql => sql`
  select row_number() over (order by hour) as row_key, hour, sent, received, downloads, stored from usage_hours where user_id = ${userId}`
