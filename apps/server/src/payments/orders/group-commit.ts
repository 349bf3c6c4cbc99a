/**
 * Collects what is to be stored while the store is busy, and stores it together: one by one while little is to be done, many at once under
 * load.
 * @param store stores several items. @returns results by their ids
 */
export function groupCommit<T extends { id: string }, R>(store: (items: readonly T[]) => Promise<Map<string, R>>) {
  let waiting: { item: T; resolve: (result: R | undefined) => void; reject: (error: unknown) => void }[] = []
  let busy = false

  async function work(): Promise<void> {
    busy = true
    while (waiting.length > 0) {
      const part = waiting
      waiting = []
      await store(part.map(({ item }) => item)).then(
        (results) => {
          for (const { item, resolve } of part) resolve(results.get(item.id))
        },
        (error: unknown) => {
          for (const { reject } of part) reject(error)
        },
      )
    }
    busy = false
  }

  return (item: T): Promise<R | undefined> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!busy) void work()
    })
}
