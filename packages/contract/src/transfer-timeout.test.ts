import { describe, expect, it } from 'vitest'
import { transferTimeout } from './constants.ts'

describe('the time for a transfer', () => {
  it.each([
    ['nothing', 0, 30_000],
    ['one byte', 1, 30_000],
    ['what takes the least time', 3_000_000, 30_000],
    ['one byte more', 3_000_001, 30_001],
    ['a leaf and its inner blocks', 2 * 2 ** 20, 30_000],
    ['100 MB', 100_000_000, 1_000_000],
    ['an hour', 360_000_000, 3_600_000],
  ])('for %s is ten seconds per megabyte, and at least thirty', (_, bytes, ms) => {
    expect(transferTimeout(bytes)).toBe(ms)
  })

  it('is whole milliseconds and never shorter for more bytes', () => {
    let before = 0
    for (const bytes of Array.from({ length: 2000 }, (_, index) => index ** 3)) {
      const ms = transferTimeout(bytes)
      expect(Number.isSafeInteger(ms)).toBe(true)
      expect(ms).toBeGreaterThanOrEqual(before)
      before = ms
    }
  })
})
