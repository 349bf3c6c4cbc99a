import type { contract, Output } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import { type Context, now } from '../context.ts'
import { dayOf } from './close.ts'
import { sumsOfAll } from './read-repository.ts'
import { closedUntil, lastPaidShare } from './repository.ts'

const DAYS = 30
/** With fewer devices, the median would show what one of them earned. */
const DEVICES_MIN = 5

/** What the devices of this network earned in the last 30 days that are over. */
export async function publicFigures({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<Output<(typeof contract)['earnings']['public']>> {
  const until = (await closedUntil(db)) ?? now({ clock })
  // The day before the one that is running.
  const to = dayOf(ago(until, DAY))
  const from = dayOf(ago(until, DAYS * DAY))
  const { devices, earning, median } = await sumsOfAll(db, from, to)
  const paid_share = await lastPaidShare(db)
  if (devices === 0) return { from: null, to: null, devices, earning, median: null, paid_share }
  return { from, to, devices, earning, median: devices < DEVICES_MIN ? null : median, paid_share }
}
