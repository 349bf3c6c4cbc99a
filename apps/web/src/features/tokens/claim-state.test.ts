import { describe, expect, it } from 'vitest'
import { claimStateOf, claimsLeft, zoneMinutes, zoneName } from './claim-state.ts'

const left = (remaining_amount: number, received = false) => ({ remaining_amount, received, claim_amount: 400 })

describe('claim', () => {
  it.each([10_000, 400])('is open while %d coins are left', (remaining) =>
    expect(claimStateOf(left(remaining))).toBe('open'),
  )
  it.each([399, 1, 0])('is exhausted with %d coins left, less than one claim', (remaining) =>
    expect(claimStateOf(left(remaining))).toBe('exhausted'),
  )
  it.each([10_000, 0])('is claimed for today with %d coins left', (remaining) =>
    expect(claimStateOf(left(remaining, true))).toBe('claimed'),
  )
  it.each([
    [10_000, 25],
    [799, 1],
    [399, 0],
    [0, 0],
  ])('counts, of %d coins, %d claims left', (remaining, people) => expect(claimsLeft(left(remaining))).toBe(people))
})

it.each([
  ['+08:00', 480, 'UTC+8'],
  ['-03:30', -210, 'UTC-3:30'],
  ['+00:00', 0, 'UTC'],
])('parses zone %s as %d minutes and formats it as %s', (zone, minutes, name) => {
  expect(zoneMinutes(zone)).toBe(minutes)
  expect(zoneName(minutes)).toBe(name)
})
