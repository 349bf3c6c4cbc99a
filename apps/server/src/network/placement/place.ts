import { setImmediate } from 'node:timers/promises'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { isTrusted, type NodeRow, readNodes } from '../nodes/node-table.ts'
import { timesOf } from '../nodes/times.ts'
import { notifyNodes } from '../nodes/work-signal.ts'
import type { Holder } from './choose.ts'
import { chooseReplicaNodes } from './choose-replicas.ts'
import type { Wanted } from './demand.ts'
import * as repository from './place-repository.ts'
import { type TrialSpace, trialSpaceOf } from './trial-space.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'config' | 'log' | 'demand' | 'policy'>

const BATCH = 100
/** A content below its target is placed again after this time, even if nothing changes. */
const RECHECK_MS = 6 * 3600 * 1000
/** Uploaded bytes are stored this long without an asset that names them. */
export const UNNAMED_LIFE = DAY
const REMOVAL_RECHECK_MS = 10 * 60 * 1000
/** Interval while misplaced replicas wait until replicas in the right areas are stored. */
const MISPLACED_RECHECK_MS = 5000

/** Contents without any copy that this server has logged. */
const reported = new Set<string>()

/** Places a batch of contents that are due. @returns the number of contents */
export async function placeDue(context: Deps): Promise<number> {
  const { demand } = context
  // Before the nodes are read: a content counts as placed since then, so it is placed again for a node that arrives later.
  const at = now(context)
  if (!(await repository.isAnyDue(context.db, at))) return 0
  const nodes = await readNodes(context)
  const present: Present = { nodes, trials: await trialSpaceOf(context, nodes) }
  return context.db.transaction(async (tx) => {
    const due = await repository.claimDue(tx, BATCH, at)
    if (due.length === 0) return 0
    const cids = due.map((content) => content.cid)
    const holders = group(await repository.findReplicas(tx, cids, at))
    const wanted = await demand.wantedOf(tx, cids)
    const sent = await demand.lastSent(tx, due)

    const plan = createPlan()
    const unwanted: string[] = []
    for (const [index, content] of due.entries()) {
      // Yield to requests: thousands of nodes times a hundred contents take long.
      if (index % 10 === 9) await setImmediate()
      const held = holders.get(content.cid) ?? []
      const named = wanted.get(content.cid)
      const storedUntil = (sent.get(content.cid)?.getTime() ?? 0) + UNNAMED_LIFE
      if (named) placeOne(context, plan, content, held, present, named, at)
      else if (storedUntil > at.getTime())
        plan.contents.push(withoutOwner(content.cid, content.stored, new Date(storedUntil)))
      else {
        unwanted.push(content.cid)
        plan.contents.push(withoutOwner(content.cid, 0, new Date(at.getTime() + REMOVAL_RECHECK_MS)))
        for (const holder of held) if (holder.state !== 'removed') plan.remove.push([content.cid, holder.node_id])
      }
    }
    await applyPlan(context, tx, plan, at)
    if (unwanted.length > 0) {
      await demand.giveUp(tx, unwanted)
      const listed = await demand.listed(tx, unwanted)
      await repository.deleteUnheld(
        tx,
        unwanted.filter((cid) => !listed.has(cid)),
      )
    }
    return due.length
  })
}

/** The nodes, and how much new edges may still get. */
interface Present {
  nodes: readonly NodeRow[]
  trials: TrialSpace
}

const PENDING: readonly Holder['state'][] = ['wanted', 'pulling', 'unverified']

interface Plan {
  add: [cid: string, nodeId: string][]
  remove: [cid: string, nodeId: string][]
  contents: repository.PlacedContent[]
  /** Contents that no node has. */
  missing: string[]
}
const createPlan = (): Plan => ({ add: [], remove: [], contents: [], missing: [] })
/** Nobody wants more replicas of it. */
const withoutOwner = (cid: string, wanted: number, checkAt: Date): repository.PlacedContent => ({
  cid,
  wanted,
  belowTarget: false,
  checkAt,
})

function placeOne(
  { log, policy, config }: Pick<Deps, 'log' | 'policy' | 'config'>,
  plan: Plan,
  content: repository.DueContent,
  held: readonly Holder[],
  { nodes, trials }: Present,
  { areas, target: most, near }: Wanted,
  at: Date,
): void {
  const target = Math.min(most, config.replicas)
  const choice = chooseReplicaNodes({ size: content.size, areas }, held, nodes, {
    target,
    near,
    random: Math.random,
    ...(policy.caps && { trialSpace: trials.left }),
    policy,
  })
  const { cid } = content
  const belowTarget = choice.wanted < target + near.reduce((sum, { copies }) => sum + copies, 0)
  // What accounts see: trial copies are copies too.
  const wanted = choice.wanted + choice.trials
  const there = held.filter((holder) => holder.state === 'stored').length
  const later = new Date(at.getTime() + RECHECK_MS * (0.75 + Math.random() / 2))
  // An unverified copy can be a source if there is no other: every block is verified.
  const hasSource = there > 0 || held.some((holder) => holder.state === 'unverified')
  if (!hasSource) plan.missing.push(cid)
  if (!hasSource && held.length > 0) {
    // No source. Nothing changes until a holder comes back.
    if (!reported.has(cid)) log.warn({ cid, holders: held.length }, 'no node has this content now')
    if (reported.size < 100_000) reported.add(cid)
    plan.contents.push({ cid, wanted, belowTarget, checkAt: later })
    return
  }
  if (reported.delete(cid)) log.info({ cid }, 'a node has this content again')
  if (hasSource) for (const nodeId of choice.add) plan.add.push([cid, nodeId])
  const added = new Set(hasSource ? choice.add : [])
  if (added.size > 0)
    for (const node of nodes) if (added.has(node.id) && !isTrusted(node)) trials.add(node, content.size)
  for (const nodeId of choice.remove) plan.remove.push([cid, nodeId])
  const complete = !belowTarget && choice.add.length === 0 && choice.sound >= choice.wanted
  const arriving = choice.add.length > 0 || held.some(({ state }) => PENDING.includes(state))
  // Remove misplaced copies soon after their replacements are stored: they are outside the areas that the owner chose.
  const soon = choice.retained > 0 && arriving ? new Date(at.getTime() + MISPLACED_RECHECK_MS) : later
  plan.contents.push({ cid, wanted, belowTarget, checkAt: complete ? null : soon })
}

async function applyPlan({ demand }: Pick<Deps, 'demand'>, tx: Db, plan: Plan, at: Date): Promise<void> {
  if (plan.add.length > 0) await repository.insertWanted(tx, plan.add, at)
  const leaving = [...new Set(plan.remove.map(([cid]) => cid))]
  const removed =
    leaving.length > 0 ? await repository.markRemoved(tx, plan.remove, await demand.onlyCopies(tx, leaving), at) : []
  await repository.updateContents(tx, plan.contents, at)
  if (plan.missing.length > 0) await demand.missing(tx, plan.missing, at)
  await notifyNodes(tx, [...plan.add.map(([, nodeId]) => nodeId), ...removed.map((row) => row.node_id)])
}

function group(replicas: readonly (Holder & { cid: string })[]): Map<string, Holder[]> {
  const byCid = new Map<string, Holder[]>()
  for (const replica of replicas) {
    const list = byCid.get(replica.cid)
    if (list) list.push(replica)
    else byCid.set(replica.cid, [replica])
  }
  return byCid
}

const ARRIVAL_BATCH = 2000
/** Batches per run, so that other tasks can run in between. */
const PLACE_BATCHES = 20

/** Places contents until none is due, unless more are just coming. */
export async function place(context: Deps, signal?: AbortSignal): Promise<void> {
  const at = now(context)
  const { placedAnewEvery, placeTogether } = timesOf(context.config)
  const { first, last } = await repository.dueSince(context.db, at)
  if (first && last && last > ago(at, placeTogether.pause) && first > ago(at, placeTogether.most)) return
  await repository.checkAfterArrivals(context.db, ARRIVAL_BATCH, { at, edgesBefore: ago(at, placedAnewEvery) })
  for (let batch = 0; batch < PLACE_BATCHES && !signal?.aborted; batch++) if ((await placeDue(context)) === 0) return
}
