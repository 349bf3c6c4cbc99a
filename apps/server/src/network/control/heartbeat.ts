import { AppError, CLOCK_SKEW_MAX, type contract, type Output, type Parsed } from '@tidenet/contract'
import { lastBlock, mustHear, newsFor } from '../blocks/blocks.ts'
import { type Context, now } from '../context.ts'
import { anyEndedAfter, endedAfter, lastEnded } from '../nodes/ended-shares.ts'
import { type HeartbeatRow, type HeartbeatStats, writeHeartbeats } from '../nodes/nodes.ts'
import { timesOf } from '../nodes/times.ts'
import type { WorkSignal, WorkSubscription } from '../nodes/work-signal.ts'
import { renewLeases, restoreReplicas } from '../placement/placement.ts'
import { trackLeaving } from './leaving.ts'
import { claimWork, nodesWithWork } from './work.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'config' | 'keys' | 'demand' | 'policy'>
type Heartbeat = Parsed<typeof contract.nodeControl.heartbeat>

const BATCH_BUSY_SIZE = 20
const BATCH_MAX = 500
/** The most heartbeats of a node that are held: it needs one, and a second while the connection of the first ends. All wake up for work. */
const HELD_MAX = 4

interface Recorded extends HeartbeatRow {
  /** The node may have work. */
  due: boolean
  /** Id of the latest ended share. */
  ended: number
  /** Id of the latest block of a content. */
  blocked: number
}

/** Answers heartbeats: records the node's figures, then holds the answer until there is work or the wait is over. */
export function createHeartbeat(context: Deps, work: WorkSignal) {
  const write = batch<HeartbeatStats, Recorded | undefined>(async (stats) => {
    const at = now(context)
    const rows = await writeHeartbeats(context.db, [...new Map(stats.map((each) => [each.nodeId, each])).values()], at)
    const due = await nodesWithWork(context.db, rows, at)
    const ended = await lastEnded(context.db)
    const blocked = await lastBlock(context.db)
    const byId = new Map(rows.map((row) => [row.id, { ...row, due: due.has(row.id), ended, blocked }]))
    return stats.map(({ nodeId }) => byId.get(nodeId))
  }, timesOf(context.config).heartbeatBatch)

  return async (
    nodeId: string,
    input: Heartbeat,
    signal: AbortSignal,
  ): Promise<Output<typeof contract.nodeControl.heartbeat>> => {
    // Subscribe before the first query, so that work created in between is not missed.
    const subscription = work.subscribe(nodeId)
    try {
      const node = await record(nodeId, input)
      if (node.was === 'offline') await restoreReplicas(context.db, nodeId, now(context))
      if (input.pulling.length > 0) await renewLeases(context.db, nodeId, input.pulling, now(context))
      const leaving = await trackLeaving(context, nodeId, { asks: input.leaving, leaves: node.leaving })
      // Restored or renewed replicas can create work.
      const due = node.due || node.was === 'offline' || input.pulling.length > 0
      const { found, ended, blocked } = await waitForWork({ ...node, due }, input, subscription, signal)
      const shares = ended ? await endedAfter(context.db, input.ended) : { list: [], more: false }
      const blocks = blocked ? await newsFor(context.db, input.blocked ?? 0) : { list: [], more: false }
      return {
        work: found,
        ended: shares.list,
        ended_more: shares.more,
        blocked: blocks.list,
        blocked_more: blocks.more,
        leaving: leaving && (await trackLeaving(context, nodeId, { asks: true, leaves: true })),
        keys: [context.keys.nodeTokenPublic],
        server_time: context.clock.now(),
      }
    } finally {
      subscription.close()
    }
  }

  async function record(nodeId: string, { stats, time, uploads }: Heartbeat): Promise<Recorded> {
    const node = await write({
      nodeId,
      capacity: stats.capacity,
      used: stats.used,
      free: stats.free,
      load: stats.load,
      sendRate: stats.send_rate,
      receiveRate: stats.receive_rate,
      reportsUploads: uploads !== undefined,
      skewed: Math.abs(context.clock.now() - time) > CLOCK_SKEW_MAX,
    })
    // An unknown or deleted node registers again.
    if (!node) throw new AppError('unauthorized')
    return node
  }

  /** Queries for work only if there may be some: at first, or after a notification. Ended shares and blocks are sent at once. */
  async function waitForWork(
    node: Recorded,
    { room, wait, ended, blocked }: Heartbeat,
    subscription: WorkSubscription,
    signal: AbortSignal,
  ) {
    const isHeld = room > 0 && subscription.ofNode <= HELD_MAX
    const until = performance.now() + (isHeld ? Math.min(wait * 1000, timesOf(context.config).hold) : 0)
    const news = { ended: node.ended > ended, blocked: mustHear(blocked, node.blocked) }
    for (let notified = node.due; ; notified = await subscription.wait(until - performance.now(), signal)) {
      if (signal.aborted || work.stopped) return { found: [], ...news }
      const found = notified && room > 0 ? await claimWork(context, node, room) : []
      if (news.ended || news.blocked || found.length > 0 || performance.now() >= until) return { found, ...news }
      if (!notified) continue
      const anyEnded = await anyEndedAfter(context.db, ended)
      const anyBlocked = mustHear(blocked, await lastBlock(context.db))
      if (anyEnded || anyBlocked) return { found, ended: anyEnded, blocked: anyBlocked }
    }
  }
}

/** Calls `flush` once for all values that arrive within a wait, in ms. It returns results in the same order. */
function batch<T, R>(
  flush: (values: T[]) => Promise<R[]>,
  waits: { usual: number; busy: number },
): (value: T) => Promise<R> {
  let waiting: { value: T; resolve: (result: R) => void; reject: (error: unknown) => void }[] = []
  let timer: NodeJS.Timeout | undefined
  let busy = false
  const run = () => {
    clearTimeout(timer)
    timer = undefined
    const entries = waiting
    waiting = []
    busy = entries.length > BATCH_BUSY_SIZE
    flush(entries.map(({ value }) => value)).then(
      (results) => {
        for (const [index, { resolve }] of entries.entries()) resolve(results[index] as R)
      },
      (error: unknown) => {
        for (const { reject } of entries) reject(error)
      },
    )
  }
  return (value) =>
    new Promise((resolve, reject) => {
      waiting.push({ value, resolve, reject })
      if (waiting.length >= BATCH_MAX) run()
      else timer ??= setTimeout(run, busy ? waits.busy : waits.usual)
    })
}
