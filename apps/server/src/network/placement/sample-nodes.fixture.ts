import type { NodeFacts } from '../nodes/node-table.ts'

/** For tests: a candidate that is online and can be chosen, unless `more` changes it. */
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
  quality: 1,
  ...more,
})

/** For tests: a deterministic random generator. */
export function seeded(seed = 1) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
