/** A resource that is searched for again if it was lost or not found. */
export interface Reconnecting<T> {
  /** The last result. A search that found nothing is repeated after a growing wait. */
  get(): Promise<T>
  /** Searches now, or joins the search that is running. */
  retry(): Promise<T>
  /** The last or running search; undefined before the first one. */
  current(): Promise<T> | undefined
  /** Number of the current search, for `reportLost`. */
  attempt(): number
  /** Reports a loss; ignored if a later search has begun. */
  reportLost(attempt: number): void
}

const FIRST_DELAY_MS = 1000
const MAX_DELAY_MS = 30_000

/**
 * Searches again automatically after a loss. Only one search runs at a time: two could start the same thing twice.
 * @param isFound whether a search succeeded
 * @param time monotonic milliseconds
 */
export function reconnecting<T>(
  search: () => Promise<T>,
  isFound: (result: T) => boolean,
  time: () => number,
): Reconnecting<T> {
  let current: Promise<T> | undefined
  let searching = false
  let absent = false
  let attempt = 0
  /** Consecutive searches without a result. */
  let misses = 0
  let nextAt = 0

  function start(): Promise<T> {
    attempt += 1
    searching = true
    const finish = (found: boolean) => {
      searching = false
      absent = !found
      if (found) {
        misses = 0
        return
      }
      nextAt = time() + Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** misses)
      misses += 1
    }
    current = search().then(
      (result) => {
        finish(isFound(result))
        return result
      },
      (error: unknown) => {
        finish(false)
        throw error
      },
    )
    current.catch(() => {})
    return current
  }

  return {
    get: () => (current && (searching || !absent || time() < nextAt) ? current : start()),
    retry: () => (current && searching ? current : start()),
    current: () => current,
    attempt: () => attempt,
    reportLost(of) {
      if (!searching && of === attempt) current = undefined
    },
  }
}
