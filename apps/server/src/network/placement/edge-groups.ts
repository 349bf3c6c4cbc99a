import type { NodeFacts } from '../nodes/node-table.ts'

/** Limits how many edges of one network, and of one owner, are chosen. */
export interface EdgeGroups {
  readonly limited: boolean
  /** Whether fewer than `most` edges of its network, and of its owner, were added. */
  fits(node: NodeFacts, most: number): boolean
  add(node: NodeFacts): void
}

/** @param limited false: everything fits */
export function createEdgeGroups(limited: boolean): EdgeGroups {
  const { networks, owners, add } = createCounts()
  return {
    limited,
    fits: (node, most) =>
      !limited || ((networks.get(node.network) ?? 0) < most && (owners.get(node.owner) ?? 0) < most),
    add,
  }
}

function createCounts() {
  const networks = new Map<string, number>()
  const owners = new Map<string, number>()
  const add = ({ network, owner }: NodeFacts) => {
    networks.set(network, (networks.get(network) ?? 0) + 1)
    owners.set(owner, (owners.get(owner) ?? 0) + 1)
  }
  return { networks, owners, add }
}

const counted = new WeakMap<readonly NodeFacts[], ReturnType<typeof createCounts>>()

/**
 * Finds the group of a node that has more than `most` vetted edges; undefined if neither its network nor its owner has.
 * @param nodes all nodes; they are counted once
 */
export function crowdFinder(nodes: readonly NodeFacts[], most: number): (node: NodeFacts) => string | undefined {
  let counts = counted.get(nodes)
  if (!counts) {
    counts = createCounts()
    for (const node of nodes) if (node.kind === 'edge' && node.vetted) counts.add(node)
    counted.set(nodes, counts)
  }
  const { networks, owners } = counts
  return ({ network, owner }) => {
    if ((networks.get(network) ?? 0) > most) return `network ${network}`
    return (owners.get(owner) ?? 0) > most ? `owner ${owner}` : undefined
  }
}
