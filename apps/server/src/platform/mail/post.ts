import { type Context, now } from '../context.ts'
import type { Db } from '../db/db.ts'
import { job } from '../jobs/job.ts'
import { insertMail } from './repository.ts'
import type { Letter } from './templates.ts'

/** Sends the mail with this number. */
export const mailToSend = job<{ mail: number }>('sendMail')

/** Writes a mail that goes out once the caller's transaction is committed; after those that somebody waits for, when it is `patient`. */
export async function postMail(
  context: Pick<Context, 'clock'>,
  tx: Db,
  recipient: string,
  letter: Letter,
  { patient = false }: { patient?: boolean } = {},
): Promise<void> {
  const { id } = await insertMail(tx, recipient, letter, now(context))
  await mailToSend.add(tx, { mail: id }, patient ? 10 : 0)
}
