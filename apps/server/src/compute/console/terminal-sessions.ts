import { admits } from '../../identity/index.ts'
import type { ConsoleCaller } from '../../platform/http/callers.ts'
import type { Context } from '../context.ts'
import { findValidSessions } from './console-sessions.ts'

/** Open terminals of this server, with the console session that opened each. */
export interface TerminalSessions {
  /** @returns a function to call when the terminal has closed */
  add(caller: Pick<ConsoleCaller, 'session'> & { ip: string }, end: () => void): () => void
  /** Closes terminals whose session has ended. */
  check(): Promise<void>
}

/** Sessions also end on other servers, by expiry, or when an account is locked, so all are checked at this interval. */
const CHECK_INTERVAL_MS = 1000

export function terminalSessions(context: Pick<Context, 'db' | 'clock' | 'log'>): TerminalSessions {
  const open = new Map<() => void, { session: Buffer; ip: string }>()
  let timer: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    if (open.size === 0) return
    const terminals = [...open]
    // While the database is unavailable, no terminal is closed.
    const valid = await findValidSessions(
      context,
      terminals.map(([, { session }]) => session),
    ).catch((error: unknown) => {
      context.log.debug({ err: error }, 'sessions of terminals could not be checked')
      return undefined
    })
    if (!valid) return
    for (const [end, { session, ip }] of terminals) {
      const ips = valid.get(session.toString('hex'))
      if (open.has(end) && !(ips && admits(ips, ip))) end()
    }
  }

  function watch(): void {
    timer = setTimeout(() => {
      check().finally(() => {
        timer = undefined
        if (open.size > 0) watch()
      })
    }, CHECK_INTERVAL_MS)
    timer.unref()
  }

  return {
    check,
    add({ session, ip }, end) {
      open.set(end, { session, ip })
      if (!timer) watch()
      return () => void open.delete(end)
    },
  }
}
