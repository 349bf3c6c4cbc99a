/** What the chain knows: keys and values as text, with changes that can be taken back. */
export interface Store {
  get(key: string): string | undefined
  set(key: string, value: string): void
  delete(key: string): void
  /** Keys with this beginning, in order, and their values. */
  entries(prefix: string): [key: string, value: string][]
  /** Does something wholly or not at all: what throws leaves nothing behind. */
  attempt<T>(work: () => T): T
  /** Does something, and takes back whatever it changed. */
  tryOut<T>(work: () => T): T
  /** A copy that changes on its own, for what has not happened yet. */
  branch(): Store
  /** Everything, in order of keys. */
  all(): [key: string, value: string][]
}

/** A store on top of `base`, which itself stays as it is. */
export function createStore(base: ReadonlyMap<string, string> = new Map()): Store {
  const map = new Map(base)
  // What each change replaced, newest last, while somebody may want it back.
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
    entries: (prefix) =>
      [...map].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
    attempt: (work) => guarded(work, true),
    tryOut: (work) => guarded(work, false),
    branch: () => createStore(map),
    all: () => [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  }
}
