import type { AdminMail, MailState } from '@tidenet/contract'
import { escapeLike } from '../db/cursors.ts'
import type { Db } from '../db/db.ts'
import { none, type Sql, sql } from '../db/sql.ts'
import { sendMailJob } from './queue.ts'

/** A mail as operators see it. */
export type MailRow = Omit<AdminMail, 'created_at' | 'sent_at'> & { created_at: Date; sent_at: Date | null }

const hasState: Readonly<Record<MailState, Sql>> = {
  waiting: sql`m.sent_at is null`,
  sent: sql`m.sent_at is not null and m.error is null`,
  refused: sql`m.sent_at is not null and m.error is not null`,
}

const columns: Sql = sql`m.id, m.recipient, m.subject, coalesce(m.error, '') as error, m.created_at, m.sent_at,
  m.body_text <> '' as has_text,
  case when m.sent_at is null then 'waiting' when m.error is null then 'sent' else 'refused' end as state`

/** Newest first. */
export const pageOfMails = (
  db: Db,
  { q, state }: { q?: string | undefined; state?: MailState | undefined },
  before: number | undefined,
  limit: number,
): Promise<MailRow[]> =>
  db.rows(sql`
    select ${columns} from mails m where true
      ${state === undefined ? none : sql`and ${hasState[state]}`}
      ${q ? sql`and m.recipient ilike ${`%${escapeLike(q)}%`}` : none}
      ${before === undefined ? none : sql`and m.id < ${before}`}
    order by m.id desc limit ${limit}`)

export const lockMailForUpdate = (tx: Db, id: number): Promise<MailRow | undefined> =>
  tx.maybe(sql`select ${columns} from mails m where m.id = ${id} for update`)

/** Queues the mail again, even if it was sent before. */
export async function resend(tx: Db, id: number): Promise<MailRow> {
  const row = await tx.one<MailRow>(
    sql`update mails m set sent_at = null, error = null where id = ${id} returning ${columns}`,
  )
  await sendMailJob.add(tx, { mail: id })
  return row
}

export const mailFigures = (db: Db, weekAgo: Date): Promise<{ waiting: number; failing: number; refused_7d: number }> =>
  db.one(sql`
    select count(*) filter (where sent_at is null) as waiting, count(*) filter (where sent_at is null and error is not null) as failing,
      count(*) filter (where sent_at > ${weekAgo} and error is not null) as refused_7d
    from mails`)
