import type { Db } from '../../platform/db/db.ts'
import type { Context } from '../context.ts'
import { hourAt } from './close.ts'
import { type ComputedHour, computeHours, HOUR_MS, paidShare } from './inputs.ts'
import { doneIn } from './read-repository.ts'
import { closedUntil } from './repository.ts'

/** After an outage of the scheduler, only the latest hours are computed for each request. */
const OPEN_HOURS_MAX = 3

export type PacedDb = Pick<Context, 'db'> & { config: Pick<Context['config'], 'pace'> }

/** Summing up all contents for each request would be slow in a large network. */
const SHARE_TTL_MS = 60_000
const shares = new WeakMap<Db, { at: number; share: Promise<number> }>()

function currentShare({ db, config }: PacedDb): Promise<number> {
  const known = shares.get(db)
  if (known && config.pace !== 'quick' && performance.now() - known.at < SHARE_TTL_MS) return known.share
  const share = paidShare(db)
  shares.set(db, { at: performance.now(), share })
  // Do not cache failures.
  share.catch(() => shares.delete(db))
  return share
}

/**
 * The hours of devices that are not closed yet, computed with the same code from the same figures. They can still change, and are not
 * redeemable.
 */
export async function runningHours(
  context: PacedDb,
  filter: { ownerId: number; nodeId?: string },
  at: Date,
): Promise<ComputedHour[]> {
  const { db } = context
  const current = hourAt(at.getTime()).getTime()
  const closed = (await closedUntil(db))?.getTime() ?? current
  const first = Math.max(closed, current - (OPEN_HOURS_MAX - 1) * HOUR_MS)
  const share = await currentShare(context)
  const running: ComputedHour[] = []
  for (let from = first; from <= current; from += HOUR_MS) {
    const hour = new Date(from)
    const to = new Date(Math.min(at.getTime(), from + HOUR_MS))
    const { hours } = await computeHours(db, { hour, to, share }, filter)
    const done = await doneIn(
      db,
      hour,
      hours.map(({ claims }) => claims.node),
    )
    running.push(...hours.filter(({ claims }) => !done.has(claims.node)))
  }
  return running
}
