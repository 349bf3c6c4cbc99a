import type { SourceNode } from './node-pool.ts'

/** A node may be reached at several origins: its own one, and those of its relays. The tokens in its URL are valid at all of them. */

/** How much earlier than through the next origin a node is asked at a better one, ms. */
const AHEAD = 1500

const atOrigin = (url: string, origin: string): string => {
  const { pathname, search } = new URL(url)
  return origin + pathname + search
}

/** The addresses of a node, beginning with the one in use. */
export const addressesOf = ({ url, origins }: Pick<SourceNode, 'url' | 'origins'>): string[] => [
  url,
  ...origins.filter((origin) => origin !== new URL(url).origin).map((origin) => atOrigin(url, origin)),
]

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

/** Uses an address of the node that has answered. */
export function useAddress(node: SourceNode, address: string): void {
  for (let left = node.origins.length; left > 0 && node.url !== address; left--) useNextOrigin(node)
}

/** Uses the next origin of a node that could not be reached. @returns whether there is one */
export function useNextOrigin(node: SourceNode): boolean {
  const [, next] = addressesOf(node)
  if (next === undefined) return false
  // The former one comes last.
  const former = new URL(node.url).origin
  node.origins = [...node.origins.filter((origin) => origin !== former), former]
  node.url = next
  return true
}
