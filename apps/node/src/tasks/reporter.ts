import type { Logger } from '@tidenet/daemon'
import { waitFor } from '../wait.ts'

/** Delivers results to the server in batches, with retries. */
export interface Reporter<T> {
  add(result: T): void
  /** Makes a last attempt; the server requests unreported results again. */
  stop(): Promise<void>
}

const BACKOFF_MAX_MS = 30_000
/** How long a result waits for others. */
const GATHER_MS = 500

export function createReporter<T>(options: {
  name: string
  most: number
  send: (results: T[], signal: AbortSignal | undefined) => Promise<unknown>
  log: Logger
}): Reporter<T> {
  const { name, most, send, log } = options
  const stopped = new AbortController()
  let waiting: T[] = []
  let sending: Promise<void> | undefined

  const drain = async () => {
    let backoff = 500
    await waitFor(GATHER_MS, stopped.signal)
    while (waiting.length > 0 && !stopped.signal.aborted) {
      const batch = waiting.slice(0, most)
      try {
        await send(batch, stopped.signal)
        waiting = waiting.slice(batch.length)
        backoff = 500
      } catch (error) {
        if (stopped.signal.aborted) break
        log.warn({ report: name, err: error }, 'the server did not take a report; it will be sent again')
        await waitFor(backoff, stopped.signal)
        backoff = Math.min(backoff * 2, BACKOFF_MAX_MS)
      }
    }
  }

  return {
    add(result) {
      waiting.push(result)
      sending ??= drain().finally(() => {
        sending = undefined
      })
    },
    async stop() {
      stopped.abort()
      await sending
      if (waiting.length > 0) await send(waiting.slice(0, most), AbortSignal.timeout(1000)).catch(() => {})
    },
  }
}
