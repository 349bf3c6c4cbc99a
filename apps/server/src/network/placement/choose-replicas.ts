import { isInvited, isTrusted, type NodeFacts } from '../nodes/node-table.ts'
import { DEFENDED, type Policy } from '../policy.ts'
import { createCandidates } from './candidates.ts'
import { FAILED_AUDITS_MAX, type Holder, hasSpace, INVITED_COPIES, inAreas, trialMax, vettedMax } from './choose.ts'
import type { NearArea } from './demand.ts'
import { createEdgeGroups, crowdFinder } from './edge-groups.ts'
import { fitness } from './fitness.ts'
import { type Role, roleOf } from './role.ts'
import { type Copy, REMOVAL_ORDER, surplus } from './surplus.ts'
import { chooseTrials } from './trials.ts'

/** Which nodes hold a replica: a pure function, without database, clock or randomness. */

export interface Placement {
  /** Number of replicas that count: the target, or the number of suitable nodes if there are fewer. */
  wanted: number
  /** Number of trial copies in addition. */
  trials: number
  /** Stored replicas that count, on nodes that are not offline. */
  sound: number
  add: string[]
  remove: string[]
  /** Stored replicas that stay for now although they should not be there. */
  retained: number
}

export interface PlacementAsk {
  target: number
  /** 0 ≤ x < 1 */
  random: () => number
  /** Bytes of trial copies that a new edge may still get; default: no limit. */
  trialSpace?: (node: NodeFacts) => number
  /** Copies in addition to the target, in these countries. */
  near?: readonly NearArea[]
  policy?: Policy
}

/**
 * Chooses nodes to add and nodes to remove. Replicas count on trusted nodes: invited ones and vetted edges, with limits per network and
 * owner. New replicas go to invited nodes until there are enough of those, then to the area with the fewest replicas. New edges get a few
 * trial copies in addition, which change nothing else. Areas in `near` get copies in addition to the target. Surplus replicas are removed from the area with the most, and only when enough are
 * stored. An unreachable node cannot serve its copy: it gets one only if there is no other node, and loses it first. So does a draining
 * node. An unverified copy that the server did not order has no effect; its edge can be chosen like any other.
 * @param content.areas countries; empty: everywhere
 */
export function chooseReplicaNodes(
  content: { size: number; areas: readonly string[] },
  holders: readonly Holder[],
  nodes: readonly NodeFacts[],
  ask: PlacementAsk,
): Placement {
  const { target, random, policy = DEFENDED } = ask
  const held = new Map(holders.map((holder) => [holder.node_id, holder]))
  const { served, servedAtAll } = whoServes(nodes, held)
  const counted: Copy[] = []
  const vetted: Copy[] = []
  const trials: Copy[] = []
  const idle: string[] = []
  const misplaced: string[] = []
  const free: Record<'invited' | 'vetted' | 'unreachable' | 'trial', NodeFacts[]> = {
    invited: [],
    vetted: [],
    unreachable: [],
    trial: [],
  }
  let idlePossible = 0

  for (const node of nodes) {
    const holder = held.get(node.id)
    // Most nodes hold nothing of the content: these need few checks.
    if (!holder && (node.out || node.status !== 'online' || node.draining)) continue
    const suits = inAreas(node, content.areas)
    const fits = hasSpace(node, content.size)
    const role: Role = holder
      ? roleOf(node, holder, { suits, fits, served: isTrusted(node) ? served : servedAtAll })
      : suits && fits
        ? 'free'
        : 'none'
    if (role === 'misplaced') misplaced.push(node.id)
    else if (role === 'idle') {
      idle.push(node.id)
      if (node.counts && node.status === 'online' && isTrusted(node)) idlePossible += 1
    } else if (role === 'counted' && holder)
      (isInvited(node) ? counted : isTrusted(node) ? vetted : trials).push({ node, holder })
    else if (role === 'free') {
      if (!isTrusted(node)) {
        if (node.reachable && content.size <= (ask.trialSpace?.(node) ?? Number.POSITIVE_INFINITY))
          free.trial.push(node)
      } else if (!node.reachable) {
        // Of an edge that the server never reached, the area is that of the proxy through which it registered.
        if (isInvited(node) || content.areas.length === 0) free.unreachable.push(node)
      } else free[isInvited(node) ? 'invited' : 'vetted'].push(node)
    }
  }

  const groups = createEdgeGroups(policy.caps)
  const most = vettedMax(target)
  const excess: Copy[] = []
  for (const copy of bestFirst(vetted, policy)) {
    const fits = groups.fits(copy.node, most)
    if (fits) groups.add(copy.node)
    ;(fits ? counted : excess).push(copy)
  }

  const crowdOf = crowdFinder(nodes, most)
  const score = (node: NodeFacts) => fitness(node, 'receive', policy) + random()
  const spread = (
    among: readonly NodeFacts[],
    { areas, count, except }: { areas: Map<string, number>; count: number; except: readonly string[] },
  ) => createCandidates(among, { count: target, groups, most, crowdOf, score }).spread(areas, count, new Set(except))

  // Copies near readers are not part of the target: they are chosen first, and the others as if these were not there.
  const near = new Set<Copy>()
  const addNear: string[] = []
  for (const { country, copies } of ask.near ?? []) {
    const there = bestFirst(
      counted.filter(({ node }) => node.country === country),
      policy,
    ).slice(0, copies)
    for (const copy of there) near.add(copy)
    const missing = copies - there.length
    const among = [...free.invited, ...free.vetted].filter((node) => node.country === country)
    if (missing > 0) addNear.push(...spread(among, { areas: new Map(), count: missing, except: [] }))
  }
  const base = counted.filter((copy) => !near.has(copy))
  const nearAdded = new Set(addNear)
  const invited = free.invited.filter(({ id }) => !nearAdded.has(id))
  const vettedFree = free.vetted.filter(({ id }) => !nearAdded.has(id))

  const perArea = new Map<string, number>()
  for (const { node } of base) perArea.set(node.country, (perArea.get(node.country) ?? 0) + 1)
  const add: string[] = []
  const take = (among: readonly NodeFacts[], count: number) => {
    if (count <= add.length || among.length === 0) return
    add.push(...spread(among, { areas: perArea, count: count - add.length, except: add }))
  }
  const possible = base.length + invited.length + vettedFree.length + idlePossible
  const missing = Math.min(target, possible) - base.length
  const least = Math.min(INVITED_COPIES, target)
  take(invited, least - base.filter(({ node }) => isInvited(node)).length)
  take([...invited, ...vettedFree], missing)
  const wantedBase = Math.min(target, base.length + add.length + idlePossible)
  const wanted = wantedBase + near.size + addNear.length
  // A copy on an unreachable node does not count, but is better than none.
  take(free.unreachable, target - base.length - idle.length)

  const trial = chooseTrials(trials, free.trial, {
    count: trialMax(target),
    limited: policy.caps,
    score,
  })

  // A node that has just gone offline may not come back.
  const sound = counted.filter(({ node, holder }) => holder.state === 'stored' && node.status !== 'offline').length
  const failed = holders
    .filter((holder) => holder.state === 'lost' && holder.suspect && holder.tries >= FAILED_AUDITS_MAX)
    .map((holder) => holder.node_id)
  // A copy in the wrong area, or a suspect one, is better than none.
  const hasBytes = (id: string) => {
    const state = held.get(id)?.state
    return state === 'stored' || (state === 'unverified' && !served)
  }
  const unwanted = [...misplaced, ...[...excess, ...trial.surplus].map(({ node }) => node.id)]
  const removableUnwanted = sound >= wanted && sound > 0 ? unwanted : unwanted.filter((id) => !hasBytes(id))
  const removableFailed = sound > 0 ? failed : []

  return {
    wanted,
    trials: trial.stay.length + trial.add.length,
    sound,
    add: [...addNear, ...add, ...trial.add],
    remove: [
      ...surplus(base, {
        perArea,
        count: base.length - wantedBase,
        least: Math.min(INVITED_COPIES, wantedBase),
        fitness: (node) => fitness(node, 'send', policy),
      }),
      ...(sound >= target ? idle : []),
      ...removableUnwanted,
      ...removableFailed,
    ],
    retained: unwanted.length - removableUnwanted.length + failed.length - removableFailed.length,
  }
}

/**
 * Whether a stored copy can serve the content now. `served`: on a trusted node. `servedAtAll`: or on a new edge, if no trusted node is there.
 */
function whoServes(nodes: readonly NodeFacts[], held: ReadonlyMap<string, Holder>) {
  const isUsable = (node: NodeFacts) => node.status === 'online' && node.reachable && !node.draining
  const serves = (node: NodeFacts) => isUsable(node) && held.get(node.id)?.state === 'stored'
  const served = nodes.some((node) => isTrusted(node) && serves(node))
  const alone = !served && !nodes.some((node) => isTrusted(node) && isUsable(node) && !node.out)
  return { served, servedAtAll: served || (alone && nodes.some(serves)) }
}

/** Stored copies first, then by fitness: which copies of a group count, and which are in excess. */
const bestFirst = (copies: readonly Copy[], policy: Policy): Copy[] => {
  const state = ({ node, holder }: Copy) => REMOVAL_ORDER[holder.state] + (node.status === 'online' ? 0.5 : 0)
  return copies.length < 2
    ? [...copies]
    : [...copies].sort(
        (a, b) => state(b) - state(a) || fitness(b.node, 'send', policy) - fitness(a.node, 'send', policy),
      )
}
