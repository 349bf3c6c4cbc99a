import { describe, expect, it } from 'vitest'
import { periodOf, zoneText } from './times.ts'

const at = (text: string) => new Date(text).getTime()

describe('the hour and the day of a time', () => {
  it.each([
    ['2026-11-21T15:59:59.999Z', 480, '2026-11-21', '2026-11-21T15:00:00.000Z', '2026-11-21T16:00:00.000Z'],
    ['2026-11-21T16:00:00.000Z', 480, '2026-11-22', '2026-11-21T16:00:00.000Z', '2026-11-22T16:00:00.000Z'],
    ['2026-11-21T23:59:00.000Z', 0, '2026-11-21', '2026-11-21T23:00:00.000Z', '2026-11-22T00:00:00.000Z'],
    ['2026-11-21T18:29:59.000Z', 330, '2026-11-21', '2026-11-21T17:30:00.000Z', '2026-11-21T18:30:00.000Z'],
    ['2026-11-21T02:00:00.000Z', -180, '2026-11-20', '2026-11-21T02:00:00.000Z', '2026-11-21T03:00:00.000Z'],
  ])('%s, %i minutes ahead of UTC', (moment, zone, day, hour, nextDay) => {
    const period = periodOf(at(moment), zone)
    expect(period.day).toBe(day)
    expect(period.hour.toISOString()).toBe(hour)
    expect(period.nextHour.getTime() - period.hour.getTime()).toBe(3_600_000)
    expect(period.nextDay.toISOString()).toBe(nextDay)
  })

  it('zones are formatted with a sign', () => {
    expect([480, -180, 330, 0].map(zoneText)).toEqual(['+08:00', '-03:00', '+05:30', '+00:00'])
  })
})
