import { type contract, NODE_KINDS, type Output, type Parsed } from '@tidenet/contract'
import type { Context } from '../context.ts'
import { maskIp } from '../nodes/map.ts'
import { nodeTable } from '../nodes/node-table.ts'

type Info = (typeof contract)['devices']['info']

const STATUS_CODES = { online: 1, abnormal: 2, offline: 3 } as const

/** Nodes as older clients list them: what the explorer shows, and no owners. */
export async function deviceInfo(
  context: Pick<Context, 'db' | 'config'>,
  { device_id, node_type, device_status, page, page_size }: Parsed<Info>,
): Promise<Output<Info>> {
  const nodes = (await nodeTable(context))
    .filter(
      ({ id, kind, status }) =>
        (device_id === undefined || id === device_id) &&
        (node_type === undefined || NODE_KINDS[kind] === node_type) &&
        (device_status === undefined || status === device_status),
    )
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  return {
    total: nodes.length,
    list: nodes.slice((page - 1) * page_size, page * page_size).map((node) => ({
      device_id: node.id,
      device_name: node.name,
      device_status: node.status,
      device_status_code: STATUS_CODES[node.status],
      node_type: NODE_KINDS[node.kind],
      ip_location: node.area_id,
      external_ip: maskIp(node.ip),
      disk_space: node.capacity,
      disk_usage: Math.max(0, node.capacity - node.free),
      bandwidth_up: node.send_rate,
      bandwidth_down: node.receive_rate,
    })),
  }
}
