import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { every, type Logger } from '@tidenet/daemon'
import { z } from 'zod'
import { writeDurably } from '../contents/durable.ts'
import type { Outgoing } from '../downloads/outgoing.ts'
import { ClientGone } from '../downloads/sending.ts'
import { waitFor } from '../wait.ts'
import { type Limits, rateAt, readLimits } from './limits.ts'

/** Holds a node to the limits of its owner. */
export interface Limiter {
  readonly limits: Limits
  /** Bytes sent in this month. */
  readonly sent: number
  /** Why the node is away: it takes no requests, and no work from the server. */
  readonly away: 'paused' | 'monthly' | 'updating' | undefined
  /** The node is away while its program is about to be replaced. */
  hold(isHeld: boolean): void
  /** Resolves when the node is not away. */
  untilBack(signal: AbortSignal): Promise<void>
  /** Counts and slows down what a download sends; ends it if the month is used up. */
  wrap(out: Outgoing): Outgoing
  /** Counts bytes that are passed on for others. @returns ms until more may follow */
  spend(bytes: number): number
  stop(): Promise<void>
}

const CHECK_MS = 1000
/** Bytes between two looks at the clock. */
const PIECE = 64 * 1024
/** How much may be sent at once after a pause, in ms of the rate. */
const BURST_MS = 250
const counted = z.strictObject({ month: z.string(), sent: z.number() })

/** @throws StartError if the limits are damaged */
export async function openLimiter(options: { data: string; now: () => number; log: Logger }): Promise<Limiter> {
  const { data, now, log } = options
  const path = join(data, 'month.json')
  let limits = await readLimits(data)
  let read = await changedAt(data)
  let month = monthOf(now())
  let sent = await readFile(path, 'utf8')
    .then((text) => counted.parse(JSON.parse(text)))
    .then((kept) => (kept.month === month ? kept.sent : 0))
    .catch(() => 0)
  let noted = sent
  /** When the bytes that were handed out will all be sent, at the rate of the moment. */
  let free = 0
  const stopped = new AbortController()
  let held = false

  const away = (): Limiter['away'] => {
    if (limits.paused) return 'paused'
    turn()
    if (limits.monthly !== undefined && sent >= limits.monthly) return 'monthly'
    return held ? 'updating' : undefined
  }
  const turn = () => {
    const current = monthOf(now())
    if (current === month) return
    month = current
    sent = 0
  }
  const note = async () => {
    turn()
    if (sent === noted) return
    const count = sent
    await writeDurably(path, JSON.stringify({ month, sent: count }), 0o600)
    noted = count
  }
  const task = every(
    CHECK_MS,
    async () => {
      const changed = await changedAt(data)
      if (changed !== read) {
        // A damaged file changes nothing: the limits of before hold.
        limits = await readLimits(data)
        read = changed
        log.info({ limits }, 'the limits changed')
      }
      await note()
    },
    { name: 'limits', log },
  )

  return {
    get limits() {
      return limits
    },
    get sent() {
      return sent
    },
    get away() {
      return away()
    },
    hold: (isHeld) => {
      held = isHeld
    },
    async untilBack(signal) {
      while (away() && !signal.aborted) await waitFor(CHECK_MS, signal)
    },
    wrap: (out) => ({
      async write(bytes) {
        for (let at = 0; at < bytes.length; ) {
          if (away() === 'monthly') throw new ClientGone()
          const rate = rateAt(limits, new Date(now()).getHours())
          const piece = rate === undefined ? bytes.subarray(at) : bytes.subarray(at, at + PIECE)
          if (rate !== undefined) {
            const start = Math.max(free, Date.now() - BURST_MS)
            free = start + (piece.length / rate) * 1000
            const wait = start - Date.now()
            if (wait > 0) await waitFor(wait, stopped.signal)
          }
          turn()
          sent += piece.length
          await out.write(piece)
          at += piece.length
        }
      },
    }),
    spend(bytes) {
      turn()
      sent += bytes
      const rate = rateAt(limits, new Date(now()).getHours())
      if (rate === undefined) return 0
      free = Math.max(free, Date.now() - BURST_MS) + (bytes / rate) * 1000
      return Math.max(0, free - Date.now())
    },
    async stop() {
      stopped.abort()
      await task.stop()
      await note().catch((error: unknown) => log.warn({ err: error }, 'bytes sent this month could not be kept'))
    },
  }
}

const monthOf = (time: number) => {
  const date = new Date(time)
  return `${date.getFullYear()}-${date.getMonth() + 1}`
}

const changedAt = (data: string) =>
  stat(join(data, 'limits.json')).then(
    ({ mtimeMs, ino }) => `${mtimeMs} ${ino}`,
    () => '',
  )
