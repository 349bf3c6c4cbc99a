import { DOWNLOAD_CONCURRENCY, DOWNLOAD_CONCURRENCY_MAX, DOWNLOAD_CONCURRENCY_MIN } from '@tidenet/contract/constants'

/** Load of the connection, 0 to 100: above 80 the concurrency falls by one, below 50 it grows by one. */
export type Load = (measured: Measured) => number

export interface Measured {
  /** Chunks being downloaded. */
  concurrency: number
  /** Bytes per second of all chunks, over the last two steps; 0 if unknown. */
  rate: number
  rateBefore: number
  /** Share of the chunks of the last step that failed, 0 to 1. */
  failed: number
}

/** Failures lower the concurrency. If more concurrency raised the rate by at least 5 %, try more; if it lowered the rate, go back. */
export function measuredLoad(): Load {
  let before = 0
  return ({ concurrency, rate, rateBefore, failed }) => {
    const grown = concurrency > before
    before = concurrency
    if (failed > 0.25) return 90
    if (rate === 0 || rateBefore === 0) return 65
    if (grown) return rate > rateBefore * 1.05 ? 40 : rate < rateBefore * 0.9 ? 90 : 65
    return rate < rateBefore * 0.7 ? 40 : 65
  }
}

export interface ConcurrencyControl {
  /** Concurrency: chunks to fetch in parallel, 1 to 20. */
  readonly limit: number
  /** Records a finished or failed chunk. */
  note(bytes: number, ok: boolean): void
}

/** Adjusts the concurrency once every `limit` chunks. */
export function createConcurrencyControl(
  load: Load = measuredLoad(),
  now: () => number = () => performance.now(),
): ConcurrencyControl {
  let limit = DOWNLOAD_CONCURRENCY
  let ended = 0
  let failed = 0
  let bytes = 0
  let since = now()
  let rateBefore = 0
  return {
    get limit() {
      return limit
    },
    note(more, ok) {
      ended += 1
      bytes += more
      if (!ok) failed += 1
      if (ended < limit) return
      const rate = (bytes / Math.max(now() - since, 1)) * 1000
      const measured = load({ concurrency: limit, rate, rateBefore, failed: failed / ended })
      if (measured > 80) limit = Math.max(DOWNLOAD_CONCURRENCY_MIN, limit - 1)
      else if (measured < 50) limit = Math.min(DOWNLOAD_CONCURRENCY_MAX, limit + 1)
      rateBefore = rate
      ended = 0
      failed = 0
      bytes = 0
      since = now()
    },
  }
}
