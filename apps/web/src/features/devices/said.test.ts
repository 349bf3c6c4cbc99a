import { describe, expect, test } from 'vitest'
import { ago, deviceName, span } from './said.ts'

const now = Date.parse('2026-06-01T12:00:00Z')
const back = (seconds: number) => new Date(now - seconds * 1000).toISOString()

describe('a time that has passed', () => {
  test.each([
    [120, '2 minutes ago'],
    [3599, '59 minutes ago'],
    [3600, '1 hour ago'],
    [90_000, '1 day ago'],
  ])('%i s: the largest unit that fits', (seconds, said) => expect(ago(back(seconds), now)).toBe(said))

  test('less than two minutes, and what a clock that goes wrong puts ahead, are the same', () => {
    expect(ago(back(119), now)).toBe(ago(back(0), now))
    expect(ago(back(-3600), now)).toBe(ago(back(0), now))
  })
})

describe('a short time', () => {
  test.each([
    [90, '1 minute 30 seconds'],
    [12, '12 seconds'],
    [120, '2 minutes'],
  ])('%i s', (seconds, said) => expect(span(seconds)).toBe(said))
})

test('a device without a name is called by its id', () => {
  expect(deviceName({ name: 'attic', node_id: 'n1' })).toBe('attic')
  expect(deviceName({ name: '', node_id: 'n1' })).toBe('n1')
})
