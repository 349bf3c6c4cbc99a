import { createDb, type Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { DatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { Context } from '../context.ts'

/** The database is queried at most this often, however many health checks come. */
const FRESH_MS = 1000
/** After this wait, the last known result is used, */
const PATIENCE_MS = 1000
/** until it is this old. */
const OLDEST_MS = 10_000

/**
 * Readiness of this server. It uses its own database connection: under load the pool is exhausted, and a queued health check would make a
 * busy server look dead.
 */
export function createHealth({ config, log }: Pick<Context, 'config' | 'log'>) {
  const db = createDb(config.databaseUrl, { max: 1, waitMs: 5000, log })
  const freshMs = config.pace === 'quick' ? 0 : FRESH_MS
  let asking: Promise<number> | undefined
  let last: { at: number; nodes: number } | undefined
  let failing = false

  const ask = (): Promise<number> => {
    asking ??= countUsable(db)
      .then((nodes) => {
        last = { at: performance.now(), nodes }
        failing = false
        return nodes
      })
      .catch((error: unknown) => {
        last = undefined
        if (!failing) log.warn({ err: error }, 'not healthy: the database does not answer')
        failing = true
        throw error
      })
      .finally(() => {
        asking = undefined
      })
    return asking
  }
  const age = () => (last ? performance.now() - last.at : Number.POSITIVE_INFINITY)

  return {
    /** Number of usable nodes. @throws DatabaseUnavailable */
    async nodes(): Promise<number> {
      if (last && age() < freshMs) return last.nodes
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), PATIENCE_MS)
      })
      const answered = await Promise.race([ask(), late]).finally(() => clearTimeout(timer))
      if (answered !== undefined) return answered
      if (last && age() < OLDEST_MS) return last.nodes
      throw new DatabaseUnavailable(new Error('it has not answered a health check in time'))
    },
    close: () => db.close(),
  }
}

/** Nodes that are online and reachable. */
const countUsable = async (db: Db): Promise<number> =>
  (await db.one<{ usable: number }>(sql`select count(*) as usable from nodes where status = 'online' and reachable`))
    .usable
