import type { Db } from '../../platform/db/db.ts'
import { prepared, sql } from '../../platform/db/sql.ts'

/** Folders as parts of the keys of objects: the name, or the exact part if no folder can have it as a name. */

export interface KeyFolder {
  parent_id: number
  part: string
  id: number
}

/** The folders with these parts, each in its parent; of several with the same part, the oldest. */
export const findFoldersOfParts = (db: Db, userId: number, wanted: readonly { parent: number; part: string }[]) =>
  db.rows<KeyFolder>(prepared`
    select w.parent_id, w.part, min(f.id) as id
    from unnest(${wanted.map(({ parent }) => parent)}::bigint[], ${wanted.map(({ part }) => part)}::text[]) w (parent_id, part)
    join folders f on f.user_id = ${userId} and f.parent_id = w.parent_id
      and (coalesce(f.key_part, f.name) || '/') collate "C" = (w.part || '/') collate "C"
    group by w.parent_id, w.part`)

/** The folders of the root, or those of a key that is limited to folders; of several with the same name, the oldest first. */
export const findTopFolders = (db: Db, userId: number, folders: readonly number[] | null) =>
  db.rows<{ id: number; name: string; created_at: Date }>(sql`
    select id, name, created_at from folders
    where user_id = ${userId} and ${folders ? sql`id = any(${folders})` : sql`parent_id = 0`} order by name collate "C", id`)

/** From now on the folder is this part of keys; renaming it makes its new name the part. */
export const setKeyPart = (tx: Db, folderId: number, part: string) =>
  tx.run(sql`update folders set key_part = ${part} where id = ${folderId}`)
