import { ago, DAY } from '../ago.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'
import { EXPIRED_BATCH } from '../tasks/expired.ts'
import type { Mail } from './mailer.ts'
import type { EmailText } from './templates.ts'

export const insertMail = (tx: Db, recipient: string, letter: EmailText, at: Date): Promise<{ id: number }> =>
  tx.one(sql`
    insert into mails (recipient, subject, body_text, body_html, created_at)
    values (${recipient}, ${letter.subject}, ${letter.text}, ${letter.html}, ${at}) returning id`)

/** The mail, kept from other senders until the transaction ends; none when it was sent or is being sent. */
export const lockUnsent = (tx: Db, id: number): Promise<(Mail & { created_at: Date }) | undefined> =>
  tx.maybe(sql`
    select id, recipient, subject, body_text, body_html, created_at from mails
    where id = ${id} and sent_at is null for update skip locked`)

export const markSent = (tx: Db, id: number, at: Date, keepsText: boolean): Promise<number> =>
  tx.run(sql`
    update mails set sent_at = ${at}, error = null,
      body_text = case when ${keepsText} then body_text else '' end,
      body_html = case when ${keepsText} then body_html else '' end
    where id = ${id}`)

export const markRefused = (tx: Db, id: number, at: Date, error: string): Promise<number> =>
  tx.run(sql`
    update mails set sent_at = ${at}, error = ${error.slice(0, 500)}, body_text = '', body_html = '' where id = ${id}`)

/** Why the last try failed; another one follows. */
export const markFailed = (db: Db, id: number, error: string): Promise<number> =>
  db.run(sql`update mails set error = ${error.slice(0, 500)} where id = ${id} and sent_at is null`)

export interface ArrivedMail {
  id: number
  recipient: string
  subject: string
  body_text: string
  sent_at: Date
}

/** The latest mails that have arrived, newest first; `to` narrows to one recipient. */
export const arrivedMails = (db: Db, to: string): Promise<ArrivedMail[]> =>
  db.rows(sql`
    select id, recipient, subject, body_text, sent_at from mails
    where sent_at is not null and body_text <> '' and (${to} = '' or recipient = ${to})
    order by id desc limit 50`)

/** Texts, which may hold codes, go after a day; to whom and when stays for operators, for 30. */
export const expired = (at: Date): Sql[] => [
  sql`update mails set body_text = '', body_html = '' where id in (
    select id from mails where created_at < ${ago(at, DAY)} and body_text <> '' limit ${EXPIRED_BATCH} for update skip locked)`,
  sql`delete from mails where id in (
    select id from mails where created_at < ${ago(at, 30 * DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
]
