import { CHAT_MAILS_PER_ADDRESS_DAY, type Lang } from '@tidenet/contract'
import { accountsOf, notify } from '../../identity/index.ts'
import { DAY } from '../../platform/ago.ts'
import { countFailure } from '../../platform/attempts/attempts.ts'
import { queueEmail } from '../../platform/mail/queue.ts'
import { type Context, type Db, now } from '../context.ts'
import { answerEmail } from './emails.ts'
import * as repository from './repository.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'portalUrl'>

/** Answers in one e-mail. */
const ANSWERS = 20

/** Mails answers that were not read for a while. Each conversation is handled by one of several servers, in one transaction. */
export async function mailAnswers(context: Deps, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await context.db.transaction((tx) => mailNext(context, tx))));
}

/** @returns false if nothing is due */
async function mailNext(context: Deps, tx: Db): Promise<boolean> {
  const at = now(context)
  const row = await repository.lockMailDue(tx, at)
  if (!row) return false
  const from = Math.max(row.read_seq, row.mailed_seq)
  const rows = await repository.answersAfter(tx, row.id, from, ANSWERS + 1)
  await repository.updateConversation(tx, { ...row, mailed_seq: row.last_seq, mail_due_at: null })
  if (rows.length === 0) return true
  const account = row.user_id === null ? undefined : (await accountsOf(tx, [row.user_id])).get(row.user_id)
  // The account may have another address by now, and the previous one may belong to somebody else.
  const address = row.email === '' ? '' : account?.email || row.email
  if (account?.locked || !(await mayMail(context, tx, address, account?.email === address))) return true
  const answers = rows.slice(0, ANSWERS).map(({ text }) => text)
  const visitor = row.user_id === null
  const url = `${context.portalUrl()}/?chat`
  const write = (lang: Lang) => answerEmail(lang, { answers, more: rows.length > ANSWERS, visitor, url })
  if (row.user_id !== null && account?.email === address)
    await notify(context, tx, row.user_id, 'support', write, { lang: row.lang, lowPriority: false })
  else await queueEmail(context, tx, address, write(row.lang))
  return true
}

/** Anyone can name any address, so those that are not proved get few mails. What is not mailed waits in the chat. */
async function mayMail({ clock }: Deps, tx: Db, address: string, proved: boolean): Promise<boolean> {
  if (address === '') return false
  if (proved) return true
  const limit = { kind: 'chat mails', max: CHAT_MAILS_PER_ADDRESS_DAY, within: DAY }
  return (await countFailure({ db: tx, clock }, limit, address)) === 0
}
