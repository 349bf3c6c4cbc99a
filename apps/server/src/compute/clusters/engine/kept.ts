/** A resource that is searched for again if it was lost or not found. */
export interface Kept<T> {
  /** The last result. A search that found nothing is repeated after a growing wait. */
  get(): Promise<T>
  /** Searches now, or joins the search that is running. */
  again(): Promise<T>
  /** The last or running search; undefined before the first one. */
  known(): Promise<T> | undefined
  /** Number of the current search, for `lost`. */
  turn(): number
  /** Reports a loss; ignored if a later search has begun. */
  lost(turn: number): void
}

const FIRST_WAIT = 1000
const LONGEST_WAIT = 30_000

/**
 * Searches again automatically after a loss. Only one search runs at a time: two could start the same thing twice.
 * @param isThere whether a search succeeded
 * @param time monotonic milliseconds
 */
export function keptFound<T>(look: () => Promise<T>, isThere: (found: T) => boolean, time: () => number): Kept<T> {
  let found: Promise<T> | undefined
  let looking = false
  let turn = 0
  /** Consecutive searches without a result. */
  let misses = 0
  let nextAt = 0

  function start(): Promise<T> {
    turn += 1
    looking = true
    const missed = () => {
      nextAt = time() + Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** misses)
      misses += 1
    }
    found = look().then(
      (result) => {
        looking = false
        if (isThere(result)) misses = 0
        else missed()
        absent = !isThere(result)
        return result
      },
      (error: unknown) => {
        looking = false
        absent = true
        missed()
        throw error
      },
    )
    found.catch(() => {})
    return found
  }
  let absent = false

  return {
    get: () => (found && (looking || !absent || time() < nextAt) ? found : start()),
    again: () => (found && looking ? found : start()),
    known: () => found,
    turn: () => turn,
    lost(of) {
      if (!looking && of === turn) found = undefined
    },
  }
}
