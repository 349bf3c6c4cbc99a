import { setImmediate } from 'node:timers/promises'
import { REPLICA_TARGET } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { type NodeRow, nodeTable } from '../nodes/node-table.ts'
import { notifyNodes } from '../nodes/work-signal.ts'
import type { Holder } from './choose.ts'
import { chooseReplicaNodes } from './choose-replicas.ts'
import * as repository from './place-repository.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'config' | 'log' | 'demand'>

const BATCH = 100
/** What is short of its target is looked at again after this long even if nothing happens. */
const LATER = 6 * 3600 * 1000
/** Bytes that a node has signed for are kept this long for whoever sent them, also before an asset names them. */
export const UNNAMED_LIFE = 24 * 3600 * 1000
const REMOVAL_CHECK = 10 * 60 * 1000
/** While replicas in the wrong place wait for those in the right one to arrive. */
const SOON = 5000

/** Contents that nobody holds, as far as this server has said so. */
const reported = new Set<string>()

/** Looks at contents that are due: who should hold them and who need not. @returns how many it looked at */
export async function placeDue(context: Needs): Promise<number> {
  const { demand } = context
  const nodes = await nodeTable(context)
  return context.db.transaction(async (tx) => {
    const at = now(context)
    const due = await repository.claimDue(tx, BATCH, at)
    if (due.length === 0) return 0
    const cids = due.map((content) => content.cid)
    const holders = group(await repository.findReplicas(tx, cids, at))
    const areas = await demand.areasOf(tx, cids)
    const sent = await demand.lastSent(tx, due)

    const plan = createPlan()
    const unwanted: string[] = []
    for (const [index, content] of due.entries()) {
      // Thousands of nodes by a hundred contents must not keep requests waiting.
      if (index % 10 === 9) await setImmediate()
      const held = holders.get(content.cid) ?? []
      const named = areas.get(content.cid)
      const keptUntil = (sent.get(content.cid)?.getTime() ?? 0) + UNNAMED_LIFE
      if (named) placeOne(context, plan, content, held, nodes, named, at)
      else if (keptUntil > at.getTime())
        plan.contents.push({ cid: content.cid, wanted: content.stored, checkAt: new Date(keptUntil) })
      else {
        unwanted.push(content.cid)
        plan.contents.push({ cid: content.cid, wanted: 0, checkAt: new Date(at.getTime() + REMOVAL_CHECK) })
        for (const holder of held) if (holder.state !== 'removed') plan.remove.push([content.cid, holder.node_id])
      }
    }
    await carryOut(context, tx, plan, at)
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

const COMING: readonly Holder['state'][] = ['wanted', 'pulling', 'unverified']

interface Plan {
  add: [cid: string, nodeId: string][]
  remove: [cid: string, nodeId: string][]
  contents: { cid: string; wanted: number; checkAt: Date | null }[]
}
const createPlan = (): Plan => ({ add: [], remove: [], contents: [] })

function placeOne(
  { log }: Pick<Needs, 'log'>,
  plan: Plan,
  content: repository.DueContent,
  held: readonly Holder[],
  nodes: readonly NodeRow[],
  areas: readonly string[],
  at: Date,
): void {
  const choice = chooseReplicaNodes({ size: content.size, areas }, held, nodes, {
    target: REPLICA_TARGET,
    random: Math.random,
  })
  const { cid } = content
  const there = held.filter((holder) => holder.state === 'stored').length
  const later = new Date(at.getTime() + LATER * (0.75 + Math.random() / 2))
  // What an edge claims can be copied from when nobody else has it: every block is verified.
  const copied = there > 0 || held.some((holder) => holder.state === 'unverified')
  if (!copied && held.length > 0) {
    // Nobody to copy from. It stays as it is until a holder comes back.
    if (!reported.has(cid)) log.warn({ cid, holders: held.length }, 'no node holds this content now')
    if (reported.size < 100_000) reported.add(cid)
    plan.contents.push({ cid, wanted: choice.wanted, checkAt: later })
    return
  }
  if (reported.delete(cid)) log.info({ cid }, 'a node holds this content again')
  if (copied) for (const nodeId of choice.add) plan.add.push([cid, nodeId])
  for (const nodeId of choice.remove) plan.remove.push([cid, nodeId])
  const complete = choice.wanted >= REPLICA_TARGET && choice.add.length === 0 && there >= choice.wanted
  const arriving = choice.add.length > 0 || held.some(({ state }) => COMING.includes(state))
  // What may go only when others have arrived must not wait for a look by chance: it lies where its owner does not want it.
  const soon = choice.kept > 0 && arriving ? new Date(at.getTime() + SOON) : later
  plan.contents.push({ cid, wanted: choice.wanted, checkAt: complete ? null : soon })
}

async function carryOut({ demand }: Pick<Needs, 'demand'>, tx: Db, plan: Plan, at: Date): Promise<void> {
  if (plan.add.length > 0) await repository.insertWanted(tx, plan.add, at)
  const leaving = [...new Set(plan.remove.map(([cid]) => cid))]
  const told =
    leaving.length > 0 ? await repository.markRemoved(tx, plan.remove, await demand.onlyCopies(tx, leaving), at) : []
  await repository.updateContents(tx, plan.contents, at)
  await notifyNodes(tx, [...plan.add.map(([, nodeId]) => nodeId), ...told.map((row) => row.node_id)])
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
/** Batches of contents looked at in a row before other tasks get a word in. */
const PLACE_BATCHES = 20

/** Looks at contents until none is due. */
export async function place(context: Needs, signal?: AbortSignal): Promise<void> {
  await repository.checkAfterArrivals(context.db, ARRIVAL_BATCH, now(context))
  for (let batch = 0; batch < PLACE_BATCHES && !signal?.aborted; batch++) if ((await placeDue(context)) === 0) return
}
