import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

export const insertChange = (
  tx: Db,
  change: { userId: number; oldEmail: string; undoHash: Buffer; at: Date; undoUntil: Date },
): Promise<number> =>
  tx.run(sql`
    insert into email_changes (user_id, old_email, undo_hash, changed_at, undo_until)
    values (${change.userId}, ${change.oldEmail}, ${change.undoHash}, ${change.at}, ${change.undoUntil})`)

/** Whether another account had this address and can still get it back. */
export const isKeptForOther = async (tx: Db, email: string, userId: number, at: Date): Promise<boolean> =>
  (
    await tx.one<{ kept: boolean }>(sql`
      select exists (select from email_changes
        where old_email = ${email} and user_id <> ${userId} and ended_at is null and undo_until > ${at}) as kept`)
  ).kept

interface EmailChange {
  id: number
  user_id: number
  old_email: string
  changed_at: Date
}

/** Undefined if the change cannot be undone any more. */
export const findChange = (db: Db, undoHash: Buffer, at: Date): Promise<EmailChange | undefined> =>
  db.maybe(sql`
    select id, user_id, old_email, changed_at from email_changes
    where undo_hash = ${undoHash} and ended_at is null and undo_until > ${at}`)

/** Neither this change nor a later one can be undone then. */
export const endChanges = (tx: Db, userId: number, from: number, at: Date): Promise<number> =>
  tx.run(sql`
    update email_changes set ended_at = ${at} where user_id = ${userId} and id >= ${from} and ended_at is null`)

/** Addresses that the account had and can get back. */
export const findFormerEmails = async (db: Db, userId: number, at: Date): Promise<string[]> =>
  (
    await db.rows<{ email: string }>(sql`
      select distinct old_email as email from email_changes
      where user_id = ${userId} and ended_at is null and undo_until > ${at} order by email limit 20`)
  ).map(({ email }) => email)

export const expired = (at: Date): Sql[] => [
  sql`delete from email_changes where id in (
    select id from email_changes where undo_until < ${at} limit ${EXPIRED_BATCH} for update skip locked)`,
]

export const erased = (userId: number): Sql[] => [sql`delete from email_changes where user_id = ${userId}`]

export const exported = (userId: number): Sql => sql`
  select id as row_key, old_email, changed_at, undo_until from email_changes where user_id = ${userId}`
