import { type AdminMail, AppError, type contract, type MailState, type Output, type Parsed } from '@tidenet/contract'
import { idAfter, literally, pageOf } from '../../platform/db/cursors.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { mailToSend } from '../../platform/mail/post.ts'
import { change, type Needs, type Operator } from './change.ts'

type Admin = (typeof contract)['admin']
type MailRow = Omit<AdminMail, 'created_at' | 'sent_at'> & { created_at: Date; sent_at: Date | null }

const isIn: Readonly<Record<MailState, Sql>> = {
  waiting: sql`m.sent_at is null`,
  sent: sql`m.sent_at is not null and m.error is null`,
  refused: sql`m.sent_at is not null and m.error is not null`,
}

const columns: Sql = sql`m.id, m.recipient, m.subject, coalesce(m.error, '') as error, m.created_at, m.sent_at,
  m.body_text <> '' as has_text,
  case when m.sent_at is null then 'waiting' when m.error is null then 'sent' else 'refused' end as state`

const asMail = ({ created_at, sent_at, ...row }: MailRow): AdminMail => ({
  ...row,
  created_at: created_at.toISOString(),
  sent_at: sent_at?.toISOString() ?? null,
})

export async function listMails(
  { db }: Pick<Needs, 'db'>,
  { q, state, after, size }: Parsed<Admin['mails']>,
): Promise<Output<Admin['mails']>> {
  const before = idAfter(after)
  const rows = await db.rows<MailRow>(sql`
    select ${columns} from mails m where true
      ${state === undefined ? none : sql`and ${isIn[state]}`}
      ${q ? sql`and m.recipient ilike ${`%${literally(q)}%`}` : none}
      ${before === undefined ? none : sql`and m.id < ${before}`}
    order by m.id desc limit ${size + 1}`)
  const { list, next } = pageOf(rows, size, (last) => [last.id])
  return { list: list.map(asMail), next }
}

/** Sends it again, once, also when it went out before. @throws AppError notFound, mailTextGone */
export const resendMail = (
  context: Needs,
  operator: Operator,
  { id }: Parsed<Admin['mailResend']>,
): Promise<AdminMail> =>
  change(context, operator, { action: 'mail.resend', subject: `mail:${id}` }, async (tx) => {
    const was = await tx.maybe<MailRow>(sql`select ${columns} from mails m where m.id = ${id} for update`)
    if (!was) throw new AppError('notFound')
    if (!was.has_text) throw new AppError('mailTextGone')
    const row = await tx.one<MailRow>(
      sql`update mails m set sent_at = null, error = null where id = ${id} returning ${columns}`,
    )
    await mailToSend.add(tx, { mail: id })
    return { result: asMail(row), detail: { before: was.state } }
  })
