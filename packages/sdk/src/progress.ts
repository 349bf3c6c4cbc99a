/** Moving average of the transfer speed. */
export interface Speedometer {
  add(bytes: number): void
  /** Bytes per second; 0 if unknown. */
  readonly speed: number
}

const STEP = 250
const WINDOW = 12

/** @param now ms; monotonic */
export function createSpeedometer(now: () => number = () => performance.now()): Speedometer {
  const steps: { at: number; bytes: number }[] = []
  const begun = now()
  return {
    add(bytes) {
      const at = Math.floor(now() / STEP)
      const last = steps.at(-1)
      if (last?.at === at) last.bytes += bytes
      else steps.push({ at, bytes })
      while (steps.length > WINDOW || (steps[0] && steps[0].at < at - WINDOW)) steps.shift()
    },
    get speed() {
      const first = steps[0]
      if (!first) return 0
      const bytes = steps.reduce((total, step) => total + step.bytes, 0)
      const ms = Math.max(now() - Math.max(begun, first.at * STEP), 1)
      return Math.round((bytes / ms) * 1000)
    },
  }
}

/** 0 to 100 with two decimals; 100 only when complete. */
export function percent(loaded: number, total: number): number {
  if (total <= 0) return 0
  const value = Math.floor((loaded / total) * 10_000) / 100
  return Math.min(Math.max(value, 0), 100)
}

/** Limits calls of the listener to one per `ms`; the last one is always delivered. Exceptions of the listener are ignored. */
export function throttled<T>(listener: ((value: T) => void) | undefined, ms = 100) {
  let last = Number.NEGATIVE_INFINITY
  let waiting: T | undefined
  const tell = (value: T) => {
    waiting = undefined
    last = performance.now()
    try {
      listener?.(value)
    } catch {}
  }
  return {
    update(value: T, now = false) {
      if (!listener) return
      if (now || performance.now() - last >= ms) tell(value)
      else waiting = value
    },
    flush() {
      if (waiting !== undefined) tell(waiting)
    },
  }
}

/** Waits, or rejects with the signal's reason. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
    const stop = () => {
      done()
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      done()
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
