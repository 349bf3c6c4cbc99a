import type { Db } from './db.ts'
import { sql } from './sql.ts'

/** Unix ms of the database's clock. */
export const readDatabaseTime = async (db: Db): Promise<number> =>
  (await db.one<{ ms: number }>(sql`select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`)).ms
