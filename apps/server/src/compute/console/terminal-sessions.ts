import type { ConsoleCaller } from '../../platform/http/callers.ts'
import type { Context } from '../context.ts'
import { goodSessions } from './console-sessions.ts'

/** Open terminals of this server, with the console session that opened each. */
export interface TerminalSessions {
  /** @returns a function to call when the terminal has closed */
  add(caller: Pick<ConsoleCaller, 'session'>, end: () => void): () => void
  /** Closes terminals whose session has ended. */
  check(): Promise<void>
}

/** Sessions also end on other servers, by expiry, or when an account is locked, so all are checked at this interval. */
const CHECKED_EVERY = 1000

export function terminalSessions(context: Pick<Context, 'db' | 'clock' | 'log'>): TerminalSessions {
  const open = new Map<() => void, Buffer>()
  let timer: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    if (open.size === 0) return
    const asked = [...open]
    // While the database is unavailable, no terminal is closed.
    const good = await goodSessions(
      context,
      asked.map(([, session]) => session),
    ).catch((error: unknown) => {
      context.log.debug({ err: error }, 'sessions of terminals cannot be asked for')
      return undefined
    })
    if (!good) return
    for (const [end, session] of asked) if (open.has(end) && !good.has(session.toString('hex'))) end()
  }

  function watch(): void {
    timer = setTimeout(() => {
      check().finally(() => {
        timer = undefined
        if (open.size > 0) watch()
      })
    }, CHECKED_EVERY)
    timer.unref()
  }

  return {
    check,
    add({ session }, end) {
      open.set(end, session)
      if (!timer) watch()
      return () => void open.delete(end)
    },
  }
}
