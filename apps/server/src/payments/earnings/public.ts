import type { contract, Output } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import { type Context, now } from '../context.ts'
import { dayOf } from './close.ts'
import { sumsOfAll } from './read-repository.ts'
import { closedUntil, lastPaidShare } from './repository.ts'

const DAYS = 30
/** With fewer owners, those who know what the others earned could tell what the last one did. */
const OWNERS_MIN = 10
type Figures = Output<(typeof contract)['earnings']['public']>

/** What the devices of this network earned in the last 30 days that are over. */
export async function publicFigures({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<Figures> {
  const until = (await closedUntil(db)) ?? now({ clock })
  // The day before the one that is running.
  const to = dayOf(ago(until, DAY))
  const from = dayOf(ago(until, DAYS * DAY))
  const { median, ...sums } = await sumsOfAll(db, from, to)
  const paid_share = await lastPaidShare(db)
  const period = sums.devices === 0 ? { from: null, to: null } : { from, to }
  return {
    ...period,
    ...sums,
    median: median === null || sums.owners < OWNERS_MIN ? null : roundDown(median),
    paid_share,
  }
}

/** To one significant digit, so that "at least" stays true and no exact amount of a device is shown. @param amount whole, above 0 */
function roundDown(amount: number): number {
  const step = 10 ** (String(amount).length - 1)
  return Math.floor(amount / step) * step
}
