import { createDb, type Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { DatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { Context } from '../context.ts'

/** The database is queried at most once in this time. */
const FRESH_MS = 1000
/** If the database takes longer, the last result is used, if it is not older than `MAX_AGE_MS`. */
const TIMEOUT_MS = 1000
const MAX_AGE_MS = 10_000

/**
 * Readiness of this server. It uses its own database connection: under load the pool is exhausted, and a queued health check would make a
 * busy server look dead.
 */
export function createHealth({ config, log }: Pick<Context, 'config' | 'log'>) {
  const db = createDb(config.databaseUrl, { max: 1, waitMs: 5000, log })
  const freshMs = config.pace === 'quick' ? 0 : FRESH_MS
  let pending: Promise<number> | undefined
  let last: { at: number; nodes: number } | undefined
  let failing = false

  const query = (): Promise<number> => {
    pending ??= countUsable(db)
      .then((nodes) => {
        last = { at: performance.now(), nodes }
        failing = false
        return nodes
      })
      .catch((error: unknown) => {
        last = undefined
        if (!failing) log.warn({ err: error }, 'unhealthy: the database does not answer')
        failing = true
        throw error
      })
      .finally(() => {
        pending = undefined
      })
    return pending
  }
  const age = () => (last ? performance.now() - last.at : Number.POSITIVE_INFINITY)

  return {
    /** Number of usable nodes. @throws DatabaseUnavailable */
    async nodes(): Promise<number> {
      if (last && age() < freshMs) return last.nodes
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), TIMEOUT_MS)
      })
      const answered = await Promise.race([query(), late]).finally(() => clearTimeout(timer))
      if (answered !== undefined) return answered
      if (last && age() < MAX_AGE_MS) return last.nodes
      throw new DatabaseUnavailable(new Error('the database did not answer a health check in time'))
    },
    close: () => db.close(),
  }
}

/** Nodes that are online and reachable. */
const countUsable = async (db: Db): Promise<number> =>
  (await db.one<{ usable: number }>(sql`select count(*) as usable from nodes where status = 'online' and reachable`))
    .usable
