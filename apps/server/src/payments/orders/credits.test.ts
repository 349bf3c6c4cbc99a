import { describe, expect, it } from 'vitest'
import { costOfSpan } from './credits.ts'
import { HOUR } from './times.ts'

const MINUTE = 60_000
const lots = [
  { hours: 2, units: 14_000n },
  { hours: 3, units: 10_000n },
]

describe('the price of a span of an order', () => {
  it.each([
    ['ten minutes of the first hours', 0, 10 * MINUTE, 1166n],
    ['all of it', 0, 5 * HOUR, 24_000n],
    ['beyond its hours', 4 * HOUR, 9 * HOUR, 3333n],
    ['hours of both payments, each at its price', HOUR, 3 * HOUR, 7000n + 3333n],
    ['before it', -2 * HOUR, 0, 0n],
    ['nothing', HOUR, HOUR, 0n],
  ])('%s', (_, from, to, units) => {
    expect(costOfSpan(lots, from, to)).toBe(units)
  })

  it('never exceeds what was paid, however it is split', () => {
    let sum = 0n
    for (let at = 0; at < 5 * HOUR; at += 7 * MINUTE) sum += costOfSpan(lots, at, at + 7 * MINUTE)
    expect(sum).toBeLessThanOrEqual(24_000n)
    expect(sum).toBeGreaterThan(24_000n - 100n)
  })
})
