import { DOWNLOAD_CONCURRENCY, DOWNLOAD_CONCURRENCY_MAX, DOWNLOAD_CONCURRENCY_MIN } from '@tidenet/contract/constants'

/** How loaded the way is, 0 to 100: above 80 one chunk fewer is fetched at a time, below 50 one more. */
export type Load = (measured: Measured) => number

export interface Measured {
  /** Chunks on their way. */
  concurrency: number
  /** Bytes a second of all chunks together, over the last step and the one before it; 0 while unknown. */
  rate: number
  rateBefore: number
  /** Of the chunks that ended in the last step, the part that failed, 0 to 1. */
  failed: number
}

/**
 * Errors mean too much at once. More at once that brought at least 5 % more may bring more again; more that brought less was too much.
 */
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

export interface Governor {
  /** Chunks to fetch at a time, 1 to 20. */
  readonly limit: number
  /** A chunk has ended, well or not. */
  note(bytes: number, ok: boolean): void
}

/** Adjusts how many chunks are fetched at a time, once for every `limit` chunks that ended. */
export function createGovernor(load: Load = measuredLoad(), now: () => number = () => performance.now()): Governor {
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
