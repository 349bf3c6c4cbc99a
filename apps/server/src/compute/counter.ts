/** Counts what is open by key, up to a limit. `take` returns the function that ends it, or undefined. */
export function createCounter(most: number) {
  const counts = new Map<string, number>()
  return {
    take(key: string): (() => void) | undefined {
      const count = counts.get(key) ?? 0
      if (count >= most) return undefined
      counts.set(key, count + 1)
      return () => {
        const left = (counts.get(key) ?? 1) - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
    },
  }
}

/** All of these or none. @param taken as `take` returned them */
export function takeAll(taken: readonly ((() => void) | undefined)[]): (() => void) | undefined {
  const releases = taken.filter((release) => release !== undefined)
  const release = () => {
    for (const each of releases.splice(0)) each()
  }
  if (releases.length === taken.length) return release
  release()
  return undefined
}
