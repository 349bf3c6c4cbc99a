/**
 * Resolves after `ms`, or as soon as the signal aborts.
 * @param keepsRunning whether the process stays for it, as a command must that does nothing else
 */
export function waitFor(ms: number, signal: AbortSignal, keepsRunning = false): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve()
      return
    }
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    if (!keepsRunning) timer.unref()
    signal.addEventListener('abort', done, { once: true })
  })
}

/** The promise's outcome, or a rejection with the signal's reason if it aborts first. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
