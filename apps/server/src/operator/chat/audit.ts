import { countFailure } from '../../platform/attempts/attempts.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Deps, Operator } from '../admin/change.ts'
import type { Db } from '../context.ts'

/** Reading is recorded once per agent, conversation and hour: every page and event would hide the rest of the log. */
const HOUR = 3_600_000

const isFirst = async (tx: Db, { clock }: Pick<Deps, 'clock'>, subject: string): Promise<boolean> =>
  (await countFailure({ db: tx, clock }, { kind: 'chat reads', max: 1, within: HOUR }, subject)) === 0

export const subjectOf = (id: number): string => `chat:${id}`

/** Records that an agent reads a conversation. @param customer the uid; empty: a visitor */
export async function recordReading(
  context: Deps,
  { caller, ip }: Operator,
  { id, customer }: { id: number; customer: string },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    if (!(await isFirst(tx, context, `${caller.userId} ${id}`))) return
    await audit(tx, context, caller, { ip }, { action: 'chat.open', subject: subjectOf(id), detail: { customer } })
  })
}

/** Records that an agent opens the desk, which receives the messages of all conversations. */
export async function recordFollowing(tx: Db, context: Pick<Deps, 'clock'>, { caller, ip }: Operator): Promise<void> {
  if (!(await isFirst(tx, context, `${caller.userId} desk`))) return
  await audit(tx, context, caller, { ip }, { action: 'chat.follow', subject: `user:${caller.uid}` })
}
