import { expect, it } from 'vitest'
import { formatClock } from './clock.ts'

it.each([
  [0, '00:00:00'],
  [-5000, '00:00:00'],
  [1, '00:00:01'],
  [3_600_000, '01:00:00'],
  [86_399_000, '23:59:59'],
])('formats %d ms as %s', (ms, clock) => expect(formatClock(ms)).toBe(clock))
