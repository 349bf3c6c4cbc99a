/** Key-value state with rollback. */
export interface Store {
  get(key: string): string | undefined
  set(key: string, value: string): void
  delete(key: string): void
  /** Entries with a key prefix, sorted by key. */
  entries(prefix: string): [key: string, value: string][]
  /** Entries from `start` (inclusive) to `end` (exclusive), sorted by key. */
  range(start: string, end: string): [key: string, value: string][]
  /** Runs `work` atomically: rolls back if it throws. */
  atomically<T>(work: () => T): T
  /** Runs `work` and rolls back its changes. */
  runAndRollback<T>(work: () => T): T
  /** A copy that changes independently. */
  branch(): Store
  /** All entries, sorted by key. */
  all(): [key: string, value: string][]
}

/** A store on top of `base`, which is not changed. */
export function createStore(base: ReadonlyMap<string, string> = new Map()): Store {
  const map = new Map(base)
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

  const sorted = (isWanted: (key: string) => boolean) =>
    [...map].filter(([key]) => isWanted(key)).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))

  return {
    get: (key) => map.get(key),
    set: change,
    delete: (key) => change(key, undefined),
    entries: (prefix) => sorted((key) => key.startsWith(prefix)),
    range: (start, end) => sorted((key) => key >= start && key < end),
    atomically: (work) => guarded(work, true),
    runAndRollback: (work) => guarded(work, false),
    branch: () => createStore(map),
    all: () => sorted(() => true),
  }
}
