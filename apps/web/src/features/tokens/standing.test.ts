import { describe, expect, it } from 'vitest'
import { clockOf, peopleLeft, standingOf, zoneMinutes, zoneName } from './standing.ts'

const left = (remaining_amount: number, received = false) => ({ remaining_amount, received, claim_amount: 400 })

describe('a claim', () => {
  it.each([10_000, 400])('may be made while %d are left', (remaining) =>
    expect(standingOf(left(remaining))).toBe('open'),
  )
  it.each([399, 1, 0])('may not while %d are left: that is no whole claim', (remaining) =>
    expect(standingOf(left(remaining))).toBe('exhausted'),
  )
  it.each([10_000, 0])('was made today, whatever is left of the hour', (remaining) =>
    expect(standingOf(left(remaining, true))).toBe('claimed'),
  )
  it.each([
    [10_000, 25],
    [799, 1],
    [399, 0],
    [0, 0],
  ])('of %d there is enough for %d people', (remaining, people) => expect(peopleLeft(left(remaining))).toBe(people))
})

it.each([
  ['+08:00', 480, 'UTC+8'],
  ['-03:30', -210, 'UTC-3:30'],
  ['+00:00', 0, 'UTC'],
])('the zone %s is %d minutes east, written %s', (zone, minutes, name) => {
  expect(zoneMinutes(zone)).toBe(minutes)
  expect(zoneName(minutes)).toBe(name)
})

it.each([
  [0, '00:00:00'],
  [-5000, '00:00:00'],
  [1, '00:00:01'],
  [3_600_000, '01:00:00'],
  [86_399_000, '23:59:59'],
])('%d ms are %s', (ms, clock) => expect(clockOf(ms)).toBe(clock))
