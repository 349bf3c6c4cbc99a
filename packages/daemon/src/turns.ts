import { Mutex } from 'async-mutex'

/**
 * Carries out steps of the same name one after the other, in the order in which they came.
 * A step that fails does not hold up the next.
 */
export type Turns = <T>(name: string, step: () => Promise<T>) => Promise<T>

export function createTurns(): Turns {
  const mutexes = new Map<string, Mutex>()
  return async (name, step) => {
    const mutex = mutexes.get(name) ?? new Mutex()
    mutexes.set(name, mutex)
    try {
      return await mutex.runExclusive(step)
    } finally {
      // It is locked again already when another step waits.
      if (!mutex.isLocked()) mutexes.delete(name)
    }
  }
}
