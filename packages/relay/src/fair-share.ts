/** What the owner of a relay lets it pass on. */
export interface Pace {
  /** Whether it passes anything on at all. */
  readonly isOpen: boolean
  /** Counts bytes that are passed on. @returns ms until more may follow */
  spend(bytes: number): number
}

/** Bytes that a label may send in its turn. */
const QUANTUM = 64 * 1024

interface Queue {
  label: string
  /** Bytes that it may send now; what it does not use in its turn is kept while it waits. */
  credit: number
  waiting: { bytes: number; send: () => void }[]
}

/**
 * Divides a limited bandwidth between devices: each gets the same, however many visitors it has (deficit round robin). What one does not
 * use, the others get.
 */
export function createFairShare(pace: Pace) {
  /** Labels with bytes that wait; the first one has its turn. */
  const ring: Queue[] = []
  const byLabel = new Map<string, Queue>()
  let timer: NodeJS.Timeout | undefined

  const run = () => {
    timer = undefined
    for (let [queue] = ring; queue; [queue] = ring) {
      const [next] = queue.waiting
      if (!next) {
        ring.shift()
        byLabel.delete(queue.label)
      } else if (next.bytes > queue.credit) {
        queue.credit += QUANTUM
        ring.shift()
        ring.push(queue)
      } else {
        queue.credit -= next.bytes
        queue.waiting.shift()
        const wait = pace.spend(next.bytes)
        next.send()
        if (wait > 0) {
          timer = setTimeout(run, wait)
          return
        }
      }
    }
  }

  return {
    /** Calls `send` when it is the turn of these bytes, perhaps at once. */
    take(label: string, bytes: number, send: () => void): void {
      let queue = byLabel.get(label)
      if (!queue) {
        queue = { label, credit: QUANTUM, waiting: [] }
        byLabel.set(label, queue)
        ring.push(queue)
      }
      queue.waiting.push({ bytes, send })
      if (!timer) run()
    },
    stop() {
      clearTimeout(timer)
    },
  }
}
export type FairShare = ReturnType<typeof createFairShare>
