/**
 * Keeps what was used last, up to a total cost.
 * @param ownerOf whose a key is: who has most gives way, so that nobody pushes out what others use
 */
export function createLru<V>(
  most: number,
  cost: (value: V) => number = () => 1,
  dropped: (value: V) => void = () => {},
  ownerOf: (key: string) => string = () => '',
) {
  const values = new Map<string, V>()
  const owned = new Map<string, number>()
  let total = 0
  const count = (key: string, more: number) => {
    total += more
    const owner = ownerOf(key)
    const left = (owned.get(owner) ?? 0) + more
    if (left > 0) owned.set(owner, left)
    else owned.delete(owner)
  }
  const drop = (key: string, value: V) => {
    values.delete(key)
    count(key, -cost(value))
    dropped(value)
  }
  /** The oldest value of who has most. */
  const next = (): [string, V] | undefined => {
    const max = Math.max(...owned.values())
    for (const entry of values) if (owned.get(ownerOf(entry[0])) === max) return entry
    return undefined
  }
  return {
    get(key: string): V | undefined {
      const value = values.get(key)
      if (value === undefined) return undefined
      values.delete(key)
      values.set(key, value)
      return value
    },
    set(key: string, value: V): void {
      const before = values.get(key)
      if (before !== undefined) drop(key, before)
      values.set(key, value)
      count(key, cost(value))
      while (total > most) {
        const oldest = next()
        if (!oldest) break
        drop(...oldest)
      }
    },
    delete(key: string): void {
      const value = values.get(key)
      if (value !== undefined) drop(key, value)
    },
    entries: () => [...values],
  }
}
