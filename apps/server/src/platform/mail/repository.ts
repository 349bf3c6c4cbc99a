import { ago, DAY } from '../ago.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'
import { EXPIRED_BATCH } from '../tasks/expired.ts'
import type { Mail } from './mailer.ts'
import type { EmailText } from './templates.ts'

export const insertMail = (
  tx: Db,
  recipient: string,
  { subject, text, html, unsubscribe = '' }: EmailText & { unsubscribe?: string },
  at: Date,
): Promise<{ id: number }> =>
  tx.one(sql`
    insert into mails (recipient, subject, body_text, body_html, unsubscribe, created_at)
    values (${recipient}, ${subject}, ${text}, ${html}, ${unsubscribe}, ${at}) returning id`)

/** Undefined if the mail was sent or another server is sending it. */
export const lockUnsent = (tx: Db, id: number): Promise<(Mail & { created_at: Date }) | undefined> =>
  tx.maybe(sql`
    select id, recipient, subject, body_text, body_html, unsubscribe, created_at from mails
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

/** Records why the last attempt failed; it will be retried. */
export const markFailed = (db: Db, id: number, error: string): Promise<number> =>
  db.run(sql`update mails set error = ${error.slice(0, 500)} where id = ${id} and sent_at is null`)

export interface ArrivedMail {
  id: number
  recipient: string
  subject: string
  body_text: string
  sent_at: Date
}

/** Delivered mails whose text is still stored, newest first. Empty `to`: of all recipients. */
export const arrivedMails = (db: Db, to: string): Promise<ArrivedMail[]> =>
  db.rows(sql`
    select id, recipient, subject, body_text, sent_at from mails
    where sent_at is not null and body_text <> '' and (${to} = '' or recipient = ${to})
    order by id desc limit 50`)

/** Texts, which may contain codes, are deleted after a day; recipient and time after 30 days. */
export const expired = (at: Date): Sql[] => [
  sql`update mails set body_text = '', body_html = '' where id in (
    select id from mails where created_at < ${ago(at, DAY)} and body_text <> '' limit ${EXPIRED_BATCH} for update skip locked)`,
  sql`delete from mails where id in (
    select id from mails where created_at < ${ago(at, 30 * DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
]

/** Deletes the mails to an address that were sent. */
export const erased = (address: string): Sql[] => [
  sql`delete from mails where id in (
    select id from mails where recipient = ${address} and sent_at is not null limit ${EXPIRED_BATCH} for update skip locked)`,
]
