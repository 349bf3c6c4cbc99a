import type { ClaimsOf } from '../claims.ts'
import type { Earned } from './node-hour.ts'
import { versionOfHour } from './versions.ts'

/** What the network states for a device and a day: the claims of an `earnings` receipt, or the same fields of the API. */
export type DayStatement = Pick<ClaimsOf<'earnings'>, 'sub' | 'node' | 'day' | 'traffic' | 'storage' | 'hours'>

/** An hour of a day, as it is stated and as it follows from its receipt. */
export interface HourDifference {
  hour: number
  stated: Earned
  computed: Earned
  /** Stated minus computed. */
  difference: Earned
  /**
   * What is wrong besides the amounts. `receipt`: its receipt is missing, or that of another device, owner or hour; `version`: another
   * version applies to this hour; `omitted`: there is a receipt, and the statement has no such hour; `repeated`: it is stated twice.
   */
  problem?: 'receipt' | 'version' | 'omitted' | 'repeated'
}

export interface Recomputed {
  /** In the order of time. */
  hours: HourDifference[]
  /** The stated sums of the day minus the computed ones. */
  difference: Earned
  /** Whether every hour and the sums of the day follow from the receipts. */
  agrees: boolean
}

const NOTHING: Earned = { traffic: 0, storage: 0 }
const minus = (a: Earned, b: Earned): Earned => ({ traffic: a.traffic - b.traffic, storage: a.storage - b.storage })
const isNothing = ({ traffic, storage }: Earned) => traffic === 0 && storage === 0
const HOUR = 3600

/**
 * Computes a day from its `node_hour` receipts.
 * @param receipts of the device and the day; the caller has verified them. Receipts of other devices, owners and days are ignored
 */
export function recompute(statement: DayStatement, receipts: readonly ClaimsOf<'node_hour'>[]): Recomputed {
  const start = Date.parse(`${statement.day}T00:00:00Z`) / 1000
  const own = receipts.filter(
    ({ node, sub, hour }) =>
      node === statement.node && sub === statement.sub && hour >= start && hour < start + 24 * HOUR,
  )
  const byId = new Map(own.map((receipt) => [receipt.id, receipt]))
  const seen = new Set<number>()

  const stated = statement.hours.map(({ hour, version, receipt, traffic, storage }): HourDifference => {
    const amounts = { traffic, storage }
    const from = byId.get(receipt)
    const differs = (computed: Earned, problem?: HourDifference['problem']): HourDifference => ({
      hour,
      stated: amounts,
      computed,
      difference: minus(amounts, computed),
      ...(problem && { problem }),
    })
    if (seen.has(hour)) return differs(NOTHING, 'repeated')
    seen.add(hour)
    if (from?.hour !== hour) return differs(NOTHING, 'receipt')
    const applies = versionOfHour(hour)
    return differs(applies.earningsOf(from), applies.version === version ? undefined : 'version')
  })
  const omitted = [...new Map(own.map((receipt) => [receipt.hour, receipt])).values()]
    .filter(({ hour }) => !seen.has(hour))
    .map((receipt): HourDifference => {
      const computed = versionOfHour(receipt.hour).earningsOf(receipt)
      return { hour: receipt.hour, stated: NOTHING, computed, difference: minus(NOTHING, computed), problem: 'omitted' }
    })

  const hours = [...stated, ...omitted].sort((a, b) => a.hour - b.hour)
  const sum = hours.reduce(
    ({ traffic, storage }, { computed }) => ({
      traffic: traffic + computed.traffic,
      storage: storage + computed.storage,
    }),
    NOTHING,
  )
  const difference = minus(statement, sum)
  const agrees = isNothing(difference) && hours.every((hour) => isNothing(hour.difference) && !hour.problem)
  return { hours, difference, agrees }
}
