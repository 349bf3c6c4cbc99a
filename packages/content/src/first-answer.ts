/** How much earlier than through the next origin a node is asked at a better one, ms. */
const AHEAD = 1500

/**
 * Asks at one address after the other: at the next one when the last has failed, or has not answered for a while.
 * @param ask is aborted as soon as another address has answered
 * @returns the first answer, and its address. Rejects with the reason of the first address if all fail
 */
export function firstOf<T>(
  addresses: readonly string[],
  ask: (address: string, stop: AbortSignal) => Promise<T>,
): Promise<{ address: string; answer: T }> {
  return new Promise((resolve, reject) => {
    const asked = new Map<string, AbortController>()
    const failures = new Map<string, unknown>()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const next = () => {
      clearTimeout(timer)
      const address = addresses[asked.size]
      if (isOver || address === undefined) return
      const stop = new AbortController()
      asked.set(address, stop)
      timer = setTimeout(next, AHEAD)
      ask(address, stop.signal).then(
        (answer) => {
          if (isOver) return
          isOver = true
          clearTimeout(timer)
          for (const [other, stopOther] of asked) if (other !== address) stopOther.abort()
          resolve({ address, answer })
        },
        (error: unknown) => {
          if (isOver) return
          failures.set(address, error)
          // Nothing is under way: there is nothing to wait for.
          if (failures.size < addresses.length) return void (asked.size === failures.size && next())
          isOver = true
          clearTimeout(timer)
          reject(failures.get(addresses[0] as string))
        },
      )
    }
    next()
  })
}
