import type { NodeFacts } from '../nodes/node-table.ts'
import type { Holder } from './choose.ts'

/** For tests: nodes and copies without a database. */

/** An online candidate in a network of its own. */
export const sampleNode = (id: string, more: Partial<NodeFacts> = {}): NodeFacts => ({
  id,
  kind: 'candidate',
  country: 'Germany',
  capacity: 1000,
  free: 900,
  load: 0,
  send_rate: 0,
  receive_rate: 0,
  status: 'online',
  reachable: true,
  counts: more.reachable ?? true,
  quality: 1,
  rate: 0,
  audit_share: 1,
  vetted: false,
  draining: false,
  network: `network of ${id}`,
  owner: id,
  ...more,
})
export const newEdge = (id: string, more: Partial<NodeFacts> = {}) => sampleNode(id, { kind: 'edge', ...more })
export const vettedEdge = (id: string, more: Partial<NodeFacts> = {}) => newEdge(id, { vetted: true, ...more })

export const sampleHolder = (node_id: string, more: Partial<Holder> = {}): Holder => ({
  node_id,
  state: 'stored',
  tries: 0,
  suspect: false,
  ...more,
})

/** `count` items made from their numbers. */
export const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** A deterministic random generator, 0 ≤ x < 1. */
export function seeded(seed = 1) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
