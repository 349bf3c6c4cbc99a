import type { Lang } from '@tidenet/contract'
import { type Context, now } from '../context.ts'
import type { Db } from '../db/db.ts'
import { job } from '../jobs/job.ts'
import { insertMail } from './repository.ts'
import { type EmailText, withUnsubscribe } from './templates.ts'

export const sendMailJob = job<{ mail: number }>('sendMail')

interface Options {
  /** After those that a user is waiting for. */
  lowPriority?: boolean
  /** Where the recipient ends e-mails of this kind; '' or left out: these cannot be ended. */
  unsubscribe?: string
  /** Of the sentence with that address. */
  lang?: Lang
}

/** Sends an e-mail after the caller's transaction commits. Notices to accounts go through `notify` of identity, which knows their choices. */
export async function queueEmail(
  context: Pick<Context, 'clock'>,
  tx: Db,
  recipient: string,
  email: EmailText,
  { lowPriority = false, unsubscribe = '', lang = 'en' }: Options = {},
): Promise<void> {
  const text = unsubscribe === '' ? email : withUnsubscribe(lang, email, unsubscribe)
  const { id } = await insertMail(tx, recipient, { ...text, unsubscribe }, now(context))
  await sendMailJob.add(tx, { mail: id }, lowPriority ? 10 : 0)
}
