/** Which nodes receive an upload and serve a download: pure functions, without database, clock or randomness. */

import type { NodeFacts } from '../nodes/node-table.ts'
import { bestOf } from './best-of.ts'

/** `unverified`: an edge reported the copy and no audit confirmed it; it does not count. */
export type ReplicaState = 'wanted' | 'pulling' | 'unverified' | 'stored' | 'lost' | 'removed'

/** A replica, as far as choices depend on it. */
export interface Holder {
  node_id: string
  state: ReplicaState
  tries: number
  suspect: boolean
  /** It is in backoff after failed pulls. */
  waits?: boolean
  /** The server ordered the pull, so an unverified copy counts after a passed audit. */
  pulled?: boolean
}

/** Anyone can run an edge; other kinds need the operators' join token. */
export const isInvited = ({ kind }: Pick<NodeFacts, 'kind'>): boolean => kind !== 'edge'
/** Copies on invited nodes, if there are as many. Copies on edges never replace them. */
export const INVITED_COPIES = 3

/** After this many failed pulls the content is placed elsewhere. */
export const PULL_TRIES = 5
/** After this many failed audits in a row the replica is replaced; a single failure may be a network problem. */
export const FAILED_AUDITS_MAX = 2

/** The assumed rate of a node without measurements, and the rate with score 0.5; bytes per second. */
const RATE_UNKNOWN = 2_000_000
const RATE_HALF = 10_000_000
const MARGIN_MAX = 1024 ** 3

export const speed = (rate: number): number => {
  const known = rate > 0 ? rate : RATE_UNKNOWN
  return known / (known + RATE_HALF)
}
export const freeShare = (node: NodeFacts): number => (node.capacity > 0 ? Math.min(1, node.free / node.capacity) : 0)

/** Space for the bytes and the inner blocks, while one percent of the capacity stays free. */
export const hasSpace = (node: NodeFacts, size: number): boolean =>
  node.free >= size * 1.01 + Math.min(MARGIN_MAX, node.capacity / 100)

export const inAreas = (node: NodeFacts, areas: readonly string[]): boolean =>
  areas.length === 0 || areas.includes(node.country)

/**
 * Nodes that can receive an upload now: candidates, or edges if there are none, because an edge can sign a receipt and delete the bytes.
 * The order is random, weighted by fitness, so that uploads do not all go to the best node.
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
    best.offer(node, weightedScore(fitness * fitness, ask.random()))
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

/** A random score: each item has the highest one with a probability proportional to its weight (Gumbel-max trick). */
const weightedScore = (weight: number, random: number): number =>
  Math.log(Math.max(1e-9, weight)) - Math.log(-Math.log(Math.max(1e-9, random)))

/**
 * Nodes that can serve a content now, best first; abnormal nodes last, unreachable ones not at all. Nodes report their own speed, so
 * `invited` invited nodes always come before edges.
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
