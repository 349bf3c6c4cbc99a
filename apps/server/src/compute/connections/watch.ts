import { admits } from '../../identity/index.ts'
import type { ConsoleCaller } from '../../platform/http/callers.ts'
import type { Context } from '../context.ts'
import { findUsableWorkloads } from '../workspaces/usable.ts'

/** The sessions of the console, by the hashes of their tokens. */
export interface Sessions {
  callerOfSession(
    context: Pick<Context, 'db' | 'clock'>,
    session: Buffer,
    ip: string,
  ): Promise<ConsoleCaller | undefined>
  /** In hexadecimal, with the addresses that may use each. */
  findValidSessions(
    context: Pick<Context, 'db' | 'clock'>,
    sessions: readonly Buffer[],
  ): Promise<Map<string, readonly string[]>>
}

/** An open connection, and what it depends on. */
export interface Watched {
  session: Buffer
  /** The client's address. */
  ip: string
  userId: number
  workload: string
  /** Closes it. */
  end(reason: 'session' | 'stopped'): void
}

/** Sessions end and workloads stop on other servers too, so all open connections are checked at this interval. */
const CHECK_INTERVAL_MS = 1000

/** Closes connections whose session has ended, or whose workload may not run any more. */
export function watchConnections(context: Pick<Context, 'db' | 'clock' | 'log'>, sessions: Sessions) {
  const open = new Set<Watched>()
  let timer: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    const all = [...open]
    if (all.length === 0) return
    const valid = await sessions.findValidSessions(
      context,
      all.map(({ session }) => session),
    )
    const usable = await findUsableWorkloads(
      context.db,
      all.map(({ workload }) => workload),
    )
    for (const one of all) {
      if (!open.has(one)) continue
      const ips = valid.get(one.session.toString('hex'))
      if (!ips || !admits(ips, one.ip)) one.end('session')
      else if (usable.get(one.workload) !== one.userId) one.end('stopped')
    }
  }

  function plan(): void {
    timer = setTimeout(() => {
      check()
        // While the database is unavailable, no connection is closed.
        .catch((error: unknown) => context.log.debug({ err: error }, 'connections to programs could not be checked'))
        .finally(() => {
          timer = undefined
          if (open.size > 0) plan()
        })
    }, CHECK_INTERVAL_MS)
    timer.unref()
  }

  return {
    /** @returns a function to call when the connection has closed */
    add(one: Watched): () => void {
      open.add(one)
      if (!timer) plan()
      return () => void open.delete(one)
    },
  }
}
