import { AppError, CLOCK_SKEW_MAX, type contract, type Output, type Parsed } from '@tidenet/contract'
import { type Context, now } from '../context.ts'
import { restoreReplicas } from '../scheduler/repository.ts'
import { timesOf } from '../scheduler/times.ts'
import { type Beat, type Beaten, writeBeats } from './repository.ts'
import { renewLeases, takeWork } from './work.ts'
import type { WorkSignal } from './work-signal.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'config' | 'keys'>
type Heartbeat = Parsed<typeof contract.nodeControl.heartbeat>

/** Writes of many nodes are gathered for this long. */
const GATHER_MS = 100
const GATHER_MAX = 500

/** Answers heartbeats: notes what a node says of itself, then holds the answer until there is work or the time is up. */
export function createHeartbeat(context: Needs, work: WorkSignal) {
  const write = gather<Beat, Beaten | undefined>(async (beats) => {
    const rows = await writeBeats(
      context.db,
      [...new Map(beats.map((beat) => [beat.nodeId, beat])).values()],
      now(context),
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    return beats.map((beat) => byId.get(beat.nodeId))
  })

  return async (
    nodeId: string,
    input: Heartbeat,
    signal: AbortSignal,
  ): Promise<Output<typeof contract.nodeControl.heartbeat>> => {
    const { stats } = input
    const node = await write({
      nodeId,
      capacity: stats.capacity,
      used: stats.used,
      free: stats.free,
      load: stats.load,
      sendRate: stats.send_rate,
      receiveRate: stats.receive_rate,
      skewed: Math.abs(context.clock.now() - input.time) > CLOCK_SKEW_MAX,
    })
    // A node that the database does not know, or knows no more, registers again.
    if (!node) throw new AppError('unauthorized')
    if (node.was === 'offline') await restoreReplicas(context.db, nodeId, now(context))
    if (input.pulling.length > 0) await renewLeases(context, nodeId, input.pulling)
    return {
      work: input.room > 0 ? await workFor(node, input, signal) : [],
      keys: [context.keys.nodeTokenPublic],
      server_time: context.clock.now(),
    }
  }

  async function workFor(node: Beaten, { room, wait }: Heartbeat, signal: AbortSignal) {
    const until = performance.now() + Math.min(wait * 1000, timesOf(context.config).hold)
    // The bell hangs before the first look: work that comes in between rings it.
    const bell = work.bell(node.id)
    try {
      for (;;) {
        if (signal.aborted || work.stopped) return []
        const found = await takeWork(context, node, room)
        const left = until - performance.now()
        if (found.length > 0 || left <= 0) return found
        await bell.wait(left, signal)
      }
    } finally {
      bell.close()
    }
  }
}

/** Runs `flush` once for all values that come within a moment; it answers in their order. */
function gather<T, R>(flush: (values: T[]) => Promise<R[]>): (value: T) => Promise<R> {
  let waiting: { value: T; resolve: (result: R) => void; reject: (error: unknown) => void }[] = []
  let timer: NodeJS.Timeout | undefined
  const run = () => {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting
    waiting = []
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
      else timer ??= setTimeout(run, GATHER_MS)
    })
}
