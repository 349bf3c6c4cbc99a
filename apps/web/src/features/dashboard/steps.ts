const HOUR_MS = 3_600_000
const HOURS = 24
const DAY_MS = 24 * HOUR_MS

/** Whether so many steps are the hours of a day; otherwise they are days. */
export const areHours = (count: number): boolean => count === HOURS

/** When the steps of a series begin, oldest first; the last one is the hour or the day (UTC) of `now`. Milliseconds. */
export function stepsOf(count: number, now: number): number[] {
  const step = areHours(count) ? HOUR_MS : DAY_MS
  const last = Math.floor(now / step) * step
  return Array.from({ length: count }, (_, index) => last - (count - 1 - index) * step)
}

/** A table of points, each with the full time (ISO 8601, UTC) at which its step begins. */
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
