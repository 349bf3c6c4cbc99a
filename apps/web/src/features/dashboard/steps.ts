const HOUR_MS = 3_600_000
const HOURS = 24
const DAY_MS = 24 * HOUR_MS

/** Whether a series with this many steps is hourly; otherwise it is daily. */
export const isHourly = (count: number): boolean => count === HOURS

/** Start times of the steps of a series in milliseconds, oldest first; the last is the hour or day (UTC) of `now`. */
export function stepsOf(count: number, now: number): number[] {
  const step = isHourly(count) ? HOUR_MS : DAY_MS
  const last = Math.floor(now / step) * step
  return Array.from({ length: count }, (_, index) => last - (count - 1 - index) * step)
}

/** CSV of points, each with the start of its step (ISO 8601, UTC). */
export function csvOf<K extends string>(
  columns: readonly K[],
  points: readonly Readonly<Record<K, number>>[],
  steps: readonly number[],
): string {
  const lines = points.map((point, index) =>
    [new Date(steps[index] ?? 0).toISOString(), ...columns.map((column) => point[column])].join(','),
  )
  return `${[['time', ...columns].join(','), ...lines].join('\n')}\n`
}
