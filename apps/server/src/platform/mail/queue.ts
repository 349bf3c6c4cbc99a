import { type Context, now } from '../context.ts'
import type { Db } from '../db/db.ts'
import { job } from '../jobs/job.ts'
import { insertMail } from './repository.ts'
import type { EmailText } from './templates.ts'

export const sendMailJob = job<{ mail: number }>('sendMail')

/** Sends an e-mail after the caller's transaction commits. `lowPriority`: after those that a user is waiting for. */
export async function queueEmail(
  context: Pick<Context, 'clock'>,
  tx: Db,
  recipient: string,
  email: EmailText,
  { lowPriority = false }: { lowPriority?: boolean } = {},
): Promise<void> {
  const { id } = await insertMail(tx, recipient, email, now(context))
  await sendMailJob.add(tx, { mail: id }, lowPriority ? 10 : 0)
}
