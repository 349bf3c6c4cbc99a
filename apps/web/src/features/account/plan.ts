import type { UserInfo } from '../../lib/session-store.ts'

export type Plan = 'test' | 'free' | 'vip' | 'enterprise'

/** The plan of an account: decided by its role; for users and operators, by their VIP status. */
export function planOf({ role, vip }: Pick<UserInfo, 'role' | 'vip'>): Plan {
  if (role === 'test' || role === 'enterprise') return role
  return vip ? 'vip' : 'free'
}

/** Plans in the comparison; a test account has the limits of the free plan. */
export const COLUMNS = ['free', 'vip', 'enterprise'] as const

export const columnOf = (plan: Plan): (typeof COLUMNS)[number] => (plan === 'test' ? 'free' : plan)
