import { describe, expect, it } from 'vitest'
import { isHopeless, retryAt } from './retries.ts'

const at = new Date('2026-01-01T00:00:00Z')
const HOUR = 3_600_000

describe('retries of a delivery', () => {
  it('come later and later, for a day', () => {
    const delays: number[] = []
    for (let tries = 1; ; tries++) {
      const next = retryAt(tries, at, 0.5)
      if (!next) break
      delays.push(next.getTime() - at.getTime())
    }
    expect(delays.every((delay, index) => index === 0 || delay >= (delays[index - 1] ?? 0))).toBe(true)
    expect(delays[0]).toBe(5000)
    const total = delays.reduce((sum, delay) => sum + delay, 0)
    expect(total).toBeGreaterThan(23 * HOUR)
    expect(total).toBeLessThanOrEqual(24 * HOUR)
  })

  it('vary by a tenth', () => {
    const delay = (random: number) => (retryAt(2, at, random)?.getTime() ?? 0) - at.getTime()
    expect([delay(0), delay(1)]).toEqual([27_000, 33_000])
  })
})

describe('a failing webhook', () => {
  const since = (hours: number) => new Date(at.getTime() - hours * HOUR)
  it.each([
    [20, 72, true],
    [19, 72, false],
    [1000, 71, false],
  ])('with %i failures in %i hours is hopeless: %s', (failures, hours, expected) => {
    expect(isHopeless(failures, since(hours), at)).toBe(expected)
  })
})
