import { AppError, type contract, type Output, type Parsed, type SeriesPoint } from '@tidenet/contract'
import type { Clock } from '@tidenet/daemon'
import { findAccountUsage, limitsOf, planMonth, quotaSince } from '../../identity/index.ts'
import { DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Context, now } from '../context.ts'
import { countFolders } from '../tree/tree.ts'
import { findSteps, setStored, storedBefore, trafficSince } from './repository.ts'
import { daySteps, fill, HOUR, hourOf, hourSteps } from './series.ts'

export { addReceived, addSent, type HourSent, trafficSince, usedSince } from './repository.ts'

type Deps = Pick<Context, 'db' | 'clock'>

/**
 * Records how much the account stores. Call it in the transaction that changed its files: the triggers that count bytes have locked the
 * account's row, so no concurrent transaction can store an outdated value between reading and writing.
 */
export async function recordStored(tx: Db, userId: number, at: Date): Promise<void> {
  const { used_bytes } = await findAccountUsage(tx, userId)
  await setStored(tx, userId, hourOf(at), used_bytes)
}

/** The account's remaining download traffic this month of its plan, in bytes; negative if exceeded. */
export async function downloadTrafficLeft(db: Db, clock: Clock, userId: number): Promise<number> {
  const account = await findAccountUsage(db, userId)
  const { sent } = await trafficSince(db, userId, quotaSince(account, now({ clock })))
  return limitsOf(account).downloadTraffic - sent
}

export async function storageSize(
  context: Deps,
  caller: Pick<Member, 'userId'>,
): Promise<Output<typeof contract.usage.storageSize>> {
  const { db } = context
  const account = await findAccountUsage(db, caller.userId)
  const month = planMonth(account, now(context))
  const [folders, traffic] = await Promise.all([
    countFolders(db, caller.userId),
    trafficSince(db, caller.userId, month.from),
  ])
  const limits = limitsOf(account)
  return {
    PeakBandwidth: traffic.peak,
    TotalTraffic: limits.downloadTraffic,
    UsedTraffic: traffic.sent,
    TrafficSince: month.from.toISOString(),
    TrafficUntil: month.to.toISOString(),
    TotalSize: limits.storage,
    UsedSize: account.used_bytes,
    ReservedSize: account.reserved_bytes,
    TrashSize: account.trash_bytes,
    VersionSize: account.version_bytes,
    AssetCount: account.asset_count,
    FolderCount: folders,
  }
}

/** The last 24 hours including the current one. */
export async function hourly(context: Deps, caller: Member): Promise<SeriesPoint[]> {
  return series(context, caller, 'hour', hourSteps(now(context)))
}

/** Downloads of the last days (UTC) that have some, newest first. */
export async function downloadsByDay(
  { db, clock }: Deps,
  userId: number,
  days: number,
): Promise<{ day: Date; downloads: number; bytes: number }[]> {
  const steps = daySteps(now({ clock }), { days })
  const [first, last] = [steps[0], steps.at(-1)]
  if (!first || !last) return []
  const rows = await findSteps(db, userId, 'day', first, new Date(last.getTime() + DAY))
  return rows
    .filter(({ downloads }) => downloads > 0)
    .map(({ step: day, downloads, sent: bytes }) => ({ day, downloads, bytes }))
    .reverse()
}

/** @throws AppError invalidParams for a range that is reversed or longer than 90 days */
export async function daily(
  context: Deps,
  caller: Member,
  range: Pick<Parsed<typeof contract.usage.daily>, 'from' | 'to' | 'days'>,
): Promise<SeriesPoint[]> {
  const steps = daySteps(now(context), range)
  if (steps.length === 0) throw new AppError('invalidParams', { field: 'from' })
  return series(context, caller, 'day', steps)
}

async function series(
  { db }: Pick<Deps, 'db'>,
  caller: Member,
  unit: 'hour' | 'day',
  steps: readonly Date[],
): Promise<SeriesPoint[]> {
  const from = steps[0] as Date
  const end = new Date((steps.at(-1) as Date).getTime() + (unit === 'hour' ? HOUR : DAY))
  const [rows, before] = await Promise.all([
    findSteps(db, caller.userId, unit, from, end),
    storedBefore(db, caller.userId, from),
  ])
  return fill(unit, steps, rows, before)
}
