import { notify, planMonth, plansOf, storedBytes, teamNames } from '../../identity/index.ts'
import { ago } from '../../platform/ago.ts'
import { type Context, type Db, now } from '../context.ts'
import { usageEmail } from './alert-emails.ts'
import { levelOf } from './alert-levels.ts'
import { type Alert, alertsOf, deleteAlert, findCandidates, type Resource, setAlert } from './alerts-repository.ts'
import { usedSince } from './repository.ts'
import { HOUR } from './series.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'portalUrl'>

/** Usage is recorded by the hour, and by nodes that may report late. */
const ACTIVE_MS = 6 * HOUR
/** Accounts per query; each alert is a transaction. */
const BATCH = 500

/** Tells owners once when 80 and 100 % of their storage, or of their download traffic of a month of the plan, are used. */
export async function alertOfUsage(context: Deps, signal?: AbortSignal): Promise<void> {
  const since = ago(now(context), ACTIVE_MS)
  let after = 0
  for (;;) {
    const ids = await findCandidates(context.db, since, after, BATCH)
    if (ids.length > 0) await alertAccounts(context, ids)
    after = ids.at(-1) ?? after
    if (ids.length < BATCH || signal?.aborted) return
  }
}

async function alertAccounts(context: Deps, ids: readonly number[]): Promise<void> {
  const { db } = context
  const at = now(context)
  const plans = [...(await plansOf(db, ids))].map(([id, plan]) => ({ id, plan, month: planMonth(plan, at) }))
  const sent = await usedSince(
    db,
    plans.map(({ id, month }) => [id, month.from]),
  )
  const stored = await storedBytes(db, ids)
  const told = new Map((await alertsOf(db, ids)).map((alert) => [keyOf(alert.user_id, alert.resource), alert]))
  for (const { id, plan, month } of plans) {
    const check = (resource: Resource, used: number, quota: number, period: Date | null) =>
      decide(context, told.get(keyOf(id, resource)), { user_id: id, resource, period, used, quota, until: month.to })
    await check('storage', stored.get(id) ?? 0, plan.storage, null)
    await check('traffic', sent.get(id)?.sent ?? 0, plan.downloadTraffic, month.from)
  }
}

const keyOf = (userId: number, resource: Resource) => `${userId} ${resource}`

async function decide(
  context: Deps,
  told: Alert | undefined,
  { used, quota, until, ...alert }: Omit<Alert, 'level'> & { used: number; quota: number; until: Date },
): Promise<void> {
  // A new month begins without anything told.
  const before = told && told.period?.getTime() === alert.period?.getTime() ? told.level : 0
  const level = levelOf(before, used, quota)
  if (level === (told?.level ?? 0) && before === level) return
  await context.db.transaction(async (tx) => {
    if (level === 0) await deleteAlert(tx, alert.user_id, alert.resource)
    else if ((await setAlert(tx, { ...alert, level })) && level > before) await tell(context, tx, alert, level, until)
  })
}

async function tell(
  context: Deps,
  tx: Db,
  { user_id, resource }: Pick<Alert, 'user_id' | 'resource'>,
  percent: number,
  until: Date,
): Promise<void> {
  const team = (await teamNames(tx, [user_id])).get(user_id) ?? ''
  const page = `${context.portalUrl()}/center`
  await notify(context, tx, user_id, 'usage', (lang) => usageEmail(lang, { resource, percent, until, team }, page))
}
