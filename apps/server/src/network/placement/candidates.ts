import { isInvited, type NodeFacts } from '../nodes/node-table.ts'
import { bestOf } from './best-of.ts'
import type { Crowd, EdgeGroups } from './edge-groups.ts'

/**
 * The best nodes of each country for new replicas.
 * @param ask.count nodes to keep per country
 * @param ask.groups edges chosen so far; `spread` adds to it
 * @param ask.most edges per network and owner
 * @param ask.crowdOf the network or owner of a node that has more edges than that
 */
export function createCandidates(
  nodes: readonly NodeFacts[],
  ask: {
    count: number
    groups: EdgeGroups
    most: number
    crowdOf(node: NodeFacts): Crowd | undefined
    score(node: NodeFacts): number
  },
) {
  const { count, groups, most, crowdOf, score } = ask
  const byCountry = new Map<string, ReturnType<typeof bestOf<NodeFacts>>>()
  const offer = (node: NodeFacts, value: number) => {
    const best = byCountry.get(node.country) ?? bestOf<NodeFacts>(count)
    byCountry.set(node.country, best)
    best.offer(node, value)
  }
  // Of a crowd only the best are offered: many edges of one network must not hide those of others.
  const crowds = new Map<string, ReturnType<typeof bestOf<{ node: NodeFacts; value: number }>>>()
  for (const node of nodes) {
    const value = score(node)
    const crowd = groups.limited && !isInvited(node) ? crowdOf(node) : undefined
    if (crowd === undefined) {
      offer(node, value)
      continue
    }
    const best = crowds.get(crowd.name) ?? bestOf<{ node: NodeFacts; value: number }>(crowd.most)
    crowds.set(crowd.name, best)
    best.offer({ node, value }, value)
  }
  for (const crowd of crowds.values()) for (const { node, value } of crowd.take()) offer(node, value)

  return {
    /** Takes `wanted` nodes, each from the area with the fewest replicas so far, and counts them there. */
    spread(perArea: Map<string, number>, wanted: number, except: ReadonlySet<string>): string[] {
      if (wanted <= 0) return []
      const areas = [...byCountry].map(([country, best]) => ({
        country,
        nodes: best.take().filter((node) => !except.has(node.id)),
        next: 0,
        has: perArea.get(country) ?? 0,
      }))
      const chosen: string[] = []
      while (chosen.length < wanted) {
        let least: (typeof areas)[number] | undefined
        for (const area of areas) if (area.next < area.nodes.length && (!least || area.has < least.has)) least = area
        const node = least?.nodes[least.next]
        if (!least || !node) break
        least.next += 1
        if (!isInvited(node)) {
          if (!groups.fits(node, most)) continue
          groups.add(node)
        }
        chosen.push(node.id)
        least.has += 1
        perArea.set(least.country, least.has)
      }
      return chosen
    },
  }
}
