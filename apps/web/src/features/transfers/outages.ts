/** Longer than the minute between the timers of hidden tabs. */
const ASLEEP_MS = 90_000
/** After an outage, networks and nodes may take a while to answer again. */
const RECOVERY_MS = 10 * 60_000
const TICK_MS = 10_000

/**
 * Tells failures that an outage of the own connection may have caused (the browser was offline, or the computer slept) from others.
 * Call `start`, then `check` at least once a minute. Times in ms of a clock that does not stop while the computer sleeps.
 */
export function createOutages(clock: { now(): number; isOnline(): boolean }) {
  let last = Number.NEGATIVE_INFINITY
  let checkedAt = Number.NaN
  const check = () => {
    const at = clock.now()
    // Timers stop while the computer sleeps.
    if (!clock.isOnline() || at - checkedAt > ASLEEP_MS) last = at
    checkedAt = at
  }
  return {
    /** Ignores that `check` was not called before. */
    start() {
      checkedAt = clock.now()
    },
    check,
    /** @param begunAt start of the attempt that failed */
    mayHaveCaused(begunAt: number): boolean {
      check()
      return last >= Math.min(begunAt, clock.now() - RECOVERY_MS)
    },
  }
}

/** Checks for outages until the returned function is called. @param onBack called, also repeatedly, while the browser is online */
export function watchOutages(outages: ReturnType<typeof createOutages>, onBack: () => void): () => void {
  outages.start()
  const look = () => {
    outages.check()
    if (navigator.onLine) onBack()
  }
  const timer = setInterval(look, TICK_MS)
  window.addEventListener('online', look)
  window.addEventListener('offline', look)
  document.addEventListener('visibilitychange', look)
  return () => {
    clearInterval(timer)
    window.removeEventListener('online', look)
    window.removeEventListener('offline', look)
    document.removeEventListener('visibilitychange', look)
  }
}
