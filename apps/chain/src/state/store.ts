import { createSortedMap, type SortedMap } from './sorted-map.ts'

/** Key-value state with rollback. Reading a range takes time in proportion to what is read of it, not to the state. */
export interface Store {
  get(key: string): string | undefined
  set(key: string, value: string): void
  delete(key: string): void
  /** Entries with a key prefix, sorted by key. */
  entries(prefix: string): [key: string, value: string][]
  /** Entries from `start` (inclusive) to `end` (exclusive), sorted by key, as they are at the time of this call. */
  range(start: string, end: string, descending?: boolean): Iterable<[key: string, value: string]>
  /** Runs `work` atomically: rolls back if it throws. */
  atomically<T>(work: () => T): T
  /** Runs `work` and rolls back its changes. */
  runAndRollback<T>(work: () => T): T
  /** A copy that changes independently. */
  branch(): Store
  /** All entries, sorted by key, as they are at the time of this call. */
  all(): Iterable<[key: string, value: string]>
}

export function createStore(map: SortedMap = createSortedMap()): Store {
  // Previous values, newest last, while a rollback is possible.
  const journal: [key: string, before: string | undefined][] = []
  let depth = 0

  const change = (key: string, value: string | undefined) => {
    if (depth > 0) journal.push([key, map.get(key)])
    if (value === undefined) map.delete(key)
    else map.set(key, value)
  }
  const undo = (to: number) => {
    while (journal.length > to) {
      const [key, before] = journal.pop() as [string, string | undefined]
      if (before === undefined) map.delete(key)
      else map.set(key, before)
    }
  }
  const guarded = <T>(work: () => T, keep: boolean): T => {
    const mark = journal.length
    depth++
    let kept = false
    try {
      const result = work()
      kept = keep
      return result
    } finally {
      depth--
      if (!kept) undo(mark)
      else if (depth === 0) journal.length = 0
    }
  }

  return {
    get: (key) => map.get(key),
    set: change,
    delete: (key) => change(key, undefined),
    entries(prefix) {
      const found: [string, string][] = []
      for (const entry of map.range(prefix, undefined)) {
        if (!entry[0].startsWith(prefix)) break
        found.push(entry)
      }
      return found
    },
    range: (start, end, descending) => map.range(start, end, descending),
    atomically: (work) => guarded(work, true),
    runAndRollback: (work) => guarded(work, false),
    branch: () => createStore(map.copy()),
    all: () => map.range('', undefined),
  }
}
