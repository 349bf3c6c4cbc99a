import { expect, it } from 'vitest'
import { statusOf } from './points.ts'

it.each([
  [3, 'online'],
  [1, 'online'],
  [0, 'offline'],
] as const)('reports a place with %i online nodes as %s', (online, state) => expect(statusOf(online)).toBe(state))
