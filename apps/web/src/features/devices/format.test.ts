import { describe, expect, test } from 'vitest'
import { deviceName, formatAgo, formatSpan, formatVetting, isOlder } from './format.ts'

const now = Date.parse('2026-06-01T12:00:00Z')
const back = (seconds: number) => new Date(now - seconds * 1000).toISOString()

describe('the time since a moment', () => {
  test.each([
    [120, '2 minutes ago'],
    [3599, '59 minutes ago'],
    [3600, '1 hour ago'],
    [90_000, '1 day ago'],
  ])('of %i s is given in the largest unit: %s', (seconds, text) => expect(formatAgo(back(seconds), now)).toBe(text))

  test('is the same below two minutes and in the future (clock skew)', () => {
    expect(formatAgo(back(119), now)).toBe(formatAgo(back(0), now))
    expect(formatAgo(back(-3600), now)).toBe(formatAgo(back(0), now))
  })
})

describe('a short duration', () => {
  test.each([
    [90, '1 minute 30 seconds'],
    [12, '12 seconds'],
    [120, '2 minutes'],
  ])('of %i s is %s', (seconds, text) => expect(formatSpan(seconds)).toBe(text))
})

test('a device without a name is shown by its id', () => {
  expect(deviceName({ name: 'attic', node_id: 'n1' })).toBe('attic')
  expect(deviceName({ name: '', node_id: 'n1' })).toBe('n1')
})

test('the vetting of a new device is shown in audits and days, or in seconds at the quick pace', () => {
  const day = 24 * 3600
  expect(formatVetting({ audits: 12, audits_of: 100, time: 1.9 * day, time_of: 3 * day })).toBe(
    'New: 12 of 100 audits passed, 1 of 3 days',
  )
  expect(formatVetting({ audits: 1, audits_of: 5, time: 4, time_of: 10 })).toBe(
    'New: 1 of 5 audits passed, 4 of 10 seconds',
  )
})

describe('a version', () => {
  test.each([
    ['0.1.0', '0.2.0'],
    ['0.9.9', '0.10.0'],
    ['1.2.3', '1.2.4'],
  ])('%s is older than %s', (version, newest) => {
    expect(isOlder(version, newest)).toBe(true)
    expect(isOlder(newest, version)).toBe(false)
  })

  test.each(['1.2.3', '1.2', '1.2.3-dev', '', '<b>'])('%s is not older than 1.2.3', (version) =>
    expect(isOlder(version, '1.2.3')).toBe(false),
  )
})
