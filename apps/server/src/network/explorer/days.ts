import { DAY } from '../../platform/ago.ts'

export interface Span {
  began: Date
  ended: Date | null
}

/**
 * Uptime of each UTC day, 0..1, oldest first: the share of the day that the spans cover. The first day starts at `since`, the last one ends
 * at `at`.
 * @param spans oldest first, not overlapping
 */
export function uptimeByDay(spans: readonly Span[], since: Date, at: Date): { date: string; uptime: number }[] {
  const days: { date: string; uptime: number }[] = []
  for (let day = Math.floor(since.getTime() / DAY) * DAY; day < at.getTime(); day += DAY) {
    const from = Math.max(day, since.getTime())
    const to = Math.min(day + DAY, at.getTime())
    const online = spans.reduce((sum, { began, ended }) => {
      const start = Math.max(from, began.getTime())
      const end = Math.min(to, ended?.getTime() ?? to)
      return sum + Math.max(0, end - start)
    }, 0)
    days.push({
      date: new Date(day).toISOString().slice(0, 10),
      uptime: to > from ? Math.round((online / (to - from)) * 10_000) / 10_000 : 0,
    })
  }
  return days
}
