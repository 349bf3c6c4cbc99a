import { describe, expect, it } from 'vitest'
import { addCounts, FIRST_BYTE, medianOf, RATE, rangeOf, total } from './measures.ts'

const countsOf = (scale: typeof FIRST_BYTE, values: readonly number[]) =>
  addCounts(
    scale,
    values.map((value) => {
      const place = rangeOf(scale, value)
      return Array.from({ length: scale.ranges }, (_, index) => (index + 1 === place ? 1 : 0))
    }),
  )

describe('counts per range', () => {
  it.each([
    [FIRST_BYTE, [20, 90, 300, 2000, 30_000]],
    [RATE, [50_000, 1e6, 2e7, 5e8]],
  ])('give a median near the true one', (scale, values) => {
    for (const value of values) {
      const median = medianOf(scale, countsOf(scale, [value, value, value])) ?? 0
      expect(median / value).toBeGreaterThan(1 / scale.factor)
      expect(median / value).toBeLessThan(scale.factor)
    }
  })

  it('count every value, also the smallest and the largest', () => {
    expect(total(countsOf(FIRST_BYTE, [0.1, 10, 59_000, 10 ** 9]))).toBe(4)
  })

  it('ignore what few liars say', () => {
    const honest = medianOf(FIRST_BYTE, countsOf(FIRST_BYTE, [300, 300, 300, 300, 300]))
    expect(medianOf(FIRST_BYTE, countsOf(FIRST_BYTE, [300, 300, 300, 300, 300, 1, 1]))).toBe(honest)
  })

  it('have no median without values', () => {
    expect(medianOf(FIRST_BYTE, [])).toBeNull()
  })
})
