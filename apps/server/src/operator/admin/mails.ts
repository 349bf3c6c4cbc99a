import { type AdminMail, AppError, type contract, type Output, type Parsed } from '@tidenet/contract'
import { idAfter, pageOf } from '../../platform/db/cursors.ts'
import { lockMailForUpdate, type MailRow, pageOfMails, resend } from '../../platform/mail/administration.ts'
import { change, type Deps, type Operator } from './change.ts'

type Admin = (typeof contract)['admin']

const asMail = ({ created_at, sent_at, ...row }: MailRow): AdminMail => ({
  ...row,
  created_at: created_at.toISOString(),
  sent_at: sent_at?.toISOString() ?? null,
})

export async function listMails(
  { db }: Pick<Deps, 'db'>,
  { after, size, ...filter }: Parsed<Admin['mails']>,
): Promise<Output<Admin['mails']>> {
  const rows = await pageOfMails(db, filter, idAfter(after), size + 1)
  const { list, next } = pageOf(rows, size, (last) => [last.id])
  return { list: list.map(asMail), next }
}

/** Queues the e-mail once more, also if it was sent before. @throws AppError notFound, mailTextGone */
export const resendMail = (
  context: Deps,
  operator: Operator,
  { id }: Parsed<Admin['mailResend']>,
): Promise<AdminMail> =>
  change(context, operator, { action: 'mail.resend', subject: `mail:${id}` }, async (tx) => {
    const was = await lockMailForUpdate(tx, id)
    if (!was) throw new AppError('notFound')
    if (!was.has_text) throw new AppError('mailTextGone')
    const row = await resend(tx, id)
    return { result: asMail(row), detail: { before: was.state } }
  })
