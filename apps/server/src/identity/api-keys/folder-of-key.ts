import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** The folder that the key is restricted to. Undefined if it is unrestricted, unknown, or a key of another account. */
export const folderOfKey = async (db: Db, userId: number, keyHash: Buffer): Promise<number | undefined> =>
  (
    await db.maybe<{ folder_id: number | null }>(sql`
      select folder_id from api_keys where key_hash = ${keyHash} and user_id = ${userId}`)
  )?.folder_id ?? undefined
