import { describe, expect, it } from 'vitest'
import { csvOf, stepsOf } from './steps.ts'

const now = Date.parse('2026-01-01T00:30:00Z')
const times = (count: number) => stepsOf(count, now).map((step) => new Date(step).toISOString())

describe('the steps of a series', () => {
  it('are hours if there are 24, up to the current one', () => {
    expect(times(24)).toHaveLength(24)
    expect(times(24)[0]).toBe('2025-12-31T01:00:00.000Z')
    expect(times(24).at(-1)).toBe('2026-01-01T00:00:00.000Z')
  })

  it('are days otherwise, also across the end of a year', () => {
    expect(times(7)[0]).toBe('2025-12-26T00:00:00.000Z')
    expect(times(7).at(-1)).toBe('2026-01-01T00:00:00.000Z')
    expect(times(0)).toEqual([])
  })
})

it('writes CSV with the full time of each point', () => {
  const points = [
    { sent: 1, stored: 20 },
    { sent: 2, stored: 30 },
  ]
  expect(csvOf(['sent', 'stored'], points, stepsOf(2, now))).toBe(
    'time,sent,stored\n2025-12-31T00:00:00.000Z,1,20\n2026-01-01T00:00:00.000Z,2,30\n',
  )
})
