import type { NodeFacts } from '../nodes/node-table.ts'
import { createEdgeGroups } from './edge-groups.ts'
import { type Copy, REMOVAL_ORDER } from './surplus.ts'

/**
 * Chooses the new edges that hold trial copies of a content: a few, each of another network and owner. Copies that exist stay first.
 * @param ask.limited false: also several of one network or owner
 */
export function chooseTrials(
  held: readonly Copy[],
  free: readonly NodeFacts[],
  { count, limited, score }: { count: number; limited: boolean; score(node: NodeFacts): number },
): { stay: Copy[]; surplus: Copy[]; add: string[] } {
  const groups = createEdgeGroups(limited)
  const stay: Copy[] = []
  const surplus: Copy[] = []
  for (const copy of [...held].sort((a, b) => REMOVAL_ORDER[b.holder.state] - REMOVAL_ORDER[a.holder.state])) {
    const fits = stay.length < count && groups.fits(copy.node, 1)
    if (fits) groups.add(copy.node)
    ;(fits ? stay : surplus).push(copy)
  }
  const add: string[] = []
  const left = new Map(stay.length < count ? free.map((node) => [node, score(node)]) : [])
  while (stay.length + add.length < count) {
    let best: NodeFacts | undefined
    for (const [node, value] of left)
      if (groups.fits(node, 1) && (!best || value > (left.get(best) as number))) best = node
    if (!best) break
    left.delete(best)
    groups.add(best)
    add.push(best.id)
  }
  return { stay, surplus, add }
}
