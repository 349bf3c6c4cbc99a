import type { Db } from './db.ts'
import { sql } from './sql.ts'

/** Waits for the lock of this name and holds it until the transaction ends. */
export const advisoryLock = (tx: Db, name: string): Promise<number> =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
