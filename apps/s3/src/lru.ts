/** Keeps what was used last, up to a total cost. */
export function createLru<V>(
  most: number,
  cost: (value: V) => number = () => 1,
  dropped: (value: V) => void = () => {},
) {
  const values = new Map<string, V>()
  let total = 0
  const drop = (key: string, value: V) => {
    values.delete(key)
    total -= cost(value)
    dropped(value)
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
      total += cost(value)
      for (const [oldest, old] of values) {
        if (total <= most) break
        drop(oldest, old)
      }
    },
    delete(key: string): void {
      const value = values.get(key)
      if (value !== undefined) drop(key, value)
    },
    entries: () => [...values],
  }
}
