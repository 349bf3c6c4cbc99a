/** Which nodes take an upload and serve a download: decisions about values, without database, clock or chance of their own. */

import type { NodeFacts } from '../nodes/node-table.ts'
import { bestOf } from './best-of.ts'

/** `claimed`: an edge says that it holds it and no audit has found it there; it counts for nothing. */
export type ReplicaState = 'wanted' | 'pulling' | 'unverified' | 'stored' | 'lost' | 'removed'

/** A replica as the choice sees it. */
export interface Holder {
  node_id: string
  state: ReplicaState
  tries: number
  suspect: boolean
  /** After failed pulls it is left alone for a while. */
  waits?: boolean
  /** Of a claim: the node was told to fetch it, so that an audit makes it count. */
  pulled?: boolean
}

/** Edges are anybody's; the other kinds were invited by the operators. */
export const isInvited = ({ kind }: Pick<NodeFacts, 'kind'>): boolean => kind !== 'edge'
/** So many copies are on invited nodes, if there are so many of those; none of these goes for what edges hold. */
export const INVITED_COPIES = 3

/** After so many failed pulls a content is placed elsewhere. */
export const PULL_TRIES = 5
/** After so many failed audits in a row a replica is made anew; one alone may be the network's fault. */
export const FAILED_AUDITS_MAX = 2

/** What a node that measured nothing yet is taken for, bytes a second, and the rate that counts half. */
const RATE_UNKNOWN = 2_000_000
const RATE_HALF = 10_000_000
const MARGIN_MAX = 1024 ** 3

export const speed = (rate: number): number => {
  const known = rate > 0 ? rate : RATE_UNKNOWN
  return known / (known + RATE_HALF)
}
export const freeShare = (node: NodeFacts): number => (node.capacity > 0 ? Math.min(1, node.free / node.capacity) : 0)

/** Room for the bytes, for the blocks around them, and one percent that stays free. */
export const hasSpace = (node: NodeFacts, size: number): boolean =>
  node.free >= size * 1.01 + Math.min(MARGIN_MAX, node.capacity / 100)

export const inAreas = (node: NodeFacts, areas: readonly string[]): boolean =>
  areas.length === 0 || areas.includes(node.country)

/**
 * Nodes that can take an upload now: those of the operators, and edges only where there are none, since an edge can sign for bytes
 * and drop them. Each comes first as often as it is fit for, so that uploads do not all go to the best.
 * @param ask.areas countries; empty: everywhere
 * @param ask.size bytes; 0 when unknown
 * @param ask.random 0 ≤ x < 1
 */
export function chooseUploadNodes<N extends NodeFacts>(
  nodes: readonly N[],
  ask: { areas: readonly string[]; size: number; count: number; random: () => number },
): N[] {
  const best = bestOf<N>(ask.count)
  const offer = (node: N) => {
    const fitness =
      0.35 * node.quality + 0.25 * (1 - node.load) + 0.25 * speed(node.receive_rate) + 0.15 * freeShare(node)
    best.offer(node, drawn(fitness * fitness, ask.random()))
  }
  const edges: N[] = []
  for (const node of nodes) {
    if (node.status !== 'online' || !node.reachable || node.out || node.kind === 'validator') continue
    if (!inAreas(node, ask.areas) || !hasSpace(node, ask.size)) continue
    if (isInvited(node)) offer(node)
    else edges.push(node)
  }
  if (best.take().length === 0) for (const node of edges) offer(node)
  return best.take()
}

/** A score by which the highest of several comes first as often as its weight is of the sum (Gumbel). */
const drawn = (weight: number, random: number): number =>
  Math.log(Math.max(1e-9, weight)) - Math.log(-Math.log(Math.max(1e-9, random)))

/**
 * Nodes that can serve a content now, best first; those in doubt come last, those that cannot be reached not at all. What a node
 * says of its own speed orders it among its like: `invited` of the operators' nodes come before any edge.
 */
export function orderSources<N extends NodeFacts>(
  holders: readonly N[],
  { count = holders.length, invited = 0 }: { count?: number; invited?: number } = {},
): N[] {
  const first = bestOf<N>(Math.min(count, invited))
  const best = bestOf<N>(count)
  for (const node of holders) {
    if (node.status === 'offline' || !node.reachable) continue
    const fitness = 0.4 * node.quality + 0.35 * speed(node.send_rate) + 0.25 * (1 - node.load)
    if (node.status === 'online' && isInvited(node)) first.offer(node, fitness)
    best.offer(node, (node.status === 'online' ? 1 : 0) + fitness)
  }
  const leading = new Set(first.take())
  return [...leading, ...best.take().filter((node) => !leading.has(node))].slice(0, count)
}
