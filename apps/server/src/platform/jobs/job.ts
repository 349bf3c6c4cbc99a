import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** Work that is written in the transaction that makes it necessary and done afterwards, at least once. */
export interface Job<P> {
  readonly name: string
  /**
   * Adds the job in the caller's transaction: it exists exactly when the transaction is committed.
   * @param priority jobs of a lower one go first; 0 when left out
   */
  add(tx: Db, payload: P, priority?: number): Promise<void>
}

/** How a job is done. */
export interface JobHandler<C> {
  readonly name: string
  run(context: C, payload: unknown): Promise<void>
}

/** @param name as it stands in the database: never changed */
export const job = <P>(name: string): Job<P> => ({
  name,
  async add(tx, payload, priority = 0) {
    await tx.run(sql`
      select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json, max_attempts => 8, priority => ${priority})`)
  },
})

/** What was added is what is run: both have the job's type. */
export const handle = <C, P>({ name }: Job<P>, run: (context: C, payload: P) => Promise<void>): JobHandler<C> => ({
  name,
  run: (context, payload) => run(context, payload as P),
})
