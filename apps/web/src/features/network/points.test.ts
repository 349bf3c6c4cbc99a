import { expect, it } from 'vitest'
import { stateOf } from './points.ts'

it.each([
  [3, 'online'],
  [1, 'online'],
  [0, 'offline'],
] as const)('a place with %i nodes online is %s', (online, state) => expect(stateOf(online)).toBe(state))
