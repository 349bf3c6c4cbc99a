import { isInvited, type NodeFacts, RATE_UNKNOWN } from '../nodes/node-table.ts'
import type { Policy } from '../policy.ts'

/** The rate with score 0.5; bytes per second. */
const RATE_HALF = 10_000_000

/** What a node reports about itself breaks ties among invited nodes; of an edge it counts nothing. */
const CLAIMS = 0.05

const speed = (rate: number): number => {
  const known = rate > 0 ? rate : RATE_UNKNOWN
  return known / (known + RATE_HALF)
}
const freeShare = (node: NodeFacts): number => (node.capacity > 0 ? Math.min(1, node.free / node.capacity) : 0)

/** How well a node suits for sending or receiving, 0..1: what clients, validators and the server measured. */
export function fitness(node: NodeFacts, use: 'send' | 'receive', { measured }: Pick<Policy, 'measured'>): number {
  const said = speed(use === 'send' ? node.send_rate : node.receive_rate)
  const room = use === 'send' ? 1 : freeShare(node)
  if (!measured) return 0.35 * node.quality + 0.35 * said + 0.2 * (1 - node.load) + 0.1 * room
  const claims = isInvited(node) ? (said + 1 - node.load + room) / 3 : 0.5
  const shown = 0.45 * node.quality + 0.35 * speed(node.rate) + 0.2 * node.audit_share
  return (1 - CLAIMS) * shown + CLAIMS * claims
}
