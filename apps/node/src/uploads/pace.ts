import { UPLOAD_RATE_MIN } from '@tidenet/contract'
import { Refusal } from '../refusal.ts'
import { texts } from '../texts.ts'

/** The minimum rate applies to the average over this time, so a pause may last as long. */
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
    if (rate < UPLOAD_RATE_MIN || (rate < SLOW && !stepAside()))
      cut.abort(new Refusal(408, texts.tooSlow(UPLOAD_RATE_MIN)))
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
