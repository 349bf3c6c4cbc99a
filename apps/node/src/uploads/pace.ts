import { Refusal } from '../refusal.ts'
import { texts } from '../texts.ts'

/**
 * The minimum average rate of an upload in bytes per second, over `WINDOW_MS`: an eighth of a 64 kbit/s link, so that a slow link
 * with several transfers is allowed. A pause may last as long as the window.
 */
export const MIN_RATE = 1024
export const WINDOW_MS = 60_000
const TICKS = 12

/** Measures the rate of an upload. */
export interface Pace {
  /** Aborts with a 408 if the sender is too slow, or with the reason of `outer`. */
  readonly signal: AbortSignal
  /** Counts received bytes. While `wait` is pending, the sender waits for us and its time stops. */
  received(bytes: number, wait?: Promise<unknown>): void
  stop(): void
}

/** A sender below this rate, in bytes per second, gives up its slot. */
const SLOW = 16 * 1024

/** @param stepAside gives up the slot of a slow sender; if it returns false, the upload is cut off */
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
    if (rate < MIN_RATE || (rate < SLOW && !stepAside())) cut.abort(new Refusal(408, texts.tooSlow(MIN_RATE)))
  }, WINDOW_MS / TICKS)
  timer.unref()
  const follow = () => cut.abort(outer.reason)
  if (outer.aborted) follow()
  else outer.addEventListener('abort', follow, { once: true })

  return {
    signal: cut.signal,
    received(more, wait) {
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
