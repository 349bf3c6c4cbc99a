import type { Logger } from '@tidenet/daemon'

const LOG_INTERVAL_MS = 30_000

/** Logs errors of idle connections, at most once per code and interval, with the number of errors since the last entry. */
export function createErrorLog(log: Pick<Logger, 'warn'>, now = () => performance.now()) {
  const errors = new Map<string, { count: number; quietUntil: number }>()
  return (error: Error & { code?: string }): void => {
    const code = error.code ?? ''
    const seen = errors.get(code) ?? { count: 0, quietUntil: 0 }
    errors.set(code, seen)
    seen.count++
    if (now() < seen.quietUntil) return
    log.warn({ err: error, count: seen.count }, 'lost a database connection')
    seen.count = 0
    seen.quietUntil = now() + LOG_INTERVAL_MS
  }
}
