import type { Db } from './db.ts'
import { prepared, sql } from './sql.ts'

/** Waits for the lock of this name and holds it until the transaction ends. */
export const advisoryLock = (tx: Db, name: string): Promise<number> =>
  tx.run(prepared`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)

/** The same for several names, in an order that prevents deadlocks. */
export const advisoryLocks = (tx: Db, names: readonly string[]): Promise<number> =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${[...names].sort()}::text[]) name`)
