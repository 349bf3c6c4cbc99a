import type { Db } from '../../platform/db/db.ts'
import { prepared, sql } from '../../platform/db/sql.ts'

/** Files as objects with keys. */

export interface KeyPlace {
  folderId: number
  /** The last part of the key. */
  part: string
}

/** The entries with these keys; of several with the same key, the newest. */
export const findOfKeys = (db: Db, userId: number, places: readonly KeyPlace[]) =>
  db.rows<{ folder_id: number; part: string; id: number; name: string }>(prepared`
    select w.folder_id, w.part, a.id, a.name
    from unnest(${places.map(({ folderId }) => folderId)}::bigint[], ${places.map(({ part }) => part)}::text[]) w (folder_id, part)
    cross join lateral (
      select id, name from assets where user_id = ${userId} and folder_id = w.folder_id
        and coalesce(key_part, name) collate "C" = w.part collate "C"
      order by id desc limit 1
    ) a`)

/** From now on the entry has this part in its key; renaming it makes its new name the part. */
export const setKeyPart = (tx: Db, assetId: number, part: string) =>
  tx.run(sql`update assets set key_part = ${part} where id = ${assetId}`)
