import { escapeLike } from '../../platform/db/cursors.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

/** What other domains may know of an account. */
export interface Person {
  id: number
  uid: string
  email: string | null
  locked: boolean
}

/** These accounts, by their ids. */
export async function accountsOf(db: Db, ids: readonly number[]): Promise<Map<number, Person>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<Person>(sql`
    select id, uid, email, locked_at is not null as locked from users where id = any(${[...new Set(ids)]}::bigint[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** A query of the ids of all accounts whose public name begins so, to be asked within another query. */
export const idsOfNamed = (start: string): Sql => sql`select id from users where uid like ${`${escapeLike(start)}%`}`
