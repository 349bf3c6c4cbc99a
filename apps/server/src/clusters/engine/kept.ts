/** What was looked for, and is looked for again once it is lost or was not found. */
export interface Kept<T> {
  /** What is known; where nothing was found, that is so for a while and then looked for anew. */
  get(): Promise<T>
  /** Looks again now, unless somebody is at it. */
  again(): Promise<T>
  /** What was found last, or is being looked for; undefined before the first look. */
  known(): Promise<T> | undefined
  /** Which look the present one is: what failed at an earlier one says nothing of it. */
  turn(): number
  /** It is there no more, says whoever used it in that turn. */
  lost(turn: number): void
}

const FIRST_WAIT = 1000
const LONGEST_WAIT = 30_000

/**
 * Finds something by itself again however it was lost. Only one look goes on at a time: two would start the same thing twice.
 * @param isThere whether a look found it
 * @param time milliseconds that only go up
 */
export function keptFound<T>(look: () => Promise<T>, isThere: (found: T) => boolean, time: () => number): Kept<T> {
  let found: Promise<T> | undefined
  let looking = false
  let turn = 0
  /** Looks in a row that found nothing. */
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
