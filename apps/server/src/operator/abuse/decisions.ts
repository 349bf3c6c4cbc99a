import { queueEmail } from '../../platform/mail/queue.ts'
import { type Context, type Db, now } from '../context.ts'
import { type CaseRow, closeCase, lockOpenCase, reportersOf } from './cases-repository.ts'
import { decisionEmail } from './emails.ts'
import { keyOfContent } from './report-target.ts'

export {
  type CaseRow,
  countOpenCases,
  findCase,
  type ListedCase,
  lockCase,
  pageOfCases,
  reportsOf,
  setNote,
} from './cases-repository.ts'

type Deps = Pick<Context, 'clock'>

/** Closes a case and tells its reporters, of those who left an address. They learn the decision only, not why, nor whose the content is. */
export async function decide(
  context: Deps,
  tx: Db,
  { id, created_at }: Pick<CaseRow, 'id' | 'created_at'>,
  { by, decision }: { by: string; decision: 'blocked' | 'kept' },
): Promise<void> {
  await closeCase(tx, id, { at: now(context), by, decision })
  for (const { email, lang } of await reportersOf(tx, id))
    await queueEmail(context, tx, email, decisionEmail(lang, decision, created_at), { lowPriority: true })
}

/** A block decides the open case of its content. @returns the case's id */
export async function decideByBlock(context: Deps, tx: Db, cid: string, by: string): Promise<number | undefined> {
  const open = await lockOpenCase(tx, keyOfContent(cid))
  if (open) await decide(context, tx, open, { by, decision: 'blocked' })
  return open?.id
}
