import { type Context, now } from '../context.ts'
import type { Db } from '../db/db.ts'
import { addJob } from '../jobs.ts'
import { insertMail } from './repository.ts'
import type { Letter } from './templates.ts'

/** Writes a mail that goes out once the caller's transaction is committed. */
export async function postMail(
  context: Pick<Context, 'clock'>,
  tx: Db,
  recipient: string,
  letter: Letter,
): Promise<void> {
  const { id } = await insertMail(tx, recipient, letter, now(context))
  await addJob(tx, 'sendMail', { mail: id })
}
