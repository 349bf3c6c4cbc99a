interface Link<T> {
  key: string
  value: T
  older: Link<T>
  newer: Link<T>
}

/**
 * What was used of late, so many at most: who comes on top of that pushes out whoever was not asked for longest. A ring of its own keeps
 * the order: a map that is used up from its front becomes slow.
 */
export function createLruCache<T>(most: number) {
  const kept = new Map<string, Link<T>>()
  const ends = {} as Link<T>
  ends.older = ends
  ends.newer = ends

  const take = (link: Link<T>) => {
    link.older.newer = link.newer
    link.newer.older = link.older
  }
  const putFirst = (link: Link<T>) => {
    link.older = ends.older
    link.newer = ends
    ends.older.newer = link
    ends.older = link
  }
  return {
    get(key: string): T | undefined {
      const link = kept.get(key)
      if (!link) return undefined
      take(link)
      putFirst(link)
      return link.value
    },
    set(key: string, value: T): void {
      const known = kept.get(key)
      if (known) take(known)
      else if (kept.size >= most) {
        const last = ends.newer
        take(last)
        kept.delete(last.key)
      }
      const link = { key, value, older: ends, newer: ends }
      kept.set(key, link)
      putFirst(link)
    },
  }
}
