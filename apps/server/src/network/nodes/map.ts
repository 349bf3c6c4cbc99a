import { createHash } from 'node:crypto'
import { type MapPoint, NODE_KINDS } from '@tidenet/contract'
import { DAY } from '../../platform/ago.ts'
import type { Context } from '../context.ts'
import { type NodeRow, nodeTable } from './node-table.ts'

type Deps = Pick<Context, 'db'> & Partial<Pick<Context, 'config'>>

/** Nodes that have been offline for longer are not on the map. */
const OFFLINE_SHOWN_FOR = DAY
const POINTS_MAX = 50_000
/** Nodes at the same place are moved by up to this many degrees. */
const SPREAD_DEGREES = 0.4

/** Map points of some nodes. */
export async function mapOf(context: Deps, nodeIds: readonly string[]): Promise<MapPoint[]> {
  const ids = new Set(nodeIds)
  return mapPoints((await nodeTable(context)).filter((node) => ids.has(node.id)))
}

/** Map points of all nodes except those offline for more than a day; or of one node, in any state. */
export async function networkMap(context: Deps & Pick<Context, 'clock'>, nodeId?: string): Promise<MapPoint[]> {
  if (nodeId) return mapOf(context, [nodeId])
  const since = context.clock.now() - OFFLINE_SHOWN_FOR
  const nodes = await nodeTable(context)
  return mapPoints(
    nodes.filter((node) => node.status !== 'offline' || (node.offline_at?.getTime() ?? 0) > since).slice(0, POINTS_MAX),
  )
}

/** Nodes at the same place are spread around it; the offset of a node never changes. */
export function mapPoints(
  nodes: readonly Pick<NodeRow, 'id' | 'kind' | 'ip' | 'area_id' | 'status' | 'latitude' | 'longitude'>[],
): MapPoint[] {
  const place = (node: { latitude: number; longitude: number }) =>
    `${node.latitude.toFixed(2)} ${node.longitude.toFixed(2)}`
  const perPlace = new Map<string, number>()
  for (const node of nodes) perPlace.set(place(node), (perPlace.get(place(node)) ?? 0) + 1)
  return nodes.map((node) => ({
    node_id: node.id,
    name: node.area_id.split('-').at(-1) ?? '',
    nodeType: NODE_KINDS[node.kind],
    ip: maskIp(node.ip),
    area_id: node.area_id,
    status: node.status,
    value: perPlace.get(place(node)) === 1 ? [node.latitude, node.longitude] : spread(node),
  }))
}

function spread(node: { id: string; latitude: number; longitude: number }): [number, number] {
  const digest = createHash('sha256').update(node.id).digest()
  const angle = (digest.readUInt32BE(0) / 2 ** 32) * 2 * Math.PI
  // The square root distributes points evenly over the disc.
  const distance = SPREAD_DEGREES * Math.sqrt(digest.readUInt32BE(4) / 2 ** 32)
  const latitude = Math.max(-90, Math.min(90, node.latitude + distance * Math.sin(angle)))
  const longitude = Math.max(-180, Math.min(180, node.longitude + distance * Math.cos(angle)))
  return [Number(latitude.toFixed(4)), Number(longitude.toFixed(4))]
}

/** Masks an IP address for public display: `203.xxx.xxx.7`, `2001:xxxx::7`. */
export function maskIp(ip: string): string {
  const four = /(\d{1,3})\.\d{1,3}\.\d{1,3}\.(\d{1,3})$/.exec(ip)
  if (four) return `${four[1]}.xxx.xxx.${four[2]}`
  const groups = ip.split(':').filter((group) => group !== '')
  return groups.length > 1 ? `${groups[0]}:xxxx::${groups.at(-1)}` : 'xxx'
}
