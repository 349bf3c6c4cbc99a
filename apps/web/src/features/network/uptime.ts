import type { Output, RouteOf } from '@tidenet/contract'
import { formatPercent } from '../../lib/format.ts'
import { t } from '../../ui/metric-texts.ts'

/** One missed heartbeat in a week is about 0.01 %: in less time a target of 99.99 % can be neither met nor missed. */
const ENOUGH_HOURS = 7 * 24

/** What is measured of the target for uptime, with the time it was measured over; undefined as long as it is not known. */
export function uptimeNote(figures: Output<RouteOf<'explorer.figures'>> | undefined): string | undefined {
  if (!figures) return undefined
  const { uptime, uptime_hours: hours } = figures
  if (uptime === null) return t.noNodes
  const over = hours < 48 ? t.hours(Math.floor(hours)) : t.days(Math.floor(hours / 24))
  return hours < ENOUGH_HOURS ? t.tooLittle(over) : t.todayOver(formatPercent(uptime, 1, 2), over)
}

const DAY_MS = 24 * 3600 * 1000

/** Uptime of a node over 24 hours, 7 and 30 days; undefined for a period that its age does not reach into: it would repeat the shorter one. */
export function uptimes(
  node: { uptime_24h: number; uptime_7d: number; uptime_30d: number; registered_at: string },
  now = Date.now(),
): [number, number | undefined, number | undefined] {
  const age = now - Date.parse(node.registered_at)
  return [node.uptime_24h, age > DAY_MS ? node.uptime_7d : undefined, age > 7 * DAY_MS ? node.uptime_30d : undefined]
}
