/** What readers measured, as counts per range of values: a day of an area needs little space however many people read. */

interface Scale {
  /** Upper bound of the first range; each range ends at `factor` times the one before. */
  readonly first: number
  readonly factor: number
  readonly ranges: number
}

/** Ms: 10 ms to about 60 s. */
export const FIRST_BYTE: Scale = { first: 10, factor: 1.25, ranges: 40 }
/** Bytes per second: 10 kB/s to about 1.3 GB/s. */
export const RATE: Scale = { first: 10_000, factor: 1.5, ranges: 30 }

/** The number of a value's range, from 1, as PostgreSQL counts. */
export function rangeOf({ first, factor, ranges }: Scale, value: number): number {
  const index = value <= first ? 0 : Math.ceil(Math.log(value / first) / Math.log(factor) - 1e-9)
  return Math.min(ranges, index + 1)
}

export const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

/** The median: the middle of its range. @returns null without values */
export function medianOf({ first, factor }: Scale, counts: readonly number[]): number | null {
  const half = total(counts) / 2
  if (half === 0) return null
  let seen = 0
  const index = counts.findIndex((count) => {
    seen += count
    return seen >= half
  })
  return Math.round(first * factor ** (index === 0 ? 0 : index - 0.5))
}

/** Adds up counts of the same scale. */
export const addCounts = (scale: Scale, lists: readonly (readonly number[])[]): number[] =>
  Array.from({ length: scale.ranges }, (_, index) => lists.reduce((sum, counts) => sum + (counts[index] ?? 0), 0))
