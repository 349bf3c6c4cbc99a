interface Link<T> {
  key: string
  value: T
  older: Link<T>
  newer: Link<T>
}

/**
 * An LRU cache with at most `max` entries. A linked list keeps the order: a Map whose first keys are deleted again and again becomes slow.
 */
export function createLruCache<T>(max: number) {
  const entries = new Map<string, Link<T>>()
  const ends = {} as Link<T>
  ends.older = ends
  ends.newer = ends

  const unlink = (link: Link<T>) => {
    link.older.newer = link.newer
    link.newer.older = link.older
  }
  const insertNewest = (link: Link<T>) => {
    link.older = ends.older
    link.newer = ends
    ends.older.newer = link
    ends.older = link
  }
  return {
    get(key: string): T | undefined {
      const link = entries.get(key)
      if (!link) return undefined
      unlink(link)
      insertNewest(link)
      return link.value
    },
    set(key: string, value: T): void {
      const existing = entries.get(key)
      if (existing) unlink(existing)
      else if (entries.size >= max) {
        const oldest = ends.newer
        unlink(oldest)
        entries.delete(oldest.key)
      }
      const link = { key, value, older: ends, newer: ends }
      entries.set(key, link)
      insertNewest(link)
    },
  }
}
