import { expect, it } from 'vitest'
import { uptimes } from './uptime.ts'

const now = Date.parse('2026-11-22T12:00:00Z')
const daysAgo = (days: number) => ({
  uptime_24h: 1,
  uptime_7d: 0.9,
  uptime_30d: 0.8,
  registered_at: new Date(now - days * 24 * 3600 * 1000).toISOString(),
})

it.each([
  ['an hour', 1 / 24, [1, undefined, undefined]],
  ['two days', 2, [1, 0.9, undefined]],
  ['eight days', 8, [1, 0.9, 0.8]],
  ['a year', 365, [1, 0.9, 0.8]],
])('returns uptimes of a node registered %s ago only for periods shorter than that', (_, days, expected) => {
  expect(uptimes(daysAgo(days), now)).toEqual(expected)
})
