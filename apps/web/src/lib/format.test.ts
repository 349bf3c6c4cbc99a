import { beforeAll, describe, expect, it } from 'vitest'

let format: typeof import('./format.ts')
beforeAll(async () => {
  format = await import('./format.ts')
})

const KiB = 1024
const MiB = 1024 * KiB

describe('a size', () => {
  it.each([
    [0, '0 B'],
    [1, '1 B'],
    [1023, '1,023 B'],
    [KiB, '1 KiB'],
    [1.5 * MiB, '1.5 MiB'],
    [1024 * MiB - 1, '1 GiB'],
    [100 * MiB, '100 MiB'],
    [5 * 1024 * MiB, '5 GiB'],
    [2 ** 60, '1,024 PiB'],
  ])('of %d bytes is %s', (bytes, text) => expect(format.formatSize(bytes)).toBe(text))

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('of %d is a dash', (bytes) =>
    expect(format.formatSize(bytes)).toBe('–'),
  )
})

it.each([
  [1_772_499_600, '01:00'],
  [0, '00:00'],
  [8_640_000_000_001, '–'],
  [Number.MAX_SAFE_INTEGER, '–'],
  [-1e300, '–'],
  [Number.NaN, '–'],
])('the hour %d is %s in UTC, and no hour stops a page', (seconds, text) =>
  expect(format.formatUtcHour(seconds)).toBe(text),
)

describe('a percentage', () => {
  it.each([
    [0, 100, 2, '0.00%'],
    [1, 3, 2, '33.33%'],
    // Rounded down.
    [999_999, 1_000_000, 2, '99.99%'],
    [1, 1, 2, '100.00%'],
    [5, 4, 0, '100%'],
    [1, 0, 2, '0.00%'],
    [-1, 4, 0, '0%'],
  ])('of %d in %d with %d digits is %s', (done, whole, digits, text) =>
    expect(format.formatPercent(done, whole, digits)).toBe(text),
  )
})

describe('a date', () => {
  it('that is invalid is a dash', () => {
    expect(format.formatDateTime('soon')).toBe('–')
    expect(format.formatDate('')).toBe('–')
  })
})
