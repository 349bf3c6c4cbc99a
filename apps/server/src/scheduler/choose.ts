/** Which nodes take an upload, hold a replica, serve a download: decisions about values, without database, clock or chance of their own. */

/** What the choices depend on, named as in the nodes table. */
export interface NodeFacts {
  id: string
  kind: 'edge' | 'candidate' | 'validator'
  /** The second segment of the area id: how areas are named outside. */
  country: string
  capacity: number
  free: number
  /** 0..1 */
  load: number
  /** Bytes a second; 0 when unknown. */
  send_rate: number
  receive_rate: number
  status: 'online' | 'offline' | 'abnormal'
  reachable: boolean
  /** 0..1 */
  quality: number
  /** The operators have taken it out of service. */
  out?: boolean
}

/** A replica as the choice sees it. */
export interface Holder {
  node_id: string
  state: 'wanted' | 'pulling' | 'stored' | 'lost' | 'removed'
  tries: number
  doubted: boolean
}

/** After so many failed pulls a content is placed elsewhere. */
export const PULL_TRIES = 5
/** After so many failed audits in a row a replica is made anew; one alone may be the network's fault. */
export const DOUBTS = 2

/** What a node that measured nothing yet is taken for, bytes a second, and the rate that counts half. */
const RATE_UNKNOWN = 2_000_000
const RATE_HALF = 10_000_000
const MARGIN_MAX = 1024 ** 3

const speed = (rate: number): number => {
  const known = rate > 0 ? rate : RATE_UNKNOWN
  return known / (known + RATE_HALF)
}
const freeShare = (node: NodeFacts): number => (node.capacity > 0 ? Math.min(1, node.free / node.capacity) : 0)

/** Room for the bytes, for the blocks around them, and one percent that stays free. */
const hasRoom = (node: NodeFacts, size: number): boolean =>
  node.free >= size * 1.01 + Math.min(MARGIN_MAX, node.capacity / 100)

const inAreas = (node: NodeFacts, areas: readonly string[]): boolean =>
  areas.length === 0 || areas.includes(node.country)

/**
 * Nodes that can take an upload now, best first: candidates before edges, then by what was measured. Chance has a say,
 * so that uploads of the same second do not all go to the same few.
 * @param ask.areas countries; empty: everywhere
 * @param ask.size bytes; 0 when unknown
 * @param ask.random 0 ≤ x < 1
 */
export function chooseUploadNodes<N extends NodeFacts>(
  nodes: readonly N[],
  ask: { areas: readonly string[]; size: number; count: number; random: () => number },
): N[] {
  const best = bestOf<N>(ask.count)
  for (const node of nodes) {
    if (node.status !== 'online' || !node.reachable || node.out || node.kind === 'validator') continue
    if (!inAreas(node, ask.areas) || !hasRoom(node, ask.size)) continue
    const fitness =
      0.35 * node.quality + 0.25 * (1 - node.load) + 0.25 * speed(node.receive_rate) + 0.15 * freeShare(node)
    best.offer(node, (node.kind === 'candidate' ? 2 : 0) + fitness + 0.2 * ask.random())
  }
  return best.take()
}

/** Nodes that can serve a content now, best first; those in doubt come last, those that cannot be reached not at all. */
export function orderSources<N extends NodeFacts>(holders: readonly N[], count = holders.length): N[] {
  const best = bestOf<N>(count)
  for (const node of holders) {
    if (node.status === 'offline' || !node.reachable) continue
    const fitness = 0.4 * node.quality + 0.35 * speed(node.send_rate) + 0.25 * (1 - node.load)
    best.offer(node, (node.status === 'online' ? 1 : 0) + fitness)
  }
  return best.take()
}

export interface Placement {
  /** How many replicas there should be: the target, or as many as there are nodes for it. */
  wanted: number
  add: string[]
  remove: string[]
  /** How many stored replicas stay for now although they are in the wrong place or in doubt. */
  kept: number
}

/**
 * Where a content should be besides where it is, and where it need not be. New replicas go to the area that has fewest;
 * superfluous ones leave the area that has most, and only when enough are stored. A node that nobody reaches can hand its copy
 * to nobody: it gets one only where there is no other, and is the first to lose it.
 * @param ask.areas countries; empty: everywhere
 * @param ask.random 0 ≤ x < 1
 */
export function chooseReplicaNodes(
  content: { size: number; areas: readonly string[] },
  holders: readonly Holder[],
  nodes: readonly NodeFacts[],
  ask: { target: number; random: () => number },
): Placement {
  const held = new Map(holders.map((holder) => [holder.node_id, holder]))
  const kept: { node: NodeFacts; holder: Holder }[] = []
  const misplaced: string[] = []
  const perArea = new Map<string, number>()
  const free: Candidates = new Map()
  const hidden: Candidates = new Map()
  let able = 0

  for (const node of nodes) {
    const holder = held.size > 0 ? held.get(node.id) : undefined
    const state = holder?.state
    const suits = inAreas(node, content.areas)
    if (node.out) {
      // What is on its way there is called off. What it holds neither counts nor goes: others copy it, and the node may be back.
      if (state === 'wanted' || state === 'pulling') misplaced.push(node.id)
      continue
    }
    if (holder && (state === 'stored' || state === 'wanted' || state === 'pulling')) {
      if (!suits || (state !== 'stored' && node.status === 'offline')) {
        misplaced.push(node.id)
        continue
      }
      able += 1
      kept.push({ node, holder })
      perArea.set(node.country, (perArea.get(node.country) ?? 0) + 1)
      continue
    }
    if (!suits || node.status !== 'online' || !hasRoom(node, content.size)) continue
    if (holder && (state === 'removed' || holder.doubted || holder.tries >= PULL_TRIES)) continue
    able += 1
    const among = node.reachable ? free : hidden
    let area = among.get(node.country)
    if (!area) {
      area = bestOf<NodeFacts>(ask.target)
      among.set(node.country, area)
    }
    const fitness = 0.3 * node.quality + 0.3 * freeShare(node) + 0.2 * (1 - node.load) + 0.2 * speed(node.receive_rate)
    area.offer(node, fitness + ask.random())
  }

  const wanted = Math.min(ask.target, able)
  // Of those whose node has just gone nobody knows whether it will be back.
  const sound = kept.filter(({ node, holder }) => holder.state === 'stored' && node.status !== 'offline').length
  const doubted = holders
    .filter((holder) => holder.state === 'lost' && holder.doubted && holder.tries >= DOUBTS)
    .map((holder) => holder.node_id)
  // Bytes in the wrong place, or in doubt, are still better than none.
  const elsewhere =
    sound >= wanted && sound > 0 ? misplaced : misplaced.filter((id) => held.get(id)?.state !== 'stored')
  const dubious = sound > 0 ? doubted : []
  const missing = wanted - kept.length
  const add = spread(free, perArea, missing)
  return {
    wanted,
    add: [...add, ...spread(hidden, perArea, missing - add.length)],
    remove: [...surplus(kept, perArea, kept.length - wanted), ...elsewhere, ...dubious],
    kept: misplaced.length - elsewhere.length + doubted.length - dubious.length,
  }
}

/** The best nodes of each country. */
type Candidates = Map<string, ReturnType<typeof bestOf<NodeFacts>>>

/** Takes `count` nodes, each from the area that has fewest so far, and counts them there. */
function spread(from: Candidates, perArea: Map<string, number>, count: number): string[] {
  if (count <= 0) return []
  const areas = [...from].map(([country, best]) => ({
    country,
    nodes: best.take(),
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
}

const DISPENSABLE = { wanted: 0, pulling: 1, stored: 2, lost: 3, removed: 3 }

/** Takes `count` replicas: what is not there yet, then what is in doubt, then from the areas that have most. */
function surplus(
  kept: readonly { node: NodeFacts; holder: Holder }[],
  perArea: ReadonlyMap<string, number>,
  count: number,
): string[] {
  if (count <= 0) return []
  const has = new Map(perArea)
  const left = new Set(kept)
  const chosen: string[] = []
  while (chosen.length < count) {
    let worst: (typeof kept)[number] | undefined
    for (const one of left) if (!worst || before(one, worst, has)) worst = one
    if (!worst) break
    left.delete(worst)
    has.set(worst.node.country, (has.get(worst.node.country) ?? 1) - 1)
    chosen.push(worst.node.id)
  }
  return chosen
}

function before(
  a: { node: NodeFacts; holder: Holder },
  b: { node: NodeFacts; holder: Holder },
  has: ReadonlyMap<string, number>,
): boolean {
  const byState = DISPENSABLE[a.holder.state] - DISPENSABLE[b.holder.state]
  if (byState !== 0) return byState < 0
  const byStatus = Number(a.node.status === 'online') - Number(b.node.status === 'online')
  if (byStatus !== 0) return byStatus < 0
  const byReach = Number(a.node.reachable) - Number(b.node.reachable)
  if (byReach !== 0) return byReach < 0
  const byArea = (has.get(b.node.country) ?? 0) - (has.get(a.node.country) ?? 0)
  if (byArea !== 0) return byArea < 0
  return a.node.quality < b.node.quality
}

/** Keeps the `count` highest of what it is offered, without sorting the rest. */
function bestOf<T>(count: number) {
  const values: T[] = []
  const scores: number[] = []
  return {
    offer(value: T, score: number) {
      if (values.length >= count) {
        if (count === 0 || score <= (scores[scores.length - 1] as number)) return
        values.pop()
        scores.pop()
      }
      let low = 0
      let high = scores.length
      while (low < high) {
        const middle = (low + high) >> 1
        if ((scores[middle] as number) >= score) low = middle + 1
        else high = middle
      }
      values.splice(low, 0, value)
      scores.splice(low, 0, score)
    },
    /** Highest first. */
    take: () => values,
  }
}
