import type { NodeFacts } from '../nodes/node-table.ts'
import { bestOf } from './best-of.ts'
import {
  FAILED_AUDITS_MAX,
  freeShare,
  type Holder,
  hasSpace,
  INVITED_COPIES,
  inAreas,
  isInvited,
  PULL_TRIES,
  speed,
} from './choose.ts'

/** Which nodes hold a replica: a pure function, without database, clock or randomness. */

export interface Placement {
  /** Number of replicas: the target, or the number of suitable nodes if there are fewer. */
  wanted: number
  add: string[]
  remove: string[]
  /** Stored replicas that stay for now although they are in the wrong region or suspect. */
  retained: number
}

interface Counted {
  node: NodeFacts
  holder: Holder
}

/**
 * Chooses nodes to add and nodes to remove. New replicas go to invited nodes until there are enough of those, then to the area with the
 * fewest replicas. Surplus ones are removed from the area with the most, and only when enough are stored. An unreachable node cannot
 * serve its copy: it gets one only if there is no other node, and loses it first. An unverified copy that the server did not order has no
 * effect; its edge can be chosen like any other.
 * @param content.areas countries; empty: everywhere
 * @param ask.random 0 ≤ x < 1
 */
export function chooseReplicaNodes(
  content: { size: number; areas: readonly string[] },
  holders: readonly Holder[],
  nodes: readonly NodeFacts[],
  ask: { target: number; random: () => number },
): Placement {
  const held = new Map(holders.map((holder) => [holder.node_id, holder]))
  const stateOn = (id: string) => held.get(id)?.state
  const served = nodes.some((node) => stateOn(node.id) === 'stored' && node.status === 'online' && node.reachable)
  const counted: Counted[] = []
  const idle: string[] = []
  const misplaced: string[] = []
  const perArea = new Map<string, number>()
  const eligible = {
    invited: candidates(),
    reachable: candidates(),
    unreachableInvited: candidates(),
    unreachableEdges: candidates(),
  }
  let possible = 0

  for (const node of nodes) {
    const holder = held.get(node.id)
    // Most nodes hold nothing of the content: these need few checks.
    if (!holder && (node.out || node.status !== 'online')) continue
    const suits = inAreas(node, content.areas)
    const fits = hasSpace(node, content.size)
    if (!holder && !(suits && fits)) continue
    // A copy on an unreachable edge cannot be audited, so it never counts.
    const counts = node.reachable || isInvited(node)
    switch (holder ? roleOf(node, holder, { suits, served, counts, fits }) : 'free') {
      case 'misplaced':
        misplaced.push(node.id)
        break
      case 'counted':
        if (holder) counted.push({ node, holder })
        perArea.set(node.country, (perArea.get(node.country) ?? 0) + 1)
        possible += 1
        break
      case 'idle':
        idle.push(node.id)
        if (counts && node.status === 'online') possible += 1
        break
      case 'free': {
        if (holder?.state !== 'unverified' && !fits) break
        if (counts) possible += 1
        const fitness =
          0.3 * node.quality + 0.3 * freeShare(node) + 0.2 * (1 - node.load) + 0.2 * speed(node.receive_rate)
        const score = fitness + ask.random()
        const among = node.reachable
          ? eligible.reachable
          : counts
            ? eligible.unreachableInvited
            : eligible.unreachableEdges
        among.offer(node, score, ask.target)
        if (node.reachable && isInvited(node)) eligible.invited.offer(node, score, INVITED_COPIES)
      }
    }
  }

  const wanted = Math.min(ask.target, possible)
  // A node that has just gone offline may not come back.
  const sound = counted.filter(({ node, holder }) => holder.state === 'stored' && node.status !== 'offline').length
  const failed = holders
    .filter((holder) => holder.state === 'lost' && holder.suspect && holder.tries >= FAILED_AUDITS_MAX)
    .map((holder) => holder.node_id)
  // A copy in the wrong region, or a suspect one, is better than none.
  const hasBytes = (id: string) => stateOn(id) === 'stored' || (stateOn(id) === 'unverified' && !served)
  const removableMisplaced = sound >= wanted && sound > 0 ? misplaced : misplaced.filter((id) => !hasBytes(id))
  const removableFailed = sound > 0 ? failed : []

  const add: string[] = []
  const take = (from: Candidates, count: number) => add.push(...from.spread(perArea, count - add.length, new Set(add)))
  const missing = wanted - counted.length
  take(eligible.invited, Math.min(INVITED_COPIES, ask.target) - counted.filter(({ node }) => isInvited(node)).length)
  take(eligible.reachable, missing)
  take(eligible.unreachableInvited, missing)
  take(eligible.unreachableEdges, ask.target - counted.length - idle.length)
  return {
    wanted,
    add,
    remove: [
      ...surplus(counted, perArea, counted.length - wanted, Math.min(INVITED_COPIES, wanted)),
      ...(sound >= ask.target ? idle : []),
      ...removableMisplaced,
      ...removableFailed,
    ],
    retained: misplaced.length - removableMisplaced.length + failed.length - removableFailed.length,
  }
}

/**
 * The role of a node for a content. `counted`: has it or will have it, and counts. `idle`: the same, but does not count. `misplaced`: has it
 * and should not. `free`: could get it.
 * @param facts.served whether a stored, reachable replica can serve the content now
 * @param facts.counts whether a copy on this node can ever count
 */
function roleOf(
  node: NodeFacts,
  holder: Holder,
  { suits, served, counts, fits }: Record<'suits' | 'served' | 'counts' | 'fits', boolean>,
): 'counted' | 'idle' | 'misplaced' | 'free' | 'none' {
  const { state } = holder
  const coming = state === 'wanted' || state === 'pulling'
  // Pending copies are cancelled. Stored ones do not count and are not removed: the node may come back.
  if (node.out) return coming ? 'misplaced' : 'none'
  if (state === 'stored' || state === 'unverified' || coming) {
    if (!suits || (coming && node.status === 'offline')) return 'misplaced'
    // The node was or became full before the pull began.
    if (state === 'wanted' && !fits) return 'misplaced'
    if (state === 'stored') return 'counted'
    if (coming || holder.pulled) return counts && node.status !== 'offline' ? 'counted' : 'idle'
    // It may be the only node with the bytes.
    return served && node.status === 'online' ? 'free' : 'idle'
  }
  if (!suits || node.status !== 'online') return 'none'
  return state === 'removed' || holder.suspect || (holder.waits && holder.tries >= PULL_TRIES) ? 'none' : 'free'
}

type Candidates = ReturnType<typeof candidates>

/** The best nodes of each country. */
function candidates() {
  const byCountry = new Map<string, ReturnType<typeof bestOf<NodeFacts>>>()
  return {
    offer(node: NodeFacts, score: number, most: number) {
      const best = byCountry.get(node.country) ?? bestOf<NodeFacts>(most)
      byCountry.set(node.country, best)
      best.offer(node, score)
    },
    /** Takes `count` nodes, each from the area with the fewest replicas so far, and counts them there. */
    spread(perArea: Map<string, number>, count: number, except: ReadonlySet<string>): string[] {
      if (count <= 0) return []
      const areas = [...byCountry].map(([country, best]) => ({
        country,
        nodes: best.take().filter((node) => !except.has(node.id)),
        next: 0,
        has: perArea.get(country) ?? 0,
      }))
      const chosen: string[] = []
      while (chosen.length < count) {
        let least: (typeof areas)[number] | undefined
        for (const area of areas) if (area.next < area.nodes.length && (!least || area.has < least.has)) least = area
        const node = least?.nodes[least.next]
        if (!least || !node) break
        chosen.push(node.id)
        least.next += 1
        least.has += 1
        perArea.set(least.country, least.has)
      }
      return chosen
    },
  }
}

/** Removed first: the lowest. */
const REMOVAL_ORDER = { wanted: 0, pulling: 1, unverified: 2, stored: 3, lost: 4, removed: 4 }

/**
 * Chooses `count` replicas to remove: pending ones first, then those on edges, then those on abnormal nodes, then from the areas with the most.
 * @param least replicas on invited nodes that always stay
 */
function surplus(
  counted: readonly Counted[],
  perArea: ReadonlyMap<string, number>,
  count: number,
  least: number,
): string[] {
  if (count <= 0) return []
  const has = new Map(perArea)
  const left = new Set(counted)
  let safe = counted.filter(({ node }) => isInvited(node)).length
  const chosen: string[] = []
  while (chosen.length < count) {
    let worst: Counted | undefined
    for (const one of left)
      if ((!isInvited(one.node) || safe > least) && (!worst || before(one, worst, has))) worst = one
    if (!worst) break
    left.delete(worst)
    if (isInvited(worst.node)) safe -= 1
    has.set(worst.node.country, (has.get(worst.node.country) ?? 1) - 1)
    chosen.push(worst.node.id)
  }
  return chosen
}

function before(a: Counted, b: Counted, has: ReadonlyMap<string, number>): boolean {
  const byState = REMOVAL_ORDER[a.holder.state] - REMOVAL_ORDER[b.holder.state]
  if (byState !== 0) return byState < 0
  const byKind = Number(isInvited(a.node)) - Number(isInvited(b.node))
  if (byKind !== 0) return byKind < 0
  const byStatus = Number(a.node.status === 'online') - Number(b.node.status === 'online')
  if (byStatus !== 0) return byStatus < 0
  const byReach = Number(a.node.reachable) - Number(b.node.reachable)
  if (byReach !== 0) return byReach < 0
  const byArea = (has.get(b.node.country) ?? 0) - (has.get(a.node.country) ?? 0)
  if (byArea !== 0) return byArea < 0
  return a.node.quality < b.node.quality
}
