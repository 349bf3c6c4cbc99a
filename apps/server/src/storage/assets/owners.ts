import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** Accounts that list a content, each once, with the name of their earliest entry; in the order of their ids. */
export const ownersOfContent = (db: Db, cid: string, after: number, limit: number) =>
  db.rows<{ user_id: number; name: string }>(sql`
    select distinct on (user_id) user_id, name from assets where cid = ${cid} and user_id > ${after} order by user_id, id limit ${limit}`)
