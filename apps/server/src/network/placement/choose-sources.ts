import { isInvited, isVetted, type NodeFacts } from '../nodes/node-table.ts'
import { DEFENDED, type Policy } from '../policy.ts'
import { bestOf } from './best-of.ts'
import { createEdgeGroups, type EdgeGroups } from './edge-groups.ts'
import { fitness } from './fitness.ts'

/** Which nodes serve a content, and in which order: a pure function, without database, clock or randomness. */

export interface SourceAsk {
  /** The most sources; default: all. */
  count?: number
  /** 0 ≤ x < 1 */
  random?: () => number
  /** Nodes whose fitness differs by less than this come in random order. */
  spread?: number
  /** The expected time until the reader gets the first byte of a node, ms. Nodes with a shorter one come first. */
  firstByte?: (node: NodeFacts) => number
  policy?: Policy
}

/**
 * Two nodes are equally near if their times differ by less than this factor, or both are below the floor, ms: so a false measurement cannot
 * put a node before others that are near.
 */
const NEAR_FACTOR = 1.5
const NEAR_FLOOR = 30

/** How far a node is from the reader: 0 is near. */
const distanceOf = (ms: number): number => Math.floor(Math.log(Math.max(1, ms / NEAR_FLOOR)) / Math.log(NEAR_FACTOR))

/** Every third place is for an invited node, the others are for vetted edges. */
const INVITED_EVERY = 3
/** Every fifth place is for a new edge, but not before three trusted nodes. */
const NEW_EVERY = 5
const NEW_AFTER = 3
/**
 * Relays carry the bytes of many nodes, and cost time. A node behind one is among the first only where it is much better, or by this share
 * of chance.
 */
const RELAYED_LESS = 0.3
const RELAYED_FIRST = 0.25
/** Edges looked at for each place: enough to find some of other networks, as a content has about fifty copies. */
const KEPT = 10

/**
 * Nodes that can serve a content now, best first. New edges are few and never among the first; abnormal and draining nodes come last;
 * unreachable ones are left out. Nodes behind relays are seldom among the first. Edges of one network or owner get at most a third of the places. With `firstByte`, near nodes come before
 * others; the rest holds among those that are equally near.
 */
export function orderSources<N extends NodeFacts>(holders: readonly N[], ask: SourceAsk = {}): N[] {
  const { count = holders.length, random = () => 0, spread = 0.1, policy = DEFENDED } = ask
  const [invited, vetted, fresh, last] = [
    bestOf<N>(count),
    bestOf<N>(KEPT * count),
    bestOf<N>(KEPT * count),
    bestOf<N>(count),
  ]
  const distances = new Map<N, number>()
  for (const node of holders) {
    if (node.status === 'offline' || !node.reachable) continue
    const distance = ask.firstByte ? distanceOf(ask.firstByte(node)) : 0
    distances.set(node, distance)
    // Fitness and spread are at most 2.
    const isHeldBack = node.relayed === true && random() >= RELAYED_FIRST
    const score = fitness(node, 'send', policy) + spread * random() - (isHeldBack ? RELAYED_LESS : 0) - 10 * distance
    if (node.status !== 'online' || node.draining) last.offer(node, score)
    else (isInvited(node) ? invited : isVetted(node) ? vetted : fresh).offer(node, score)
  }
  const groups = createEdgeGroups(policy.caps)
  const [nearInvited, nearVetted] = [invited.take(), vetted.take()]
  const at = (distance: number) => (node: N) => distances.get(node) === distance
  const trusted = [...new Set(distances.values())]
    .sort((a, b) => a - b)
    .reduce<N[]>(
      (order, distance) =>
        interleave(order, nearInvited.filter(at(distance)), nearVetted.filter(at(distance)), { count, groups }),
      [],
    )
  const most = Math.floor((trusted.length === 0 ? count : Math.min(count, trusted.length + NEW_EVERY)) / NEW_EVERY)
  const trial = distinct(fresh.take(), Math.max(1, most), policy.caps)
  const order = trusted.length === 0 ? trial : mixIn(trusted, trial, count)
  return [...order, ...last.take()].slice(0, count)
}

/** Appends two vetted edges, one invited node, and so on; the ones that are left when the others are used up. */
function interleave<N extends NodeFacts>(
  before: readonly N[],
  invited: N[],
  vetted: N[],
  { count, groups }: { count: number; groups: EdgeGroups },
): N[] {
  const order = [...before]
  const takeEdge = (most: number): N | undefined => {
    const index = vetted.findIndex((node) => groups.fits(node, most))
    const [node] = index < 0 ? [] : vetted.splice(index, 1)
    if (node) groups.add(node)
    return node
  }
  while (order.length < count) {
    const place = order.length + 1
    // Of the places so far, edges of one group have at most a third.
    const most = Math.ceil(place / INVITED_EVERY)
    const node = place % INVITED_EVERY === 0 ? (invited.shift() ?? takeEdge(most)) : (takeEdge(most) ?? invited.shift())
    // Others are used up; the limit for the whole list stays.
    const next = node ?? takeEdge(Math.max(1, Math.floor(count / INVITED_EVERY)))
    if (!next) break
    order.push(next)
  }
  return order
}

/** The first nodes of different networks and owners. */
function distinct<N extends NodeFacts>(nodes: N[], most: number, caps: boolean): N[] {
  const groups = createEdgeGroups(caps)
  const chosen: N[] = []
  for (const node of nodes) {
    if (chosen.length >= most) break
    if (!groups.fits(node, 1)) continue
    groups.add(node)
    chosen.push(node)
  }
  return chosen
}

/** Puts new edges at every fifth place, and behind the trusted nodes if these are few. */
function mixIn<N>(trusted: readonly N[], trial: readonly N[], count: number): N[] {
  const order: N[] = []
  const left = { trusted: [...trusted], trial: trusted.length < NEW_AFTER ? [] : [...trial] }
  while (order.length < count) {
    const isNew = (order.length + 1) % NEW_EVERY === 0 || left.trusted.length === 0
    const next = (isNew ? left.trial : left.trusted).shift() ?? left.trusted.shift()
    if (next === undefined) break
    order.push(next)
  }
  return order
}
