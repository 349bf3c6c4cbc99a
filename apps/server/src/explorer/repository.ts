import type { ExplorerNode, NodeSort, Transfer } from '@tidenet/contract'
import type { Db } from '../db/db.ts'
import { none, type Sql, sql } from '../db/sql.ts'

const DAY = 24 * 3600 * 1000
const before = (at: Date, ms: number) => new Date(at.getTime() - ms)

/** Of a node `n`: the share of the time since then that it was there, 0..1. What was before it registered does not count. */
const uptime = (since: Date, at: Date): Sql => sql`
  coalesce((
    select least(1, round(sum(extract(epoch from coalesce(s.ended, ${at}::timestamptz) - greatest(s.began, ${since}::timestamptz, n.created_at)))
      / nullif(extract(epoch from ${at}::timestamptz - greatest(${since}::timestamptz, n.created_at)), 0), 4))
    from online_spans s
    where s.node_id = n.id and s.began < ${at} and (s.ended is null or s.ended > greatest(${since}::timestamptz, n.created_at))
  ), 0)`

const columns = (at: Date): Sql => sql`
  n.id as node_id, n.name, case n.kind when 'edge' then 1 when 'candidate' then 2 else 3 end as type,
  n.country as area, n.area_id, round(n.latitude::numeric, 2) as lat, round(n.longitude::numeric, 2) as lng, n.status,
  (select s.began from online_spans s where s.node_id = n.id and s.ended is null order by s.began desc limit 1) as online_since,
  n.created_at as registered_at,
  ${uptime(before(at, DAY), at)} as uptime_24h, ${uptime(before(at, 7 * DAY), at)} as uptime_7d,
  ${uptime(before(at, 30 * DAY), at)} as uptime_30d,
  n.capacity, n.used, n.receive_rate as upload_speed, n.send_rate as download_speed,
  (select count(*) from replicas r where r.node_id = n.id and r.state = 'stored') as replicas,
  (select count(*) from audits a where a.node_id = n.id and a.created_at > ${before(at, 7 * DAY)} and a.state = 'passed') as audits_passed_7d,
  (select count(*) from audits a where a.node_id = n.id and a.created_at > ${before(at, 7 * DAY)} and a.state = 'failed') as audits_failed_7d`

export type NodeRow = Omit<ExplorerNode, 'online_since' | 'registered_at'> & {
  online_since: Date | null
  registered_at: Date
}

export interface NodeFilter {
  area?: string | undefined
  type?: number | undefined
  status?: string | undefined
}

const KINDS = ['', 'edge', 'candidate', 'validator']

const matching = ({ area, type, status }: NodeFilter): Sql => sql`
  where true ${area === undefined ? none : sql`and n.country = ${area}`}
    ${type === undefined ? none : sql`and n.kind = ${KINDS[type] ?? ''}`}
    ${status === undefined ? none : sql`and n.status = ${status}`}`

const orderBy = (sort: NodeSort, at: Date): Sql => {
  switch (sort) {
    case 'uptime':
      return sql`${uptime(before(at, 30 * DAY), at)} desc, n.created_at, n.id`
    case 'capacity':
      return sql`n.capacity desc, n.id`
    case 'used':
      return sql`n.used desc, n.id`
    case 'upload':
      return sql`n.receive_rate desc, n.id`
    case 'download':
      return sql`n.send_rate desc, n.id`
    case 'name':
      return sql`n.name, n.id`
    case 'newest':
      return sql`n.created_at desc, n.id`
    case 'online':
      return sql`(n.status = 'offline'), coalesce(n.arrived_at, n.created_at), n.id`
  }
}

/** A page of nodes; what is counted is counted for these alone. */
export const pageOfNodes = (db: Db, filter: NodeFilter, sort: NodeSort, limit: number, offset: number, at: Date) =>
  db.rows<NodeRow>(sql`
    with page as (
      select n.*, row_number() over (order by ${orderBy(sort, at)}) as place from nodes n ${matching(filter)}
      order by place limit ${limit} offset ${offset}
    )
    select ${columns(at)} from page n order by n.place`)

export const countNodes = async (db: Db, filter: NodeFilter): Promise<number> =>
  (await db.one<{ total: number }>(sql`select count(*) as total from nodes n ${matching(filter)}`)).total

export const findNode = (db: Db, id: string, at: Date) =>
  db.maybe<NodeRow & { version: string; cpu_cores: number; memory: number }>(sql`
    select ${columns(at)}, n.version, n.cpu_cores, n.memory from nodes n where n.id = ${id}`)

/** The stretches in which a node was there since some time, oldest first. */
export const spansOf = (db: Db, id: string, since: Date) =>
  db.rows<{ began: Date; ended: Date | null }>(sql`
    select began, ended from online_spans where node_id = ${id} and (ended is null or ended > ${since}) order by began`)

export const areas = (db: Db) =>
  db.rows<{
    area: string
    lat: number
    lng: number
    nodes: number
    nodes_online: number
    capacity: number
    used: number
    replicas: number
  }>(sql`
    select n.country as area, round(avg(n.latitude)::numeric, 2) as lat, round(avg(n.longitude)::numeric, 2) as lng, count(*) as nodes,
      count(*) filter (where n.status = 'online') as nodes_online,
      coalesce(sum(n.capacity) filter (where n.status = 'online'), 0) as capacity,
      coalesce(sum(n.used) filter (where n.status = 'online'), 0) as used,
      coalesce(sum(r.replicas) filter (where n.status = 'online'), 0) as replicas
    from nodes n left join (select node_id, count(*) as replicas from replicas where state = 'stored' group by node_id) r on r.node_id = n.id
    group by n.country order by nodes_online desc, n.country`)

interface TransferRow {
  id: number
  kind: Transfer['kind']
  size: number
  at: Date
  from_area: string | null
  from_lat: number
  from_lng: number
  to_area: string | null
  to_lat: number
  to_lng: number
}

const transferRows = (rest: Sql): Sql => sql`
  select t.id, t.kind, t.size, t.at,
    f.country as from_area, round(f.latitude::numeric, 2) as from_lat, round(f.longitude::numeric, 2) as from_lng,
    n.country as to_area, round(n.latitude::numeric, 2) as to_lat, round(n.longitude::numeric, 2) as to_lng
  from transfers t left join nodes f on f.id = t.from_node left join nodes n on n.id = t.to_node ${rest}`

const asTransfer = (row: TransferRow): Transfer => ({
  id: row.id,
  kind: row.kind,
  size: row.size,
  from: row.from_area === null ? null : { lat: row.from_lat, lng: row.from_lng, area: row.from_area },
  to: row.to_area === null ? null : { lat: row.to_lat, lng: row.to_lng, area: row.to_area },
  at: row.at.toISOString(),
})

const ofKind = (kind: Transfer['kind'] | undefined) => (kind === undefined ? none : sql`and t.kind = ${kind}`)

/** Newest first. */
export async function pageOfTransfers(
  db: Db,
  since: Date,
  kind: Transfer['kind'] | undefined,
  limit: number,
  offset: number,
): Promise<Transfer[]> {
  const rows = await db.rows<TransferRow>(
    transferRows(sql`where t.at > ${since} ${ofKind(kind)} order by t.id desc limit ${limit} offset ${offset}`),
  )
  return rows.map(asTransfer)
}

export const countTransfers = async (db: Db, since: Date, kind: Transfer['kind'] | undefined): Promise<number> =>
  (
    await db.one<{ total: number }>(
      sql`select count(*) as total from transfers t where t.at > ${since} ${ofKind(kind)}`,
    )
  ).total

/** The latest with a number above this one, newest first. */
export async function transfersAfter(db: Db, id: number, limit: number): Promise<Transfer[]> {
  return (await db.rows<TransferRow>(transferRows(sql`where t.id > ${id} order by t.id desc limit ${limit}`))).map(
    asTransfer,
  )
}

export const movedSince = (db: Db, since: Date) =>
  db.one<{ bytes: number; transfers: number }>(
    sql`select coalesce(sum(size), 0) as bytes, count(*) as transfers from transfers where at > ${since}`,
  )

export const auditsSince = (db: Db, since: Date) =>
  db.one<{ done: number; failed: number }>(sql`
    select count(*) as done, count(*) filter (where state = 'failed') as failed from audits
    where created_at > ${since} and state in ('passed', 'failed')`)

export const bytesStored = async (db: Db): Promise<number> =>
  (await db.one<{ bytes: number }>(sql`select coalesce(sum(size), 0) as bytes from contents where stored > 0`)).bytes

export const countOnline = async (db: Db): Promise<number> =>
  (await db.one<{ online: number }>(sql`select count(*) as online from nodes where status = 'online'`)).online
