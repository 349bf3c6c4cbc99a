import type { TestEnv } from '../../test-env.fixture.ts'
import { sql } from '../db/sql.ts'
import type { MailboxEntry } from './mailbox-page.ts'
import { sendMail } from './send.ts'

/** For tests: carries out the waiting mail jobs and reads what has arrived for an address, newest first. */
export async function inbox(world: TestEnv, to: string): Promise<MailboxEntry[]> {
  const waiting = await world.db.rows<{ id: number }>(sql`select id from mails where sent_at is null order by id`)
  for (const { id } of waiting) await sendMail(world.context, id)
  const answer = await world.app.inject({ url: '/dev/mailbox.json', query: { to } })
  return answer.json<{ mails: MailboxEntry[] }>().mails
}

/** For tests: the code that was last mailed to an address. */
export async function lastCode(world: TestEnv, to: string): Promise<string> {
  const code = (await inbox(world, to))[0]?.code
  if (!code) throw new Error(`no code has arrived at ${to}`)
  return code
}
