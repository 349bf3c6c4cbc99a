import type { NodeStats, NodeWork } from '@tidenet/contract'
import type { Clock, Logger } from '@tidenet/daemon'
import type { BlockedContents } from '../blocked-contents.ts'
import type { EndedShares } from '../ended-shares.ts'
import type { Limiter } from '../limits/limiter.ts'
import { type ServerLink, ServerRefused } from '../server-link.ts'
import type { Arriving } from '../uploads/arriving.ts'
import { waitFor } from '../wait.ts'

/** Executes the work that the server assigns. */
export interface Workers {
  /** Remaining capacity for work. */
  capacity(): number
  /** CIDs being pulled. */
  pulling(): string[]
  take(work: NodeWork): void
  /** Resolves when there is capacity again. */
  untilCapacity(signal: AbortSignal): Promise<void>
}

/** Long polling: the server may delay a response for this long until there is work. */
const HOLD_SECONDS = 25
/** More work often follows when the server had little: asking a moment later, for all of it, costs both less. */
const GATHER_MS = 300
const BACKOFF_MIN_MS = 500
const BACKOFF_MAX_MS = 15_000

/** Sends heartbeats and dispatches the work in the responses. */
export function startHeartbeat(options: {
  link: ServerLink
  workers: Workers
  ended: EndedShares
  blocked: BlockedContents
  arriving: Arriving
  stats: () => Promise<NodeStats>
  limiter: Pick<Limiter, 'untilBack' | 'limits'>
  /** Called with the answer of the server while the node leaves; null: not accepted yet. */
  onLeaving: (answer: { remaining: number } | null) => Promise<void>
  clock: Clock
  log: Logger
}): { stop(): Promise<void> } {
  const { link, workers, ended, blocked, arriving, stats, limiter, onLeaving, clock, log } = options
  const stopped = new AbortController()
  const { signal } = stopped
  let failing = false

  /** Whichever comes first. Removes its listeners from the signal, since this runs repeatedly. */
  const capacityOr = async (ms: number) => {
    const over = new AbortController()
    const stop = () => over.abort()
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    await Promise.race([workers.untilCapacity(over.signal), waitFor(ms, over.signal)])
    stop()
    signal.removeEventListener('abort', stop)
  }

  const logFailure = (error: unknown) => {
    if (error instanceof ServerRefused)
      log.warn({ why: error.message }, 'the server refuses this node, so it stores and serves nothing; trying again')
    else log.warn({ err: error }, 'the server cannot be reached; trying again')
  }

  const beat = async () => {
    const room = Math.max(0, Math.min(64, workers.capacity()))
    // Until the node knows which shares have ended and which contents are blocked, it serves no shares.
    const wait = room > 0 && ended.complete && blocked.complete ? HOLD_SECONDS : 0
    const pulling = workers.pulling().slice(0, 64)
    const current = await stats()
    const leaving = limiter.limits.leaving === true
    const uploads = arriving.take()
    const answer = await link
      .call(
        'heartbeat',
        {
          stats: current,
          wait,
          room,
          time: clock.now(),
          pulling,
          ended: ended.last,
          blocked: blocked.last,
          leaving,
          uploads,
        },
        { timeoutMs: (wait + 15) * 1000, signal },
      )
      .catch((error: unknown) => {
        arriving.putBack(uploads)
        throw error
      })
    ended.take(answer.ended ?? [], answer.ended_more)
    await blocked.take(answer.blocked ?? [], answer.blocked_more)
    for (const piece of answer.work) workers.take(piece)
    // A disk without space must not keep the node from working.
    if (leaving) await onLeaving(answer.leaving ?? null).catch((error: unknown) => log.warn({ err: error }, 'leaving'))
    // No capacity: wait. Ten seconds keep the node online for the server.
    if (workers.capacity() <= 0) await capacityOr(10_000)
    else if (answer.work.length > 0 && answer.work.length < room / 2) await waitFor(GATHER_MS, signal)
  }

  const run = async () => {
    let backoff = BACKOFF_MIN_MS
    while (!signal.aborted) {
      // Without heartbeats the server sends nobody.
      await limiter.untilBack(signal)
      if (signal.aborted) return
      const started = Date.now()
      try {
        await beat()
        if (failing) log.info('the server is back')
        failing = false
        backoff = BACKOFF_MIN_MS
        // Avoid a tight loop with a server that does not delay responses.
        if (Date.now() - started < 50) await waitFor(250, signal)
      } catch (error) {
        if (signal.aborted) return
        if (!failing) logFailure(error)
        failing = true
        await waitFor(backoff * (0.5 + Math.random()), signal)
        backoff = Math.min(backoff * 2, BACKOFF_MAX_MS)
      }
    }
  }
  const running = run()

  return {
    async stop() {
      stopped.abort()
      await running
    },
  }
}
