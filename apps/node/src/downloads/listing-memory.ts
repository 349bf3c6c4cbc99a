import { MiB } from '@tidenet/contract'
import { refuseBusy } from '../refusal.ts'

/**
 * Limits the memory of large folder pages while they are read and sent, in all and for each client network: a page of 10,000 entries with
 * long names takes 22 MB for as long as its client is slow. Others wait for a short time.
 */
export interface ListingMemory {
  /**
   * @param network undefined: unknown, so only the limit of all holds
   * @throws Refusal 503 if there is not enough for too long
   */
  take(network: string | undefined, bytes: number, signal: AbortSignal): Promise<Held>
}

export interface Held {
  /** It takes less than was expected. */
  shrink(bytes: number): void
  release(): void
}

/** An entry with a long name in its name and its link, each byte of which may be encoded as three. */
const ENTRY_MAX = 2300
/** Smaller pages are not limited. */
const SMALL = MiB

/** The most bytes of a page of so many entries; 0 if it is small. */
export function pageMemory(entries: number): number {
  const bytes = entries * ENTRY_MAX
  return bytes <= SMALL ? 0 : bytes
}

export function createListingMemory({ total = 256 * MiB, perNetwork = 64 * MiB, waitMs = 10_000 } = {}): ListingMemory {
  let used = 0
  const usedBy = new Map<string, number>()
  const queue: { network: string | undefined; bytes: number; start(): void }[] = []

  const add = (network: string | undefined, bytes: number) => {
    used += bytes
    if (network === undefined) return
    const sum = (usedBy.get(network) ?? 0) + bytes
    if (sum > 0) usedBy.set(network, sum)
    else usedBy.delete(network)
  }
  const fits = (network: string | undefined, bytes: number) => {
    const own = network === undefined ? 0 : (usedBy.get(network) ?? 0)
    return (used === 0 || used + bytes <= total) && (own === 0 || own + bytes <= perNetwork)
  }
  const next = () => {
    for (const waiting of [...queue])
      if (fits(waiting.network, waiting.bytes)) {
        queue.splice(queue.indexOf(waiting), 1)
        waiting.start()
      }
  }
  const hold = (network: string | undefined, expected: number): Held => {
    let bytes = expected
    add(network, bytes)
    const shrink = (to: number) => {
      const less = Math.max(0, bytes - to)
      bytes -= less
      add(network, -less)
      if (less > 0) next()
    }
    return { shrink, release: () => shrink(0) }
  }

  return {
    take(network, bytes, signal) {
      if (fits(network, bytes)) return Promise.resolve(hold(network, bytes))
      if (signal.aborted) return Promise.reject(refuseBusy())
      return new Promise((resolve, reject) => {
        const done = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', give)
        }
        const waiting = {
          network,
          bytes,
          start() {
            done()
            resolve(hold(network, bytes))
          },
        }
        const give = () => {
          done()
          queue.splice(queue.indexOf(waiting), 1)
          reject(refuseBusy())
        }
        const timer = setTimeout(give, waitMs)
        signal.addEventListener('abort', give)
        queue.push(waiting)
      })
    },
  }
}
