import { createHash } from 'node:crypto'

/** Relays of a node: if one dies, the other one is connected already. */
const RELAYS_OF_NODE = 2

/** The same node gets the same relays as long as they exist, and nodes are spread evenly (rendezvous hashing). */
export function relaysFor<R extends { node_id: string }>(nodeId: string, offered: readonly R[]): R[] {
  const weight = ({ node_id }: R) => createHash('sha256').update(`${nodeId}\n${node_id}`).digest('hex')
  return offered
    .filter((relay) => relay.node_id !== nodeId)
    .map((relay) => ({ relay, weight: weight(relay) }))
    .sort((a, b) => (a.weight < b.weight ? 1 : -1))
    .slice(0, RELAYS_OF_NODE)
    .map(({ relay }) => relay)
}
