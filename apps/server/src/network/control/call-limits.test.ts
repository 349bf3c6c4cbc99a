import { expect, it } from 'vitest'
import { createCallLimits } from './call-limits.ts'

it('limits calls per minute of each node independently', () => {
  let now = 0
  const count = createCallLimits(() => now)
  const callsOf = (node: string) => {
    let made = 0
    try {
      for (; made < 10_000; made++) count(node, 'inventory')
    } catch (error) {
      expect(error).toMatchObject({ key: 'tooManyRequests' })
    }
    return made
  }
  const most = callsOf('a')
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(10_000)
  expect(callsOf('a')).toBe(0)
  expect(callsOf('b')).toBe(most)
  expect(() => count('a', 'heartbeat')).not.toThrow()
  now = 60_000
  expect(callsOf('a')).toBe(most)
})
