import type { contract, Output, Parsed } from '@tidenet/contract'
import { notify, setNotificationChoice } from '../../identity/index.ts'
import { devicesOfOwners, ownersAfter } from '../../network/index.ts'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Context, now } from '../context.ts'
import { dayOf } from './close.ts'
import { closedUntil } from './repository.ts'
import { weeklyEmail } from './weekly-email.ts'
import * as repository from './weekly-repository.ts'

type Earnings = (typeof contract)['earnings']
type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'portalUrl'>

/** Accounts per transaction. */
const BATCH = 200

/** The Monday (UTC) on or before a time. */
export const mondayOf = (at: Date): string => dayOf(ago(at, ((at.getUTCDay() + 6) % 7) * DAY))

/**
 * Sends every account with devices one e-mail about the week that is over: when all its hours are closed, and if it earned something or a
 * device has a problem. Each batch is one transaction with the cursor, so that a crash or a second server sends nothing twice.
 */
export async function sendWeeklySummaries(context: Deps, signal?: AbortSignal): Promise<void> {
  const week = await dueWeek(context)
  while (week && !signal?.aborted && (await context.db.transaction((tx) => sendBatch(context, tx, week))) === 'more');
}

/** The first run of a network only notes where it begins. Of weeks that no server was there for, only the last one is due. */
async function dueWeek({ db, clock }: Deps): Promise<string | undefined> {
  const closed = await closedUntil(db)
  if (!closed) return undefined
  const week = mondayOf(ago(closed, 7 * DAY))
  const last = await repository.lastWeek(db)
  if (!last) await repository.insertWeek(db, week, now({ clock }))
  if (!last || (last.done && last.week >= week)) return undefined
  if (!last.done) return last.week
  await repository.insertWeek(db, week, null)
  return week
}

async function sendBatch(context: Deps, tx: Db, week: string): Promise<'more' | 'done' | 'locked'> {
  const open = await repository.lockWeek(tx, week)
  if (!open) return 'locked'
  const owners = await ownersAfter(tx, open.after, BATCH)
  const last = owners.at(-1)
  if (!last) {
    await repository.endWeek(tx, week, now(context))
    return 'done'
  }
  const ids = owners.map(({ owner_id }) => owner_id)
  const [earned, devices] = [await repository.weekOf(tx, ids, week), await devicesOfOwners(tx, ids)]
  const names = new Map(devices.map(({ node_id, name }) => [node_id, name]))
  for (const { owner_id, lang } of owners) {
    const summary = {
      week,
      earned: earned
        .filter(({ user_id, traffic, storage }) => user_id === owner_id && traffic + storage > 0)
        .map(({ node_id, ...amounts }) => ({ ...amounts, name: names.get(node_id) || node_id })),
      problems: devices.flatMap(({ owner_id: of, node_id, name, problem }) =>
        of === owner_id && problem ? [{ name: name || node_id, problem }] : [],
      ),
    }
    if (summary.earned.length + summary.problems.length === 0) continue
    const page = `${context.portalUrl()}/devices`
    await notify(context, tx, owner_id, 'earnings', (to) => weeklyEmail(to, summary, page), { lang })
  }
  await repository.moveWeek(tx, week, last.owner_id)
  return 'more'
}

export async function setWeeklyMail(
  { db }: Pick<Deps, 'db'>,
  { userId }: Member,
  { weekly }: Parsed<Earnings['mail']>,
): Promise<Output<Earnings['mail']>> {
  await setNotificationChoice(db, userId, 'earnings', { email: weekly })
  return { weekly }
}
