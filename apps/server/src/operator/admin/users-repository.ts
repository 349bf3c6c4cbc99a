import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** Number of folders and shares of an account, and its download traffic since `month`. */
export const storedBy = (db: Db, id: number, month: Date): Promise<{ folders: number; shares: number; sent: number }> =>
  db.one(sql`
    select (select count(*) from folders where user_id = ${id}) as folders,
      (select count(*) from links where user_id = ${id}) as shares,
      (select coalesce(sum(sent), 0) from usage_hours where user_id = ${id} and hour >= ${month}) as sent`)
