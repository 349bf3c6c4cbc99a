import type { Logger } from '@tidenet/daemon'

/** How long an error is told of once, ms. */
const TOLD_EVERY = 30_000

/** Logs errors of connections that nobody waits for: those of one code once in 30 s, with how many there were since the last time. */
export function createErrorLog(log: Pick<Logger, 'warn'>, now = () => performance.now()) {
  const known = new Map<string, { count: number; quietUntil: number }>()
  return (error: Error & { code?: string }): void => {
    const code = error.code ?? ''
    const kind = known.get(code) ?? { count: 0, quietUntil: 0 }
    known.set(code, kind)
    kind.count++
    if (now() < kind.quietUntil) return
    log.warn({ err: error, count: kind.count }, 'a connection to the database broke')
    kind.count = 0
    kind.quietUntil = now() + TOLD_EVERY
  }
}
