import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** Background work, added in the transaction that requires it and run at least once after the commit. */
export interface Job<P> {
  readonly name: string
  /** @param priority lower numbers run first; default 0. @param delaySeconds runs it this long after, default 0 */
  add(tx: Db, payload: P, priority?: number, delaySeconds?: number): Promise<void>
}

export interface JobHandler<C> {
  readonly name: string
  /** Whether it waits for machines of others, such as registries, for minutes. Slow jobs do not keep the others waiting. */
  readonly slow: boolean
  run(context: C, payload: unknown): Promise<void>
}

/** @param name stored in the database, so never change it */
export const job = <P>(name: string): Job<P> => ({
  name,
  async add(tx, payload, priority = 0, delaySeconds = 0) {
    await tx.run(sql`
      select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json, max_attempts => 8, priority => ${priority},
        run_at => now() + make_interval(secs => ${delaySeconds}))`)
  },
})

export const handle = <C, P>(
  { name }: Job<P>,
  run: (context: C, payload: P) => Promise<void>,
  { slow = false } = {},
): JobHandler<C> => ({
  name,
  slow,
  run: (context, payload) => run(context, payload as P),
})
