/** Finds the next work of a lane and leases it. @returns undefined if nothing is due */
export type Lane = () => Promise<(() => Promise<void>) | undefined>

/** A lane without work looks again after this time while other lanes are active. */
const LOOK_AGAIN_MS = 1000

/**
 * Works until no lane finds anything. Lanes do not wait for each other: while one is busy for hours, the others do what becomes due.
 * @throws what finding work throws, after the other lanes have ended
 */
export async function drainLanes(lanes: readonly Lane[], signal: AbortSignal): Promise<void> {
  // Lanes that look count too: one of them may be about to begin work of hours.
  let active = 0
  let done = 0
  const waiting = new Set<() => void>()
  const wakeAll = () => {
    for (const wake of waiting) wake()
  }
  const wakeOrLater = () =>
    new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, LOOK_AGAIN_MS)
      waiting.add(wake)
    })
  async function workThrough(next: Lane): Promise<void> {
    while (!signal.aborted) {
      const work = await next()
      if (!work) return
      try {
        await work()
      } finally {
        done += 1
        wakeAll()
      }
    }
  }
  async function drain(next: Lane): Promise<void> {
    do {
      active += 1
      try {
        await workThrough(next)
      } finally {
        active -= 1
        if (active === 0) wakeAll()
      }
      if (active > 0) await wakeOrLater()
    } while (active > 0 && !signal.aborted)
  }
  for (let before = -1; before < done && !signal.aborted; ) {
    before = done
    const ended = await Promise.allSettled(lanes.map(drain))
    for (const end of ended) if (end.status === 'rejected') throw end.reason
  }
}
