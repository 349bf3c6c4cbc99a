import { type SeriesPoint, STATISTIC_DAYS } from '@tidenet/contract'
import { DAY } from '../../platform/ago.ts'
import type { StepRow } from './repository.ts'

/** Steps of time, UTC. */

export const HOUR = 3600 * 1000
const DAYS_MAX = Math.max(...STATISTIC_DAYS)
const DAYS_DEFAULT = 14

export const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / HOUR) * HOUR)
const dayOf = (at: Date): Date => new Date(Math.floor(at.getTime() / DAY) * DAY)

/** The last 24 hours including the current one, oldest first. */
export const hourSteps = (at: Date): Date[] =>
  Array.from({ length: 24 }, (_, index) => new Date(hourOf(at).getTime() - (23 - index) * HOUR))

/** The days of a range, oldest first: `from` to `to`, or the last `days`. Empty if the range is reversed, too long or not a date. */
export function daySteps(
  at: Date,
  { from, to, days }: { from?: string | undefined; to?: string | undefined; days?: number | undefined },
): Date[] {
  const last = to === undefined ? dayOf(at).getTime() : Date.parse(`${to}T00:00:00Z`)
  const first = from === undefined ? last - ((days ?? DAYS_DEFAULT) - 1) * DAY : Date.parse(`${from}T00:00:00Z`)
  const count = (last - first) / DAY + 1
  if (!(count >= 1 && count <= DAYS_MAX)) return []
  return Array.from({ length: count }, (_, index) => new Date(first + index * DAY))
}

/** One point per step. A step without a recorded storage size has the size of the step before. */
export function fill(
  unit: 'hour' | 'day',
  steps: readonly Date[],
  rows: readonly StepRow[],
  storedBefore: number,
): SeriesPoint[] {
  const byStep = new Map(rows.map((row) => [row.step.getTime(), row]))
  let stored = storedBefore
  return steps.map((step) => {
    const row = byStep.get(step.getTime())
    stored = row?.stored ?? stored
    const text = step.toISOString()
    return {
      date: unit === 'hour' ? `${step.getUTCHours()}:00` : text.slice(5, 10),
      DownloadCount: row?.downloads ?? 0,
      PeakBandwidth: row?.peak ?? 0,
      TotalBandwidth: row?.sent ?? 0,
      UploadBandwidth: row?.received ?? 0,
      StorageSize: stored,
    }
  })
}
