import type { Output, RouteOf } from '@tidenet/contract'
import { formatPercent } from '../../lib/format.ts'
import { t } from '../../ui/metric-texts.ts'

/** One missed heartbeat in a week is about 0.01 %: a shorter period cannot confirm or refute a target of 99.99 %. */
const MIN_PERIOD_HOURS = 7 * 24

/** The measured uptime and its period, to show beside the target; undefined while loading. */
export function uptimeNote(figures: Output<RouteOf<'explorer.figures'>> | undefined): string | undefined {
  if (!figures) return undefined
  const { uptime, uptime_hours: hours } = figures
  if (uptime === null) return t.noNodes
  const period = hours < 48 ? t.hours(Math.floor(hours)) : t.days(Math.floor(hours / 24))
  return hours < MIN_PERIOD_HOURS ? t.tooLittle(period) : t.todayOver(formatPercent(uptime, 1, 2), period)
}

const DAY_MS = 24 * 3600 * 1000

/** Uptime over 24 hours, 7 and 30 days; undefined if the node is younger than the next shorter period, because the value would repeat. */
export function uptimes(
  node: { uptime_24h: number; uptime_7d: number; uptime_30d: number; registered_at: string },
  now = Date.now(),
): [number, number | undefined, number | undefined] {
  const age = now - Date.parse(node.registered_at)
  return [node.uptime_24h, age > DAY_MS ? node.uptime_7d : undefined, age > 7 * DAY_MS ? node.uptime_30d : undefined]
}
