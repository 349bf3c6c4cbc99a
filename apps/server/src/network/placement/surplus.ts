import { isInvited, type NodeFacts } from '../nodes/node-table.ts'
import type { Holder } from './choose.ts'

/** A replica with its node. */
export interface Copy {
  node: NodeFacts
  holder: Holder
}

/** Removed first: the lowest. */
export const REMOVAL_ORDER = { wanted: 0, pulling: 1, unverified: 2, stored: 3, lost: 4, removed: 4 }

/**
 * Chooses `count` replicas to remove: pending ones first, then those on edges, then those on abnormal nodes, then from the areas with the most.
 * @param ask.least replicas on invited nodes that always stay
 */
export function surplus(
  counted: readonly Copy[],
  ask: {
    perArea: ReadonlyMap<string, number>
    count: number
    least: number
    fitness(node: NodeFacts): number
  },
): string[] {
  const has = new Map(ask.perArea)
  const left = new Set(counted)
  let safe = counted.filter(({ node }) => isInvited(node)).length
  const chosen: string[] = []
  while (chosen.length < ask.count) {
    let worst: Copy | undefined
    for (const one of left)
      if ((!isInvited(one.node) || safe > ask.least) && (!worst || before(one, worst, has, ask.fitness))) worst = one
    if (!worst) break
    left.delete(worst)
    if (isInvited(worst.node)) safe -= 1
    has.set(worst.node.country, (has.get(worst.node.country) ?? 1) - 1)
    chosen.push(worst.node.id)
  }
  return chosen
}

function before(a: Copy, b: Copy, has: ReadonlyMap<string, number>, fitness: (node: NodeFacts) => number): boolean {
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
  return fitness(a.node) < fitness(b.node)
}
