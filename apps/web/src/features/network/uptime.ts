import type { Output, RouteOf } from '@tidenet/contract'
import { formatPercent } from '../../lib/format.ts'

const NODES = 100
/** What to ask `explorer.nodes` for. */
export const allNodes = { page: 1, size: NODES, sort: 'newest' } as const

/** The average uptime of all nodes, over 30 days or since they joined, as it is written; undefined as long as it is not known. */
export function uptimeOf(nodes: Output<RouteOf<'explorer.nodes'>> | undefined): string | undefined {
  // An average of some of them would not be the network's.
  if (!nodes || nodes.total === 0 || nodes.total > NODES) return undefined
  return formatPercent(nodes.list.reduce((sum, node) => sum + node.uptime_30d, 0) / nodes.list.length, 1, 2)
}
