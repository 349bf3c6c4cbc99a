import { wideNetworkOf } from '@tidenet/daemon'
import type { NodeFacts } from '../nodes/node-table.ts'

/** An IPv6 /32 may have this many times as many edges as one of its /48s. */
const WIDE = 2

/** Limits how many edges of one network, of one IPv6 /32, and of one owner are chosen. */
export interface EdgeGroups {
  readonly limited: boolean
  /** Whether fewer than `most` edges of its network, and of its owner, were added, and fewer than twice as many of its /32. */
  fits(node: NodeFacts, most: number): boolean
  add(node: NodeFacts): void
}

/** @param limited false: everything fits */
export function createEdgeGroups(limited: boolean): EdgeGroups {
  const { counts, add } = createCounts()
  return {
    limited,
    fits(node, most) {
      const { network, owner, wide } = counts(node)
      return !limited || (network < most && owner < most && wide < WIDE * most)
    },
    add,
  }
}

function createCounts() {
  const networks = new Map<string, number>()
  const owners = new Map<string, number>()
  const wides = new Map<string, number>()
  const increase = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  return {
    counts({ network, owner }: NodeFacts) {
      const wide = wideNetworkOf(network)
      return {
        network: networks.get(network) ?? 0,
        owner: owners.get(owner) ?? 0,
        wide: wide === undefined ? 0 : (wides.get(wide) ?? 0),
      }
    },
    add({ network, owner }: NodeFacts) {
      increase(networks, network)
      increase(owners, owner)
      const wide = wideNetworkOf(network)
      if (wide !== undefined) increase(wides, wide)
    },
  }
}

/** A group that has more vetted edges than may count. `most`: how many of them may. */
export interface Crowd {
  name: string
  most: number
}

const counted = new WeakMap<readonly NodeFacts[], ReturnType<typeof createCounts>>()

/**
 * Finds the group of a node that has more vetted edges than may count; undefined if there is none.
 * @param nodes all nodes; they are counted once
 * @param most edges of a network, or an owner, that count
 */
export function crowdFinder(nodes: readonly NodeFacts[], most: number): (node: NodeFacts) => Crowd | undefined {
  let known = counted.get(nodes)
  if (!known) {
    known = createCounts()
    for (const node of nodes) if (node.kind === 'edge' && node.vetted) known.add(node)
    counted.set(nodes, known)
  }
  const { counts } = known
  return (node) => {
    const { network, owner, wide } = counts(node)
    if (wide > WIDE * most) return { name: `network ${wideNetworkOf(node.network)}`, most: WIDE * most }
    if (network > most) return { name: `network ${node.network}`, most }
    return owner > most ? { name: `owner ${node.owner}`, most } : undefined
  }
}
