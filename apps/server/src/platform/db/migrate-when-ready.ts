import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, StartError } from '@tidenet/daemon'
import type { Pool } from './db.ts'
import { migrate } from './migrate.ts'
import { isUnavailable } from './unavailable.ts'

const RETRY_MS = 1000
/** An unreachable database may not exist, so the timeout is short. */
const UNREACHABLE_TIMEOUT_MS = 60_000
/** Crash recovery can take this long. */
const STARTUP_TIMEOUT_MS = 60 * 60_000

const isStarting = (error: unknown) => (error as { code?: string }).code === '57P03'

/**
 * Waits for the database and runs the migrations.
 * @throws StartError if the database is not available in time, or rejects us
 */
export async function migrateWhenReady(
  db: Pool,
  { log, stopping }: { log: Pick<Logger, 'warn'>; stopping?: AbortSignal | undefined },
): Promise<void> {
  const start = performance.now()
  for (let logged = ''; ; ) {
    try {
      return await migrate(db)
    } catch (error) {
      if (error instanceof StartError) throw error
      const { message, code } = error as NodeJS.ErrnoException
      const reason = message || code || ''
      const timeout = isStarting(error) ? STARTUP_TIMEOUT_MS : UNREACHABLE_TIMEOUT_MS
      if (!isUnavailable(error) || performance.now() - start > timeout || stopping?.aborted)
        throw new StartError(`The database cannot be used: ${reason}. Check DATABASE_URL.`)
      if (reason !== logged) log.warn(`waiting for the database: ${reason}`)
      logged = reason
      await sleep(RETRY_MS, undefined, stopping ? { signal: stopping } : {}).catch(() => {})
    }
  }
}
