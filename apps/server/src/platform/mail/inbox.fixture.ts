import type { TestEnv } from '../../test-env.fixture.ts'
import { sql } from '../db/sql.ts'
import type { MailboxEntry } from './mailbox-page.ts'
import { sendMail } from './send.ts'

/** For tests: sends queued e-mails and returns those to an address, newest first. */
export async function inbox(env: TestEnv, to: string): Promise<MailboxEntry[]> {
  const queued = await env.db.rows<{ id: number }>(sql`select id from mails where sent_at is null order by id`)
  for (const { id } of queued) await sendMail(env.context, id)
  const answer = await env.app.inject({ url: '/dev/mailbox.json', query: { to } })
  return answer.json<{ mails: MailboxEntry[] }>().mails
}

/** For tests: the latest code that was e-mailed to an address. */
export async function lastCode(env: TestEnv, to: string): Promise<string> {
  const code = (await inbox(env, to))[0]?.code
  if (!code) throw new Error(`no code was sent to ${to}`)
  return code
}
