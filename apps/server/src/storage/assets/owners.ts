import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/**
 * Accounts that list a content, or have published a folder of single files with this root, each once, in the order of their ids.
 * `name` is that of their earliest entry, otherwise of the folder.
 */
export const ownersOfContent = (db: Db, cid: string, after: number, limit: number) =>
  db.rows<{ user_id: number; name: string }>(sql`
    select distinct on (user_id) user_id, name from (
      select user_id, 0 as place, id, name from assets where cid = ${cid} and user_id > ${after}
      union all select p.user_id, 1, p.id, f.name from publications p join folders f on f.id = p.folder_id
        where p.cid = ${cid} and p.user_id > ${after}
    ) o order by user_id, place, id limit ${limit}`)
