import type { Logger } from './logger.ts'

/** A periodic background task. `stop` waits for the current run. */
export interface Repeating {
  /** Runs the task now, or right after the current run. */
  now(): void
  stop(): Promise<void>
}

/**
 * Runs `run` periodically, `ms` after the end of the last run; the first time after a random part of `ms`. Repeated failures are logged
 * once until a run succeeds, so that an unavailable database does not fill the log.
 */
export function every(
  ms: number,
  run: (signal: AbortSignal) => Promise<void>,
  options: { name: string; log: Logger },
): Repeating {
  const stopped = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let again = false
  let failing = false

  const step = () => {
    timer = undefined
    running = run(stopped.signal)
      .then(() => {
        if (failing) options.log.info({ duty: options.name }, 'works again')
        failing = false
      })
      .catch((error: unknown) => {
        if (!failing && !stopped.signal.aborted)
          options.log.warn({ duty: options.name, err: error }, 'failed, will try again')
        failing = true
      })
      .finally(() => {
        running = undefined
        if (!stopped.signal.aborted) plan(again ? 0 : ms)
        again = false
      })
  }
  const plan = (after: number) => {
    timer = setTimeout(step, after)
    timer.unref()
  }
  plan(Math.random() * Math.min(ms, 1000))

  return {
    now() {
      if (running) again = true
      else if (timer && !stopped.signal.aborted) {
        clearTimeout(timer)
        plan(0)
      }
    },
    async stop() {
      stopped.abort()
      clearTimeout(timer)
      await running
    },
  }
}
