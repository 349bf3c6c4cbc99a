import { type contract, type NodeKind, type NodeStatus, type Parsed, UNKNOWN_AREA } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import { UNKNOWN_COUNTRY } from '../../platform/areas.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, prepared, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import { standing } from './node-table.ts'
import { failsAudits } from './standing-repository.ts'

/** A proof must be newer than the last one, or older by more than this: such old proofs are refused anyway, so the clock was set back. */
const PROOF_WINDOW_MS = 10 * 60 * 1000

/** Whether a node says where it is. */
const isPlaced = (row: Sql): Sql => sql`(${row}.latitude <> 0 or ${row}.longitude <> 0)`

/** Its area, and its place if it does not say one, are computed afterwards. @returns `fresh`: it was not known before; undefined if this proof, or a later one, was used before */
export const upsertNode = (
  db: Db,
  node: Parsed<typeof contract.nodeControl.register> & {
    id: string
    ip: string
    network: string
    address: string
    joinedFrom: string
    joinedWide: string
    relayed: boolean
  },
  at: Date,
) =>
  db.maybe<{ owner_id: number | null; fresh: boolean }>(sql`
    insert into nodes as n (id, public_key, kind, name, area_id, declared_area, url, ip, latitude, longitude, version, cpu_cores, memory, capacity, free,
      status, seen_at, arrived_at, proof_time, created_at, network, address, joined_from, joined_wide, uncounted_since, relays, relayed, updates_on, update_problem, update_version)
    values (${node.id}, ${node.public_key}, ${node.kind}, ${node.name}, ${UNKNOWN_AREA}, ${node.area_id}, ${node.url}, ${node.ip},
      ${node.latitude}, ${node.longitude}, ${node.version}, ${node.cpu_cores}, ${node.memory}, ${node.capacity}, ${node.capacity},
      'online', ${at}, ${at}, ${node.time}, ${at}, ${node.network}, ${node.address}, ${node.joinedFrom}, ${node.joinedWide}, ${at}, ${node.relays}, ${node.relayed},
      ${node.updates?.on ?? null}, ${node.updates?.problem ?? null}, ${node.updates?.version ?? ''})
    on conflict (id) do update set kind = excluded.kind, name = coalesce(n.owner_name, excluded.name), declared_area = excluded.declared_area, url = excluded.url,
      reached_ip = case when n.url = excluded.url then n.reached_ip end,
      latitude = case when ${isPlaced(sql`excluded`)} then excluded.latitude else n.latitude end,
      longitude = case when ${isPlaced(sql`excluded`)} then excluded.longitude else n.longitude end,
      ip = excluded.ip, version = excluded.version,
      cpu_cores = excluded.cpu_cores, memory = excluded.memory, capacity = excluded.capacity, seen_at = excluded.seen_at,
      updates_on = excluded.updates_on, update_problem = excluded.update_problem, update_version = excluded.update_version,
      relays = excluded.relays, relayed = excluded.relayed, proof_time = excluded.proof_time, offline_at = null, lost_at = null,
      status = case when ${failsAudits} then 'abnormal' else 'online' end,
      arrived_at = case when n.status = 'offline' then excluded.arrived_at else n.arrived_at end,
      reachable = n.reachable and n.url = excluded.url,
      network = case when n.reachable then n.network else excluded.network end,
      address = case when n.reachable then n.address else excluded.address end
    where n.proof_time < excluded.proof_time or n.proof_time > excluded.proof_time + ${PROOF_WINDOW_MS}
    returning owner_id, n.xmax = 0 as fresh`)

/**
 * When the edges after the latest `max` that joined from a network since then did; the latest first.
 * @param from.network as `nodeNetworkOf` returns it, or as `wideNetworkOf` does if `wide`
 * @param ask.of only edges of this owner, or without one if it is null
 */
export const edgesBeyond = (
  tx: Db,
  { network, wide }: { network: string; wide: boolean },
  { since, max, of }: { since: Date; max: number; of: number | null | undefined },
) =>
  tx.rows<{ created_at: Date }>(sql`
    select created_at from nodes
    where ${wide ? sql`joined_wide` : sql`joined_from`} = ${network} and created_at > ${since} and kind = 'edge'
      ${of === undefined ? none : sql`and owner_id is not distinct from ${of}::bigint`}
    order by created_at desc offset ${max} limit 1`)

/** A node that becomes full and empty by turns triggers new placements at most this often. */
const SPACE_FREED_EVERY_MS = 30_000

export interface HeartbeatStats {
  nodeId: string
  capacity: number
  used: number
  free: number
  load: number
  sendRate: number
  receiveRate: number
  /** The node reports the bytes of running uploads. */
  reportsUploads: boolean
  /** The node's clock is wrong. */
  skewed: boolean
}

export interface HeartbeatRow {
  id: string
  kind: NodeKind
  was: NodeStatus
  leaving: boolean
}

/** Records heartbeats of many nodes in one statement. Unknown nodes are missing in the result. */
export const writeHeartbeats = (db: Db, heartbeats: readonly HeartbeatStats[], at: Date) =>
  db.rows<HeartbeatRow>(sql`
    with heartbeat as (
      select * from unnest(${heartbeats.map((heartbeat) => heartbeat.nodeId)}::text[], ${heartbeats.map((heartbeat) => heartbeat.capacity)}::bigint[],
        ${heartbeats.map((heartbeat) => heartbeat.used)}::bigint[], ${heartbeats.map((heartbeat) => heartbeat.free)}::bigint[],
        ${heartbeats.map((heartbeat) => heartbeat.load)}::real[], ${heartbeats.map((heartbeat) => heartbeat.sendRate)}::bigint[],
        ${heartbeats.map((heartbeat) => heartbeat.receiveRate)}::bigint[], ${heartbeats.map((heartbeat) => heartbeat.skewed)}::boolean[],
        ${heartbeats.map((heartbeat) => heartbeat.reportsUploads)}::boolean[])
        as b (id, capacity, used, free, load, send_rate, receive_rate, skewed, reports_uploads)
    ), before as (
      select n.id, n.status, n.free, n.free < n.capacity / 100 as full from nodes n where n.id in (select id from heartbeat) order by n.id for no key update
    )
    update nodes n set capacity = b.capacity, used = b.used, free = b.free, load = b.load,
      send_rate = case when b.send_rate > 0 then b.send_rate else n.send_rate end,
      receive_rate = case when b.receive_rate > 0 then b.receive_rate else n.receive_rate end,
      seen_at = ${at}, offline_at = null, lost_at = null, reports_uploads = b.reports_uploads,
      status = case when b.skewed or ${failsAudits} then 'abnormal' else 'online' end,
      arrived_at = case when before.status = 'offline' then ${at} else n.arrived_at end,
      space_freed_at = case when (before.full and b.free >= b.capacity / 100 or b.free - before.free > b.capacity / 100) and coalesce(n.space_freed_at <= ${new Date(at.getTime() - SPACE_FREED_EVERY_MS)}, true)
        then ${at} else n.space_freed_at end
    from heartbeat b join before on before.id = b.id
    where n.id = b.id
    returning n.id, n.kind, before.status as was, n.leaving_since is not null as leaving`)

/** Marks nodes without recent heartbeats offline. */
export const markSilent = (db: Db, heardBefore: Date, at: Date) =>
  db.rows<{ id: string }>(sql`
    with silent as (
      select id from nodes where status <> 'offline' and seen_at < ${heardBefore} for update skip locked
    )
    update nodes n set status = 'offline', offline_at = ${at} from silent where n.id = silent.id
    returning n.id`)

/** Nodes that went offline before that time and whose replicas still count. */
export const findLongOffline = (db: Db, before: Date) =>
  db.rows<{ id: string }>(sql`
    select id from nodes where status = 'offline' and lost_at is null and offline_at <= ${before}`)

/** Locks an offline node, unless another transaction has. Its next heartbeat waits for the end of the transaction. */
export const lockOffline = async (tx: Db, nodeId: string): Promise<boolean> =>
  (await tx.maybe(
    sql`select 1 from nodes where id = ${nodeId} and status = 'offline' and lost_at is null for update skip locked`,
  )) !== undefined

/** Marks that the replicas of an offline node no longer count. */
export const markLost = (tx: Db, nodeId: string, at: Date) =>
  tx.run(sql`update nodes set lost_at = ${at} where id = ${nodeId}`)

/** Idempotent: keeps the time of the first call. */
export const takeOutOfService = (tx: Db, nodeId: string, at: Date) =>
  tx.run(sql`update nodes set out_since = coalesce(out_since, ${at}) where id = ${nodeId}`)

/** The node counts as a new arrival, so contents that lack replicas are placed again. */
export const returnToService = (tx: Db, nodeId: string, at: Date) =>
  tx.run(sql`update nodes set out_since = null, arrived_at = ${at} where id = ${nodeId}`)

/** A node begins to leave at most once in this time: if it changed its mind again and again, others would copy its contents each time. */
const LEAVES_EVERY = DAY

/** @returns whether it leaves now */
export const beginLeaving = async (tx: Db, nodeId: string, remaining: number, at: Date): Promise<boolean> =>
  (await tx.run(sql`
    update nodes set leaving_since = ${at}, left_last = ${at}, leaving_remaining = ${remaining}
    where id = ${nodeId} and leaving_since is null and coalesce(left_last <= ${ago(at, LEAVES_EVERY)}, true)`)) === 1

/** The node counts as a new arrival, so contents that lack replicas are placed again. */
export const stayAfterAll = (tx: Db, nodeId: string, at: Date) =>
  tx.run(sql`update nodes set leaving_since = null, leaving_remaining = null, arrived_at = ${at} where id = ${nodeId}`)

/** Notes how many contents still need a leaving node. */
export const noteRemaining = (db: Db, nodeId: string, remaining: number) =>
  db.run(sql`
    update nodes set leaving_remaining = ${remaining}
    where id = ${nodeId} and leaving_since is not null and leaving_remaining <> ${remaining}`)

export const setNodeNote = (tx: Db, nodeId: string, note: string) =>
  tx.run(sql`update nodes set note = ${note} where id = ${nodeId}`)

export const deleteNodes = (tx: Db, nodeIds: readonly string[]) =>
  tx.run(sql`delete from nodes where id = any(${nodeIds})`)

export const publicKeyOf = async (db: Db, nodeId: string): Promise<string | undefined> =>
  (await db.maybe<{ public_key: string }>(sql`select public_key from nodes where id = ${nodeId}`))?.public_key

export async function publicKeysOf(db: Db, nodeIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; public_key: string }>(
    prepared`select id, public_key from nodes where id = any(${nodeIds})`,
  )
  return new Map(rows.map(({ id, public_key }) => [id, public_key]))
}

/** The account that owns a node; null if it has no owner or does not exist. */
export const ownerOf = async (db: Db, nodeId: string): Promise<number | null> =>
  (await db.maybe<{ owner_id: number | null }>(sql`select owner_id from nodes where id = ${nodeId}`))?.owner_id ?? null

/** Since when a node belongs to an account; undefined if it does not. */
export const ownedSince = async (db: Db, nodeId: string, ownerId: number): Promise<Date | undefined> =>
  (
    await db.maybe<{ since: Date }>(
      sql`select coalesce(linked_at, created_at) as since from nodes where id = ${nodeId} and owner_id = ${ownerId}`,
    )
  )?.since

/** Whether the node is an edge that is not vetted, or not vetted any more. */
export const isNewEdge = async (db: Db, nodeId: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from nodes n where n.id = ${nodeId} and ${standing} = 'new'`)) !== undefined

/** Which of these nodes exist. */
export const knownNodes = async (db: Db, ids: readonly string[]): Promise<string[]> =>
  (await db.rows<{ id: string }>(sql`select id from nodes where id = any(${[...new Set(ids)]})`)).map((row) => row.id)

/** The names of these nodes, by id; without those that have none. */
export const namesOfNodes = async (db: Db, ids: readonly string[]): Promise<Map<string, string>> => {
  const rows = await db.rows<{ id: string; name: string }>(
    sql`select id, name from nodes where id = any(${[...new Set(ids)]}) and name <> ''`,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Countries with nodes that are not offline; not the unknown one. */
export const countriesOfNodes = (db: Db) =>
  db.rows<{ country: string }>(
    sql`select distinct country from nodes where status <> 'offline' and country <> ${UNKNOWN_COUNTRY} order by country`,
  )

/** Longer than the longest period that uptime is computed for. */
const SPAN_LIFE = 31 * DAY

export const expired = (at: Date): Sql[] => [
  sql`delete from online_spans where (node_id, began) in (
    select node_id, began from online_spans where ended < ${ago(at, SPAN_LIFE)} limit ${EXPIRED_BATCH} for update skip locked)`,
]
