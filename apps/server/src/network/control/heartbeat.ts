import { AppError, CLOCK_SKEW_MAX, type contract, type Output, type Parsed } from '@tidenet/contract'
import { type Context, now } from '../context.ts'
import { anyEndedAfter, endedAfter, lastEnded } from '../nodes/ended-shares.ts'
import { type HeartbeatRow, type HeartbeatStats, writeHeartbeats } from '../nodes/nodes.ts'
import { timesOf } from '../nodes/times.ts'
import type { Bell, WorkSignal } from '../nodes/work-signal.ts'
import { renewLeases, restoreReplicas } from '../placement/placement.ts'
import { claimWork, nodesWithWork } from './work.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'config' | 'keys' | 'demand'>
type Heartbeat = Parsed<typeof contract.nodeControl.heartbeat>

/** Writes of many nodes are gathered for this long; longer while they are many, since each statement has its price. */
const GATHER_MS = 100
const GATHER_LONG_MS = 1000
const GATHER_MANY = 20
const GATHER_MAX = 500

interface Noted extends HeartbeatRow {
  /** There may be work for it. */
  due: boolean
  /** The last end of a share that was noted. */
  ended: number
}

/** Answers heartbeats: notes what a node says of itself, then holds the answer until there is work or the time is up. */
export function createHeartbeat(context: Needs, work: WorkSignal) {
  const write = gather<HeartbeatStats, Noted | undefined>(async (beats) => {
    const at = now(context)
    const rows = await writeHeartbeats(context.db, [...new Map(beats.map((beat) => [beat.nodeId, beat])).values()], at)
    const due = await nodesWithWork(context.db, rows, at)
    const ended = await lastEnded(context.db)
    const byId = new Map(rows.map((row) => [row.id, { ...row, due: due.has(row.id), ended }]))
    return beats.map((beat) => byId.get(beat.nodeId))
  })

  return async (
    nodeId: string,
    input: Heartbeat,
    signal: AbortSignal,
  ): Promise<Output<typeof contract.nodeControl.heartbeat>> => {
    // The bell hangs before the first look: work that comes in between rings it.
    const bell = work.bell(nodeId)
    try {
      const node = await note(nodeId, input)
      if (node.was === 'offline') await restoreReplicas(context.db, nodeId, now(context))
      if (input.pulling.length > 0) await renewLeases(context.db, nodeId, input.pulling, now(context))
      // What was restored or renewed just now may be work too.
      const due = node.due || node.was === 'offline' || input.pulling.length > 0
      const { found, ended } = await workFor({ ...node, due }, input, bell, signal)
      return {
        work: found,
        ended: ended ? await endedAfter(context.db, input.ended) : [],
        keys: [context.keys.nodeTokenPublic],
        server_time: context.clock.now(),
      }
    } finally {
      bell.close()
    }
  }

  async function note(nodeId: string, { stats, time }: Heartbeat): Promise<Noted> {
    const node = await write({
      nodeId,
      capacity: stats.capacity,
      used: stats.used,
      free: stats.free,
      load: stats.load,
      sendRate: stats.send_rate,
      receiveRate: stats.receive_rate,
      skewed: Math.abs(context.clock.now() - time) > CLOCK_SKEW_MAX,
    })
    // A node that the database does not know, or knows no more, registers again.
    if (!node) throw new AppError('unauthorized')
    return node
  }

  /** Looks when there may be something, at first or once the bell has rung; what has ended is told at once. */
  async function workFor(node: Noted, { room, wait, ended }: Heartbeat, bell: Bell, signal: AbortSignal) {
    const until = performance.now() + (room > 0 ? Math.min(wait * 1000, timesOf(context.config).hold) : 0)
    const news = node.ended > ended
    for (let look = node.due; ; look = await bell.wait(until - performance.now(), signal)) {
      if (signal.aborted || work.stopped) return { found: [], ended: news }
      const found = look && room > 0 ? await claimWork(context, node, room) : []
      if (news || found.length > 0 || performance.now() >= until) return { found, ended: news }
      if (look && (await anyEndedAfter(context.db, ended))) return { found, ended: true }
    }
  }
}

/** Runs `flush` once for all values that come within a moment; it answers in their order. */
function gather<T, R>(flush: (values: T[]) => Promise<R[]>): (value: T) => Promise<R> {
  let waiting: { value: T; resolve: (result: R) => void; reject: (error: unknown) => void }[] = []
  let timer: NodeJS.Timeout | undefined
  let many = false
  const run = () => {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting
    waiting = []
    many = batch.length > GATHER_MANY
    flush(batch.map(({ value }) => value)).then(
      (results) => {
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R)
      },
      (error: unknown) => {
        for (const { reject } of batch) reject(error)
      },
    )
  }
  return (value) =>
    new Promise((resolve, reject) => {
      waiting.push({ value, resolve, reject })
      if (waiting.length >= GATHER_MAX) run()
      else timer ??= setTimeout(run, many ? GATHER_LONG_MS : GATHER_MS)
    })
}
