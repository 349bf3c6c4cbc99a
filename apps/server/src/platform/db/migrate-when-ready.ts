import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, StartError } from '@tidenet/daemon'
import type { Pool } from './db.ts'
import { migrate } from './migrate.ts'
import { isUnavailable } from './unavailable.ts'

const AGAIN_MS = 1000
/** An unreachable database may not exist, so the wait is short. */
const UNREACHABLE_MS = 60_000
/** Crash recovery of a starting database can take this long. */
const STARTING_MS = 60 * 60_000

const isStarting = (error: unknown) => (error as { code?: string }).code === '57P03'

/**
 * Runs the migrations once the database answers, and logs what it waits for.
 * @throws StartError when it does not answer in time, or refuses
 */
export async function migrateWhenReady(
  db: Pool,
  { log, stopping }: { log: Pick<Logger, 'warn'>; stopping?: AbortSignal | undefined },
): Promise<void> {
  const began = performance.now()
  for (let said = ''; ; ) {
    try {
      return await migrate(db)
    } catch (error) {
      if (error instanceof StartError) throw error
      const { message, code } = error as NodeJS.ErrnoException
      const reason = message || code || ''
      const limit = isStarting(error) ? STARTING_MS : UNREACHABLE_MS
      if (!isUnavailable(error) || performance.now() - began > limit || stopping?.aborted)
        throw new StartError(`The database cannot be used: ${reason}. Check DATABASE_URL.`)
      if (reason !== said) log.warn(`waiting for the database: ${reason}`)
      said = reason
      await sleep(AGAIN_MS, undefined, stopping ? { signal: stopping } : {}).catch(() => {})
    }
  }
}
