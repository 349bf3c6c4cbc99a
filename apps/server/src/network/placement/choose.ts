/** Which nodes receive an upload, and what all choices share: pure functions, without database, clock or randomness. */

import { isInvited, isTrusted, type NodeFacts } from '../nodes/node-table.ts'
import { DEFENDED, type Policy } from '../policy.ts'
import { bestOf } from './best-of.ts'
import { fitness } from './fitness.ts'

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

/** Copies on invited nodes, if there are as many. Copies on edges never replace them. */
export const INVITED_COPIES = 3

/** After this many failed pulls the content is placed elsewhere. */
export const PULL_TRIES = 5
/** After this many failed audits in a row the replica is replaced; a single failure may be a network problem. */
export const FAILED_AUDITS_MAX = 2

const MARGIN_MAX = 1024 ** 3

/** Space for the bytes and the inner blocks, while one percent of the capacity stays free. */
export const hasSpace = (node: NodeFacts, size: number): boolean =>
  node.free >= size * 1.01 + Math.min(MARGIN_MAX, node.capacity / 100)

export const inAreas = (node: NodeFacts, areas: readonly string[]): boolean =>
  areas.length === 0 || areas.includes(node.country)

/** Copies on vetted edges of one network, or of one owner, that count. */
export const vettedMax = (target: number): number => Math.max(1, Math.floor(target / 5))
/** Copies on new edges, in addition to the target; one per network and owner. */
export const trialMax = (target: number): number => Math.max(1, Math.floor(target / 10))

/**
 * Nodes that can receive an upload now: candidates; vetted edges if there are none, and new edges if there are none of these either,
 * because an edge can sign a receipt and delete the bytes. The order is random, weighted by fitness, so that uploads do not all go to the
 * best node.
 * @param ask.areas countries; empty: everywhere
 * @param ask.size bytes; 0 when unknown
 * @param ask.random 0 ≤ x < 1, for each node
 */
export function chooseUploadNodes<N extends NodeFacts>(
  nodes: readonly N[],
  ask: { areas: readonly string[]; size: number; count: number; random: (node: N) => number; policy?: Policy },
): N[] {
  for (const suits of [isInvited, isTrusted, () => true]) {
    const best = bestOf<N>(ask.count)
    for (const node of nodes) {
      if (!suits(node) || node.status !== 'online' || !node.reachable || node.draining || node.out) continue
      if (node.kind === 'validator' || !inAreas(node, ask.areas) || !hasSpace(node, ask.size)) continue
      best.offer(node, weightedScore(fitness(node, 'receive', ask.policy ?? DEFENDED) ** 2, ask.random(node)))
    }
    const found = best.take()
    if (found.length > 0) return found
  }
  return []
}

/** A random score: each item has the highest one with a probability proportional to its weight (Gumbel-max trick). */
const weightedScore = (weight: number, random: number): number =>
  Math.log(Math.max(1e-9, weight)) - Math.log(-Math.log(Math.max(1e-9, random)))
