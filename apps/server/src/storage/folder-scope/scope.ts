import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

/** The folders of a key and all below them. Deleted ones have nothing below them. */
export const scopeOf = (userId: number, roots: readonly number[]): Sql => sql`(
  with recursive scope as (
    select id from folders where user_id = ${userId} and id = any(${roots})
    union
    select f.id from scope join folders f on f.user_id = ${userId} and f.parent_id = scope.id
  ) select id from scope)`

interface Scoped {
  userId: number
  folders: readonly number[]
}

/** Which of these folders are the key's, or below them. Walks up, because that reads fewer rows than `scopeOf`. */
export const findPlaces = (db: Db, { userId, folders }: Scoped, ids: readonly number[]) =>
  findByPath(db, userId, ids, sql`id = any(${folders})`)

/** Which of these folders are below the key's. A folder of a key counts if it is below another one. */
export const findFoldersBelow = (db: Db, { userId, folders }: Scoped, ids: readonly number[]) =>
  findByPath(db, userId, ids, sql`id = any(${folders}) and id <> item`)

const findByPath = async (db: Db, userId: number, ids: readonly number[], found: Sql): Promise<Set<number>> => {
  const rows = await db.rows<{ item: number }>(sql`
    with recursive up as (
      select id as item, id, parent_id from folders where user_id = ${userId} and id = any(${ids})
      union
      select up.item, f.id, f.parent_id from up join folders f on f.user_id = ${userId} and f.id = up.parent_id
    ) select item from up where ${found}`)
  return new Set(rows.map(({ item }) => item))
}

/** Which of these items of the trash were in the folders of a key, or below them. */
export const findTrashBelow = async (
  db: Db,
  { userId, folders }: Scoped,
  ids: readonly number[],
): Promise<Set<number>> => {
  const rows = await db.rows<{ id: number }>(sql`
    select id from trash where user_id = ${userId} and id = any(${ids}) and folder_id in ${scopeOf(userId, folders)}`)
  return new Set(rows.map(({ id }) => id))
}

/** The item that a share link of the account opens. */
export const findTargetOfLink = (db: Db, userId: number, id: string) =>
  db.maybe<{ target: string; asset_id: number | null }>(
    sql`select target, asset_id from links where user_id = ${userId} and id = ${id}`,
  )
