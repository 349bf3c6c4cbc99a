import { createHash } from 'node:crypto'
import { type MapPoint, NODE_KINDS } from '@tidenet/contract'
import type { Context } from '../context.ts'
import { type NodeRow, nodeTable } from './node-table.ts'

type Needs = Pick<Context, 'db'> & Partial<Pick<Context, 'config'>>

/** Nodes that have been away for longer are not shown. */
const SHOWN_OFFLINE = 24 * 3600 * 1000
const POINTS_MAX = 50_000
/** How far apart nodes at the same place are drawn at most, degrees. */
const APART = 0.4

/** Map points of some nodes. */
export async function mapOf(context: Needs, nodeIds: readonly string[]): Promise<MapPoint[]> {
  const ids = new Set(nodeIds)
  return mapPoints((await nodeTable(context)).filter((node) => ids.has(node.id)))
}

/** Map points of the network, without nodes that left long ago; with an id that node alone, wherever it is. */
export async function networkMap(context: Needs & Pick<Context, 'clock'>, nodeId?: string): Promise<MapPoint[]> {
  if (nodeId) return mapOf(context, [nodeId])
  const since = context.clock.now() - SHOWN_OFFLINE
  const nodes = await nodeTable(context)
  return mapPoints(
    nodes.filter((node) => node.status !== 'offline' || (node.offline_at?.getTime() ?? 0) > since).slice(0, POINTS_MAX),
  )
}

/** Nodes as points; those at the same place are moved a little, each always the same way. */
export function mapPoints(
  nodes: readonly Pick<NodeRow, 'id' | 'kind' | 'ip' | 'area_id' | 'status' | 'latitude' | 'longitude'>[],
): MapPoint[] {
  const place = (node: { latitude: number; longitude: number }) =>
    `${node.latitude.toFixed(2)} ${node.longitude.toFixed(2)}`
  const there = new Map<string, number>()
  for (const node of nodes) there.set(place(node), (there.get(place(node)) ?? 0) + 1)
  return nodes.map((node) => ({
    node_id: node.id,
    name: node.area_id.split('-').at(-1) ?? '',
    nodeType: NODE_KINDS[node.kind],
    ip: maskIp(node.ip),
    area_id: node.area_id,
    status: node.status,
    value: there.get(place(node)) === 1 ? [node.latitude, node.longitude] : moved(node),
  }))
}

function moved(node: { id: string; latitude: number; longitude: number }): [number, number] {
  const digest = createHash('sha256').update(node.id).digest()
  const angle = (digest.readUInt32BE(0) / 2 ** 32) * 2 * Math.PI
  // The root spreads points evenly over the disc.
  const distance = APART * Math.sqrt(digest.readUInt32BE(4) / 2 ** 32)
  const latitude = Math.max(-90, Math.min(90, node.latitude + distance * Math.sin(angle)))
  const longitude = Math.max(-180, Math.min(180, node.longitude + distance * Math.cos(angle)))
  return [Number(latitude.toFixed(4)), Number(longitude.toFixed(4))]
}

/** An address of which the network can still be told, but not the machine: `203.xxx.xxx.7`, `2001:xxxx::7`. */
export function maskIp(ip: string): string {
  const four = /(\d{1,3})\.\d{1,3}\.\d{1,3}\.(\d{1,3})$/.exec(ip)
  if (four) return `${four[1]}.xxx.xxx.${four[2]}`
  const groups = ip.split(':').filter((group) => group !== '')
  return groups.length > 1 ? `${groups[0]}:xxxx::${groups.at(-1)}` : 'xxx'
}
