import { Mutex } from 'async-mutex'

/** A mutex per key: runs steps with the same name one after the other, in order of arrival. A failed step does not block the next. */
export type KeyedMutex = <T>(name: string, step: () => Promise<T>) => Promise<T>

export function createKeyedMutex(): KeyedMutex {
  const mutexes = new Map<string, Mutex>()
  return async (name, step) => {
    const mutex = mutexes.get(name) ?? new Mutex()
    mutexes.set(name, mutex)
    try {
      return await mutex.runExclusive(step)
    } finally {
      // It is already locked again if another step waits.
      if (!mutex.isLocked()) mutexes.delete(name)
    }
  }
}
