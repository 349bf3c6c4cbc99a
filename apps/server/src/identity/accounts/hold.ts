import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** Until the transaction ends nobody else enters the account, nor changes the ways into it, its wallets or its passwords. */
export const holdUser = (tx: Db, id: number): Promise<{ id: number } | undefined> =>
  tx.maybe(sql`select id from users where id = ${id} for update`)
