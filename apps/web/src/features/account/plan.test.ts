import { expect, it } from 'vitest'
import { columnOf, planOf } from './plan.ts'

it.each([
  ['user', false, 'free', 'free'],
  ['user', true, 'vip', 'vip'],
  ['operator', false, 'free', 'free'],
  ['operator', true, 'vip', 'vip'],
  ['test', false, 'test', 'free'],
  // A stored session may be inconsistent: the role decides.
  ['test', true, 'test', 'free'],
  ['enterprise', true, 'enterprise', 'enterprise'],
  ['enterprise', false, 'enterprise', 'enterprise'],
  [undefined, true, 'vip', 'vip'],
  [undefined, false, 'free', 'free'],
] as const)('an account of the role %s, VIP %s, has the plan %s in the column %s', (role, vip, plan, column) => {
  expect(planOf({ vip, ...(role && { role }) })).toBe(plan)
  expect(columnOf(plan)).toBe(column)
})
