import { ago, DAY } from '../../platform/ago.ts'
import { COUNTER_MAX } from '../../platform/db/counters.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

/** How long the bytes of a day are kept. */
const DAYS_KEPT = 90 * DAY

export interface Signed {
  node_id: string
  session: string
  bytes: number
  /** When the server forgets the session, because it is too old to be reported. */
  until: Date
}

const dayOf = (at: Date): Sql => sql`(${at}::timestamptz at time zone 'UTC')::date`

/** Adds what is new in these sessions to the day. Call it with the relay locked; each session occurs once. */
export const addRelayed = (tx: Db, relayId: string, signed: readonly Signed[], at: Date) =>
  tx.run(sql`
    with given as (
      select * from unnest(${signed.map(({ node_id }) => node_id)}::text[], ${signed.map(({ session }) => session)}::text[],
        ${signed.map(({ bytes }) => bytes)}::bigint[], ${signed.map(({ until }) => until)}::timestamptz[]) g (node_id, session, bytes, until)
    ), known as (
      select s.node_id, s.session, s.bytes from relayed_sessions s
      join given g on s.relay_id = ${relayId} and s.node_id = g.node_id and s.session = g.session
    ), kept as (
      insert into relayed_sessions as s (relay_id, node_id, session, bytes, until)
      select ${relayId}, node_id, session, bytes, until from given
      on conflict (relay_id, node_id, session) do update set bytes = excluded.bytes where s.bytes < excluded.bytes
      returning s.node_id, s.session, s.bytes
    )
    insert into relayed_days as d (relay_id, node_id, day, bytes)
    select ${relayId}, kept.node_id, ${dayOf(at)}, least(${COUNTER_MAX}::numeric, sum(kept.bytes - coalesce(known.bytes, 0)))::bigint
    from kept left join known on known.node_id = kept.node_id and known.session = kept.session group by kept.node_id
    on conflict (relay_id, node_id, day) do update set bytes = least(${COUNTER_MAX}::bigint, d.bytes + excluded.bytes)`)

/** Adds bytes that reader and node signed and that somebody pays for; only of a node that was given relays. */
export const addPaidDownloads = (tx: Db, nodeId: string, bytes: number, at: Date) =>
  tx.run(sql`
    insert into relayed_downloads as d (node_id, day, bytes)
    select ${nodeId}, ${dayOf(at)}, ${bytes} where exists (select 1 from relay_choices where node_id = ${nodeId})
    on conflict (node_id, day) do update set bytes = least(${COUNTER_MAX}::bigint, d.bytes + excluded.bytes)`)

/**
 * What relays passed on since then: `signed` by them and by the devices, and how much of it is `paid` at most. The paid downloads of a device
 * are divided between its relays by what they passed on, so that no byte is there twice.
 */
export const findRelayed = (db: Db, relayIds: readonly string[], since: Date) =>
  db.rows<{ relay_id: string; signed: number; paid: number }>(sql`
    select r.relay_id, least(${COUNTER_MAX}::numeric, sum(r.bytes))::bigint as signed,
      least(${COUNTER_MAX}::numeric, sum(floor(r.bytes * least(1, coalesce(d.bytes, 0) / greatest(1, t.bytes)))))::bigint as paid
    from relayed_days r
    cross join lateral (select sum(o.bytes) as bytes from relayed_days o where o.node_id = r.node_id and o.day = r.day) t
    left join relayed_downloads d on d.node_id = r.node_id and d.day = r.day
    where r.relay_id = any(${[...relayIds]}) and r.day >= ${dayOf(since)} group by r.relay_id`)

export const expired = (at: Date): Sql[] => [
  sql`delete from relayed_sessions where (relay_id, node_id, session) in (
    select relay_id, node_id, session from relayed_sessions where until < ${at} limit ${EXPIRED_BATCH})`,
  sql`delete from relayed_days where (relay_id, node_id, day) in (
    select relay_id, node_id, day from relayed_days where day < ${dayOf(ago(at, DAYS_KEPT))} limit ${EXPIRED_BATCH})`,
  sql`delete from relayed_downloads where (node_id, day) in (
    select node_id, day from relayed_downloads where day < ${dayOf(ago(at, DAYS_KEPT))} limit ${EXPIRED_BATCH})`,
]
