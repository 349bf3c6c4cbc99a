import { Refusal } from '../refusal.ts'
import { texts } from '../texts.ts'

/**
 * How slowly a sender may send: on average `SLOWEST` bytes a second over every `WINDOW_MS`. An eighth of what a link of 64 kbit/s
 * carries, so that one with other transfers on it stays; a pause may last as long as the window.
 */
export const SLOWEST = 1024
export const WINDOW_MS = 60_000
const TICKS = 12

/** Watches what a sender sends while an upload is received. */
export interface Pace {
  /** Aborts, with a 408, when the sender is too slow; with the reason of `outer` when that aborts. */
  readonly signal: AbortSignal
  /** Bytes have come; while `wait` is pending they wait for us, and the sender's time stands still. */
  came(bytes: number, wait?: Promise<unknown>): void
  stop(): void
}

/** A sender slower than this, in bytes a second, does not hold a place that others wait for. */
const SLOW = 16 * 1024

/** @param stepAside called while the sender is slow, but not too slow; when it says no the sender is cut off all the same */
export function createPace(outer: AbortSignal, stepAside: () => boolean = () => true): Pace {
  const cut = new AbortController()
  const recent: number[] = []
  let bytes = 0
  let waiting = 0

  const timer = setInterval(() => {
    if (waiting > 0) return
    recent.push(bytes)
    bytes = 0
    if (recent.length < TICKS) return
    const rate = recent.reduce((sum, part) => sum + part, 0) / (WINDOW_MS / 1000)
    recent.shift()
    if (rate < SLOWEST || (rate < SLOW && !stepAside())) cut.abort(new Refusal(408, texts.tooSlow(SLOWEST)))
  }, WINDOW_MS / TICKS)
  timer.unref()
  const follow = () => cut.abort(outer.reason)
  if (outer.aborted) follow()
  else outer.addEventListener('abort', follow, { once: true })

  return {
    signal: cut.signal,
    came(more, wait) {
      bytes += more
      if (!wait) return
      waiting += 1
      const done = () => {
        waiting -= 1
      }
      wait.then(done, done)
    },
    stop() {
      clearInterval(timer)
      outer.removeEventListener('abort', follow)
    },
  }
}
