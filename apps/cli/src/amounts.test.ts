import { describe, expect, it } from 'vitest'
import { bytes, clock, moment, points } from './amounts.ts'

describe('amounts for people', () => {
  it.each([
    [0, '0 B'],
    [1, '1 B'],
    [1023, '1,023 B'],
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [1024 ** 2 - 1, '1 MiB'],
    [5 * 1024 ** 3, '5 GiB'],
    [3 * 1024 ** 6, '3,072 PiB'],
  ])('%i bytes are %s', (count, text) => expect(bytes(count)).toBe(text))

  it.each([
    [0, '0'],
    [1, '0.000001'],
    [1_500_000, '1.5'],
    [1_234_567_890, '1,234.56789'],
  ])('%i millionths of a point are %s', (millionths, text) => expect(points(millionths)).toBe(text))

  it.each([
    [0, '0:00'],
    [75, '1:15'],
    [3675, '1:01:15'],
    [-3, '0:00'],
  ])('%i seconds are %s', (seconds, text) => expect(clock(seconds)).toBe(text))

  it('an invalid time is a dash', () => {
    expect(moment('')).toBe('-')
    expect(moment('2026-01-02T03:04:05Z')).toContain('2026')
  })
})
