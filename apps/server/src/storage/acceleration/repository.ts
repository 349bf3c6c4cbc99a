import { ACCELERATION_DAYS } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import type { Cause } from './near-areas.ts'

export interface SwitchRow {
  id: number
  cid: string | null
  folder_id: number | null
  areas: string[]
  started_at: Date
  ends_at: Date | null
}

/** An asset by its CID, or a folder by its id. */
export type Target = { cid: string } | { folderId: number }

const isTarget = (target: Target): Sql =>
  'cid' in target ? sql`cid = ${target.cid}` : sql`folder_id = ${target.folderId}`

const switchColumns = sql`id, cid, folder_id, areas, started_at, ends_at`

export const findSwitch = (db: Db, userId: number, target: Target) =>
  db.maybe<SwitchRow>(sql`
    select ${switchColumns} from accelerations where user_id = ${userId} and ${isTarget(target)} and off_at is null`)

/** The switches of these folders. */
export const findFolderSwitches = (db: Db, userId: number, folderIds: readonly number[]) =>
  db.rows<SwitchRow & { folder_id: number }>(sql`
    select ${switchColumns} from accelerations where user_id = ${userId} and folder_id = any(${folderIds}) and off_at is null`)

/** The switches that are on, with the names of what they accelerate, newest first. */
export const listSwitches = (db: Db, userId: number) =>
  db.rows<SwitchRow & { name: string }>(sql`
    select s.id, s.cid, s.folder_id, s.areas, s.started_at, s.ends_at, coalesce(a.name, f.name, '') as name
    from accelerations s
      left join lateral (select id, name from assets where user_id = s.user_id and cid = s.cid order by id limit 1) a on true
      left join folders f on f.user_id = s.user_id and f.id = s.folder_id
    where s.user_id = ${userId} and s.off_at is null and (a.id is not null or f.id is not null) order by s.id desc`)

export const countSwitches = async (db: Db, userId: number): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from accelerations where user_id = ${userId}`)).count

export const turnOn = (
  tx: Db,
  userId: number,
  target: Target,
  { areas, country, at }: { areas: readonly string[] | undefined; country: string; at: Date },
) => {
  const [cid, folderId] = 'cid' in target ? [target.cid, null] : [null, target.folderId]
  const key =
    'cid' in target ? sql`(user_id, cid) where cid is not null` : sql`(user_id, folder_id) where folder_id is not null`
  return tx.run(sql`
    insert into accelerations as s (user_id, cid, folder_id, areas, owner_country, started_at, check_at)
    values (${userId}, ${cid}, ${folderId}, ${areas ?? []}, ${country}, ${at}, ${at})
    on conflict ${key} do update set check_at = excluded.check_at,
      areas = case when ${areas === undefined} then s.areas else excluded.areas end,
      started_at = case when s.off_at is null then s.started_at else excluded.started_at end,
      owner_country = case when s.off_at is null then s.owner_country else excluded.owner_country end, off_at = null`)
}

/** A file that is accelerated got other content: that is accelerated too. */
export const followContent = (tx: Db, userId: number, { from, to }: { from: string; to: string }, at: Date) =>
  tx.run(sql`
    insert into accelerations (user_id, cid, areas, owner_country, started_at, ends_at, check_at)
    select user_id, ${to}, areas, owner_country, ${at}, ends_at, ${at} from accelerations
    where user_id = ${userId} and cid = ${from} and off_at is null
    on conflict (user_id, cid) where cid is not null do nothing`)

export const turnOff = (tx: Db, userId: number, target: Target, at: Date) =>
  tx.run(sql`
    update accelerations set off_at = ${at}, check_at = ${at} where user_id = ${userId} and ${isTarget(target)} and off_at is null`)

/** An account whose review is due. */
export const findDueAccounts = async (db: Db, at: Date, limit: number): Promise<number[]> =>
  (
    await db.rows<{ user_id: number }>(
      sql`select user_id from accelerations where check_at <= ${at} group by user_id order by min(check_at) limit ${limit}`,
    )
  ).map(({ user_id }) => user_id)

export const setCheck = (tx: Db, userId: number, at: Date) =>
  tx.run(sql`update accelerations set check_at = ${at} where user_id = ${userId}`)

/** Reviews the account then, unless it is due earlier. */
export const hasten = (db: Db, userId: number, at: Date) =>
  db.run(sql`update accelerations set check_at = ${at} where user_id = ${userId} and check_at > ${at}`)

/** The plan has ended, or is there again. */
export const setEnd = (tx: Db, userId: number, included: boolean, endsAt: Date) =>
  tx.run(sql`
    update accelerations set ends_at = ${included ? null : endsAt} where user_id = ${userId} and (ends_at is null) <> ${included}`)

/** Deletes switches that were turned off or have ended, or whose asset or folder no longer exists, not even in the trash. */
export const deleteEnded = (tx: Db, userId: number, at: Date) =>
  tx.run(sql`
    delete from accelerations s where user_id = ${userId} and (off_at is not null or ends_at <= ${at}
      or cid is not null and not exists (select 1 from assets a where a.user_id = s.user_id and a.cid = s.cid)
        and not exists (select 1 from trashed_assets a where a.user_id = s.user_id and a.cid = s.cid)
      or folder_id is not null and not exists (select 1 from folders f where f.user_id = s.user_id and f.id = s.folder_id)
        and not exists (select 1 from trashed_folders f where f.user_id = s.user_id and f.id = s.folder_id))`)

export interface CoveredRow {
  cid: string
  size: number
  allowed: string[]
  expected: string[]
  owner: string
}

/**
 * The accelerated contents of an account, newest first, each once, with what any of its entries asks for. An entry that may be read only from
 * the nodes that received it gets no copies.
 * @param limit the most contents
 */
export const findCovered = (db: Db, userId: number, limit: number) =>
  db.rows<CoveredRow>(sql`
    with recursive covered as (
      select s.folder_id as id, s.id as switch from accelerations s where s.user_id = ${userId} and s.folder_id is not null
      union
      select f.id, c.switch from covered c join folders f on f.user_id = ${userId} and f.parent_id = c.id
    ), entries as (
      select a.id, s.id as switch from accelerations s join assets a on a.user_id = s.user_id and a.cid = s.cid
      where s.user_id = ${userId} and a.restricted_to is null
      union select a.id, c.switch from covered c join assets a on a.user_id = ${userId} and a.folder_id = c.id and a.restricted_to is null
    ), newest as (
      select a.cid, max(a.id) as id, array_agg(distinct e.switch) as switches from entries e join assets a on a.id = e.id
      group by a.cid order by max(a.id) desc limit ${limit}
    )
    select a.cid, a.size, a.areas as allowed,
      coalesce((select array_agg(distinct area) from accelerations s, unnest(s.areas) area where s.id = any(n.switches)), '{}') as expected,
      coalesce((select max(s.owner_country) from accelerations s where s.id = any(n.switches)), '') as owner
    from newest n join assets a on a.id = n.id order by a.id desc`)

/** Readers of the last two weeks by country; those of three days ago count half. */
export const findWeights = (db: Db, userId: number, at: Date) =>
  db.rows<{ cid: string; country: string; weight: number }>(sql`
    select cid, country, sum(reads * power(0.5, (${dayOf(at)}::date - day) / 3.0))::float8 as weight from area_reads
    where user_id = ${userId} and day > ${dayOf(ago(at, 14 * DAY))}::date group by cid, country`)

export interface NearRow {
  cid: string
  country: string
  readers: string[]
  cause: Cause
  since: Date
  ready_at: Date | null
  copied: number
}

const nearColumns = sql`cid, country, readers, cause, since, ready_at, copied`

export const findNear = (db: Db, userId: number) =>
  db.rows<NearRow>(sql`select ${nearColumns} from near_areas where user_id = ${userId} order by cid, country`)

/** @param cids the statement that returns the contents */
export const findNearOf = (db: Db, userId: number, cids: Sql) =>
  db.rows<NearRow>(sql`
    select ${nearColumns} from near_areas where user_id = ${userId} and cid in (${cids}) order by country, cid`)

/** Countries with copies near readers, of any account that lists the content. */
export const nearOfContents = (db: Db, cids: readonly string[]) =>
  db.rows<{ cid: string; countries: string[] }>(sql`
    select n.cid, array_agg(distinct n.country order by n.country) as countries from near_areas n
    where n.cid = any(${cids}) and exists (
      select 1 from assets a where a.user_id = n.user_id and a.cid = n.cid and a.restricted_to is null)
    group by n.cid`)

/** Whether an account has copies of a content near readers, and since when in the country's case; undefined: it is not accelerated. */
export const findReady = (db: Db, userId: number, cid: string, reader: string) =>
  db.maybe<{ ready_at: Date | null }>(sql`
    select min(ready_at) filter (where ${reader} = any(readers)) as ready_at from near_areas
    where user_id = ${userId} and cid = ${cid} having count(*) > 0`)

type Pair = readonly [cid: string, country: string]
const pairs = (list: readonly Pair[]): Sql =>
  sql`unnest(${list.map(([cid]) => cid)}::text[], ${list.map(([, country]) => country)}::text[])`

export const deleteNear = (tx: Db, userId: number, list: readonly Pair[]) =>
  tx.run(sql`
    delete from near_areas n using ${pairs(list)} p (cid, country)
    where n.user_id = ${userId} and n.cid = p.cid and n.country = p.country`)

export const upsertNear = (
  tx: Db,
  userId: number,
  rows: readonly Pick<NearRow, 'cid' | 'country' | 'readers' | 'cause'>[],
  at: Date,
) =>
  tx.run(sql`
    insert into near_areas (user_id, cid, country, readers, cause, since)
    select ${userId}, r.cid, r.country, r.readers, r.cause, ${at}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r (cid text, country text, readers text[], cause text)
    on conflict (user_id, cid, country) do update set readers = excluded.readers, cause = excluded.cause`)

export const setReady = (
  tx: Db,
  userId: number,
  rows: readonly { cid: string; country: string; ready: boolean; copied: number }[],
  at: Date,
) =>
  tx.run(sql`
    update near_areas n set ready_at = case when r.ready then coalesce(n.ready_at, ${at}) end, copied = greatest(n.copied, r.copied)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r (cid text, country text, ready boolean, copied bigint)
    where n.user_id = ${userId} and n.cid = r.cid and n.country = r.country`)

/** Bytes that all extra copies of an account may need. @param copies per area */
export const usedBytes = async (db: Db, userId: number, copies: number): Promise<number> =>
  (
    await db.one<{ bytes: number }>(sql`
      select coalesce(sum(a.size * ${copies}::int), 0)::bigint as bytes
      from near_areas n cross join lateral (select size from assets where user_id = n.user_id and cid = n.cid order by id limit 1) a
      where n.user_id = ${userId}`)
  ).bytes

/** The statement that returns the CIDs of an asset, or of all assets in these folders. */
export const cidsOf = (userId: number, target: { cid: string } | { folderIds: readonly number[] }): Sql =>
  'cid' in target
    ? sql`select ${target.cid}::text`
    : sql`select cid from assets where user_id = ${userId} and folder_id = any(${target.folderIds})`

/** The day (UTC) of a time, as text. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

interface Reading {
  userId: number
  cid: string
  country: string
  /** A pseudonym of the client network. */
  reader: string
  accelerated: boolean
}

/** Counts a reader of a file, once a day. */
export const addRead = (db: Db, { userId, cid, country, reader, accelerated }: Reading, at: Date) =>
  db.run(sql`
    with first as (
      insert into area_readers (user_id, cid, day, reader) values (${userId}, ${cid}, ${dayOf(at)}::date, ${reader})
      on conflict do nothing returning 1
    )
    insert into area_reads as r (user_id, cid, country, day, accelerated, reads, first_bytes, rates)
    select ${userId}, ${cid}, ${country}, ${dayOf(at)}::date, ${accelerated}, 1, '{}', '{}' from first
    on conflict (user_id, cid, country, day, accelerated) do update set reads = r.reads + 1`)

/**
 * Counts what a reader measured, once a day.
 * @param ranges the numbers of the ranges; null: not measured
 */
export const addMeasured = (
  tx: Db,
  { userId, cid, country, reader, accelerated }: Reading,
  ranges: { firstByte: readonly number[]; rate: readonly number[] },
  at: Date,
) =>
  tx.run(sql`
    with first as (
      insert into area_readers as m (user_id, cid, day, reader, measured) values (${userId}, ${cid}, ${dayOf(at)}::date, ${reader}, true)
      on conflict (user_id, cid, day, reader) do update set measured = true where not m.measured returning 1
    )
    insert into area_reads as r (user_id, cid, country, day, accelerated, first_bytes, rates)
    select ${userId}, ${cid}, ${country}, ${dayOf(at)}::date, ${accelerated}, ${ranges.firstByte}::int[], ${ranges.rate}::int[] from first
    on conflict (user_id, cid, country, day, accelerated) do update set
      first_bytes = ${added(sql`r.first_bytes`, sql`excluded.first_bytes`, ranges.firstByte.length)},
      rates = ${added(sql`r.rates`, sql`excluded.rates`, ranges.rate.length)}`)

/** Two lists of counts added up; a missing count is 0. */
const added = (mine: Sql, more: Sql, length: number): Sql =>
  sql`(select array_agg(coalesce((${mine})[i], 0) + coalesce((${more})[i], 0) order by i) from generate_series(1, ${length}::int) i)`

export interface MeasuredRow {
  country: string
  day: string
  accelerated: boolean
  first_bytes: number[]
  rates: number[]
}

/** What readers measured, by country and day. @param limit the most countries, those with the most readers */
export const findMeasured = (db: Db, userId: number, cids: Sql, at: Date, limit: number) =>
  db.rows<MeasuredRow>(sql`
    with wanted as (select r.* from area_reads r where r.user_id = ${userId} and r.cid in (${cids}) and r.day > ${dayOf(ago(at, ACCELERATION_DAYS * DAY))}::date),
      top as (select country, sum(reads) as reads from wanted group by country order by 2 desc, 1 limit ${limit}),
      counts as (
        select w.country, w.day, w.accelerated, 1 as kind, i, sum(count) as count from wanted w join top using (country), unnest(w.first_bytes) with ordinality u (count, i) group by 1, 2, 3, i
        union all
        select w.country, w.day, w.accelerated, 2, i, sum(count) from wanted w join top using (country), unnest(w.rates) with ordinality u (count, i) group by 1, 2, 3, i
      )
    select c.country, to_char(c.day, 'YYYY-MM-DD') as day, c.accelerated,
      coalesce(array_agg(c.count::int order by c.i) filter (where c.kind = 1), '{}') as first_bytes,
      coalesce(array_agg(c.count::int order by c.i) filter (where c.kind = 2), '{}') as rates
    from counts c join top t using (country) group by c.country, c.day, c.accelerated, t.reads order by t.reads desc, c.country, c.day, c.accelerated`)

/** Countries of the readers of the last two weeks, those with the most first. */
export const findReaderCountries = async (
  db: Db,
  userId: number,
  cids: Sql,
  at: Date,
  limit: number,
): Promise<string[]> =>
  (
    await db.rows<{ country: string }>(sql`
      select country from area_reads where user_id = ${userId} and cid in (${cids}) and reads > 0
        and day > ${dayOf(ago(at, 14 * DAY))}::date
      group by country order by sum(reads) desc, country limit ${limit}`)
  ).map(({ country }) => country)

export const expired = (at: Date): Sql[] => [
  sql`delete from area_readers where (user_id, cid, day, reader) in (
    select user_id, cid, day, reader from area_readers where day < ${dayOf(ago(at, DAY))}::date limit ${EXPIRED_BATCH} for update skip locked)`,
  sql`delete from area_reads where (user_id, cid, country, day, accelerated) in (
    select user_id, cid, country, day, accelerated from area_reads where day < ${dayOf(ago(at, ACCELERATION_DAYS * DAY))}::date
    limit ${EXPIRED_BATCH} for update skip locked)`,
]

export const erased = (userId: number): Sql[] => [
  sql`delete from accelerations where user_id = ${userId}`,
  sql`delete from near_areas where ctid = any(array(
    select ctid from near_areas where user_id = ${userId} limit ${EXPIRED_BATCH}))`,
  sql`delete from area_reads where ctid = any(array(
    select ctid from area_reads where user_id = ${userId} limit ${EXPIRED_BATCH}))`,
  sql`delete from area_readers where ctid = any(array(
    select ctid from area_readers where user_id = ${userId} limit ${EXPIRED_BATCH}))`,
]

export const exported = (userId: number): Sql => sql`
  select id as row_key, cid, folder_id, areas, started_at, ends_at from accelerations where user_id = ${userId}`
