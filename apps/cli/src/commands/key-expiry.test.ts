import { describe, expect, it } from 'vitest'
import { CommandError } from '../command-error.ts'
import { readExpiry } from './key-expiry.ts'

const NOW = new Date('2026-11-25T12:00:00Z')

describe('the expiry of a key', () => {
  it.each([
    ['30d', '2026-12-25T12:00:00.000Z'],
    ['2027-01-31', new Date(2027, 0, 31, 23, 59, 59).toISOString()],
    ['2027-01-31T08:00:00+02:00', '2027-01-31T06:00:00.000Z'],
    ['never', ''],
  ])('%s is %s', (text, at) => {
    expect(readExpiry(text, NOW)).toBe(at)
  })

  it.each(['', 'tomorrow', '2027-02-30', '2027-13-01', '30', '-3d', '7 days'])('refuses %j', (text) => {
    expect(() => readExpiry(text, NOW)).toThrow(CommandError)
  })
})
