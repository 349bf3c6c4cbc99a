import type { ExplorerNode, NodeKind, NodeSort, Transfer } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { areaSource, declaredArea } from '../nodes/node-areas.ts'
import { relayedOf, standing } from '../nodes/node-table.ts'

/** Seconds that a node `n` was online since then, without the time before its registration. */
export const onlineSeconds = (since: Date, at: Date): Sql => sql`
  coalesce((
    select sum(extract(epoch from coalesce(s.ended, ${at}::timestamptz) - greatest(s.began, ${since}::timestamptz, n.created_at)))
    from online_spans s
    where s.node_id = n.id and s.began < ${at} and (s.ended is null or s.ended > greatest(${since}::timestamptz, n.created_at))
  ), 0)`

/** Uptime of a node `n` since then, 0..1, without the time before its registration. */
export const uptime = (since: Date, at: Date): Sql => sql`
  coalesce((
    select least(1, round(sum(extract(epoch from coalesce(s.ended, ${at}::timestamptz) - greatest(s.began, ${since}::timestamptz, n.created_at)))
      / nullif(extract(epoch from ${at}::timestamptz - greatest(${since}::timestamptz, n.created_at)), 0), 4))
    from online_spans s
    where s.node_id = n.id and s.began < ${at} and (s.ended is null or s.ended > greatest(${since}::timestamptz, n.created_at))
  ), 0)`

const columns = (at: Date): Sql => sql`
  n.id as node_id, n.name, n.kind, n.country as area, n.area_id, ${declaredArea} as declared_area, ${areaSource} as region_by,
  round(n.latitude::numeric, 2) as lat, round(n.longitude::numeric, 2) as lng, n.status, ${standing} as standing,
  ${relayedOf(sql`n`)} as relayed,
  (select s.began from online_spans s where s.node_id = n.id and s.ended is null order by s.began desc limit 1) as online_since,
  n.created_at as registered_at,
  ${uptime(ago(at, DAY), at)} as uptime_24h, ${uptime(ago(at, 7 * DAY), at)} as uptime_7d,
  ${uptime(ago(at, 30 * DAY), at)} as uptime_30d,
  n.capacity, n.used, n.receive_rate as upload_speed, n.send_rate as download_speed,
  n.replicas, n.audits_passed_7d, n.audits_failed_7d`

/** Nodes `n` with their precomputed figures. */
const counted = sql`(
    select n.*, coalesce(f.replicas, 0)::bigint as replicas, coalesce(f.uptime_30d, 0) as stored_uptime,
      coalesce(f.audits_passed_7d, 0)::bigint as audits_passed_7d, coalesce(f.audits_failed_7d, 0)::bigint as audits_failed_7d
    from nodes n left join node_figures f on f.node_id = n.id
  ) n`

export type NodeRow = Omit<ExplorerNode, 'type' | 'online_since' | 'registered_at'> & {
  kind: NodeKind
  online_since: Date | null
  registered_at: Date
}

export interface NodeFilter {
  area?: string | undefined
  /** An unknown kind finds no nodes. */
  kind?: string | undefined
  status?: string | undefined
}

const matching = ({ area, kind, status }: NodeFilter): Sql => sql`
  where true ${area === undefined ? none : sql`and n.country = ${area}`}
    ${kind === undefined ? none : sql`and n.kind = ${kind}`}
    ${status === undefined ? none : sql`and n.status = ${status}`}`

const orderBy = (sort: NodeSort): Sql => {
  switch (sort) {
    case 'uptime':
      return sql`n.stored_uptime desc, n.created_at, n.id`
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

/** A page of nodes. Current uptime is computed for these only. */
export const pageOfNodes = (db: Db, filter: NodeFilter, sort: NodeSort, limit: number, offset: number, at: Date) =>
  db.rows<NodeRow>(sql`
    with page as (
      select n.*, row_number() over (order by ${orderBy(sort)}) as place from ${counted} ${matching(filter)}
      order by place limit ${limit} offset ${offset}
    )
    select ${columns(at)} from page n order by n.place`)

export const countNodes = async (db: Db, filter: NodeFilter): Promise<number> =>
  (await db.one<{ total: number }>(sql`select count(*) as total from nodes n ${matching(filter)}`)).total

export const findNode = (db: Db, id: string, at: Date) =>
  db.maybe<NodeRow & { version: string; cpu_cores: number; memory: number }>(sql`
    select ${columns(at)}, n.version, n.cpu_cores, n.memory from ${counted} where n.id = ${id}`)

/** The node's online spans that overlap the time since then, oldest first. */
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
      coalesce(sum(n.replicas) filter (where n.status = 'online'), 0) as replicas
    from ${counted} group by n.country order by nodes_online desc, n.country`)

interface TransferRow {
  id: number
  kind: Transfer['kind']
  size: number
  at: Date
  from_area: string | null
  from_lat: number | null
  from_lng: number | null
  to_area: string | null
  to_lat: number | null
  to_lng: number | null
}

/** Smaller downloads are not public transfers: clients probe nodes with one byte and read the entries of folders. Bytes. */
const SMALLEST_DOWNLOAD = 1024
/** Whether a row `t` of transfers is public. */
export const isPublic = sql`(t.kind <> 'download' or t.size >= ${SMALLEST_DOWNLOAD})`

/** Adds the locations of the nodes. */
const withPlaces = (transfers: Sql): Sql => sql`
  select t.id, t.kind, t.size, t.at,
    f.country as from_area, round(f.latitude::numeric, 2) as from_lat, round(f.longitude::numeric, 2) as from_lng,
    n.country as to_area, round(n.latitude::numeric, 2) as to_lat, round(n.longitude::numeric, 2) as to_lng
  from (${transfers}) t left join nodes f on f.id = t.from_node left join nodes n on n.id = t.to_node order by t.id desc`

/** Sizes are rounded to two digits and times to seconds, so that nobody who knows a file's exact size can find its transfer. */
const asTransfer = (row: TransferRow): Transfer => ({
  id: row.id,
  kind: row.kind,
  size: Number(row.size.toPrecision(2)),
  from: asPlace(row.from_area, row.from_lat, row.from_lng),
  to: asPlace(row.to_area, row.to_lat, row.to_lng),
  at: new Date(Math.floor(row.at.getTime() / 1000) * 1000).toISOString(),
})

/** Null if the node was deleted. */
const asPlace = (area: string | null, lat: number | null, lng: number | null): Transfer['from'] =>
  area === null || lat === null || lng === null ? null : { lat, lng, area }

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
    withPlaces(
      sql`select * from transfers t where t.at > ${since} and ${isPublic} ${ofKind(kind)} order by t.id desc limit ${limit} offset ${offset}`,
    ),
  )
  return rows.map(asTransfer)
}

/** Number of transfers, at most `max`. */
export const countTransfers = async (
  db: Db,
  since: Date,
  kind: Transfer['kind'] | undefined,
  max: number,
): Promise<number> =>
  (
    await db.one<{ total: number }>(
      sql`select count(*) as total from (select 1 from transfers t where t.at > ${since} and ${isPublic} ${ofKind(kind)} limit ${max}) t`,
    )
  ).total

/** The latest transfers with a higher id, newest first. */
export async function transfersAfter(db: Db, id: number, limit: number): Promise<Transfer[]> {
  const rows = await db.rows<TransferRow>(
    withPlaces(sql`select * from transfers t where t.id > ${id} and ${isPublic} order by t.id desc limit ${limit}`),
  )
  return rows.map(asTransfer)
}

/** The precomputed figures of the network. */
export const findFigures = (db: Db) =>
  db.one<{
    bytes_stored: number
    replicas: number
    bytes_transferred_24h: number
    transfers_24h: number
    audits_24h: number
    audits_failed_24h: number
    active_wallets: number
    online_seconds: number
    observed_seconds: number
    observed_nodes: number
  }>(sql`
    select bytes_stored, replicas, bytes_transferred_24h, transfers_24h, audits_24h, audits_failed_24h, active_wallets,
      online_seconds, observed_seconds, observed_nodes
    from network_figures`)

/** Bytes that nodes transferred in 24 hours, as counted last. */
export const transferredLately = async (db: Db): Promise<number> =>
  (await db.one<{ bytes: number }>(sql`select bytes_transferred_24h as bytes from network_figures`)).bytes

export const countOnline = async (db: Db): Promise<number> =>
  (await db.one<{ online: number }>(sql`select count(*) as online from nodes where status = 'online'`)).online
