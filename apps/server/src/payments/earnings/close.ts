import { accountsOf } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { issueReceipts } from '../../platform/transparency-log/issue.ts'
import { type Context, now } from '../context.ts'
import { computeHours, HOUR_MS, paidShare } from './inputs.ts'
import * as repository from './repository.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'databaseTime' | 'log'>

/** An hour is closed so long after its end: by then, the server knows which nodes went silent, and all reports of the hour are recorded. */
export const CLOSE_AFTER_MS = 5 * 60_000
/** Hours are closed only if the clocks of this server and of the database differ by less: a closed hour is never computed again. */
const CLOCKS_DIFFER_MAX_MS = 60_000
/** Nodes, and days of devices, per transaction. */
const BATCH = 500
const DAYS_BATCH = 200

export const hourAt = (ms: number): Date => new Date(Math.floor(ms / HOUR_MS) * HOUR_MS)
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/**
 * Closes all hours that are due: issues the receipts of nodes and stores what their owners earned, then closes the days that are over. Each
 * batch of nodes is one transaction with the cursor, so that a crash or a second server repeats nothing and leaves out nothing.
 */
export async function closeHours(context: Deps, signal?: AbortSignal): Promise<void> {
  const { db } = context
  if (!(await doClocksAgree(context))) return
  for (let hour = await dueHour(context); hour && !signal?.aborted; hour = await dueHour(context)) {
    let result = await closeBatch(context, hour)
    while (result === 'more' && !signal?.aborted) result = await closeBatch(context, hour)
    // Another server closes it.
    if (result === 'locked') return
  }
  while (!signal?.aborted && (await db.transaction((tx) => closeDays(tx, now(context)))) === DAYS_BATCH);
}

/** Databases whose clock differs from that of this server: it is logged once. */
const differing = new WeakSet<Db>()

async function doClocksAgree({ db, clock, databaseTime, log }: Deps): Promise<boolean> {
  const before = clock.now()
  const database = await databaseTime()
  const after = clock.now()
  // The answer may have taken long.
  const difference = database < before ? before - database : Math.max(0, database - after)
  const agree = difference <= CLOCKS_DIFFER_MAX_MS
  if (!agree && !differing.has(db)) {
    differing.add(db)
    const times = { server: new Date(after).toISOString(), database: new Date(database).toISOString() }
    log.error(
      times,
      'the clocks of this server and of the database differ; this server closes no hours of earnings until they agree',
    )
  }
  if (agree && differing.delete(db))
    log.info('the clocks of this server and of the database agree again; hours of earnings are closed')
  return agree
}

/** The next hour to close. The first run of a network only notes where it begins. */
async function dueHour(context: Deps): Promise<Date | undefined> {
  const { db } = context
  const at = now(context)
  const last = await repository.lastHour(db)
  if (!last) {
    await repository.insertHour(db, {
      hour: new Date(hourAt(at.getTime()).getTime() - HOUR_MS),
      share: 0,
      closedAt: at,
    })
    return undefined
  }
  if (!last.closed_at) return last.hour
  const next = new Date(last.hour.getTime() + HOUR_MS)
  if (next.getTime() + HOUR_MS + CLOSE_AFTER_MS > at.getTime()) return undefined
  await repository.insertHour(db, { hour: next, share: await paidShare(db), closedAt: null })
  return next
}

const closeBatch = (context: Deps, hour: Date): Promise<'more' | 'done' | 'locked'> =>
  context.db.transaction(async (tx) => {
    const at = now(context)
    const open = await repository.lockHour(tx, hour)
    if (!open) return 'locked'
    if (open.closed_at) return 'done'
    const period = { hour, to: new Date(hour.getTime() + HOUR_MS), share: open.paid_share }
    const { hours, last } = await computeHours(tx, period, { after: open.after, limit: BATCH })
    if (last === undefined) {
      await repository.endHour(tx, hour, at)
      return 'done'
    }
    const receipts = await issueReceipts(
      tx,
      hours.map(({ claims }) => claims),
      at,
    )
    await repository.insertNodeHours(
      tx,
      hour,
      hours.map((one, index) => ({ ...one, receipt: receipts[index] as number })),
    )
    await repository.addToDays(tx, dayOf(hour), hours)
    await repository.moveCursor(tx, hour, last)
    return 'more'
  })

/** Issues the receipts of devices for days whose hours are all closed. @returns how many */
async function closeDays(tx: Db, at: Date): Promise<number> {
  const closed = await repository.closedUntil(tx)
  if (!closed) return 0
  const days = await repository.lockOpenDays(tx, dayOf(closed), DAYS_BATCH)
  const accounts = await accountsOf(
    tx,
    days.map(({ user_id }) => user_id),
  )
  const hours = await repository.hoursOfDays(tx, days)
  const receipts = await issueReceipts(
    tx,
    days.map(({ user_id, node_id, day, traffic, storage }) => ({
      kind: 'earnings' as const,
      sub: accounts.get(user_id)?.uid ?? '',
      node: node_id,
      day,
      traffic,
      storage,
      hours: hours
        .filter((one) => one.user_id === user_id && one.node_id === node_id && one.day === day)
        .map((one) => ({
          hour: Math.floor(one.hour.getTime() / 1000),
          version: one.version,
          receipt: one.receipt_id,
          traffic: one.traffic,
          storage: one.storage,
        })),
    })),
    at,
  )
  await repository.setDayReceipts(
    tx,
    days.map((one, index) => ({ ...one, receipt: receipts[index] as number })),
  )
  return days.length
}
