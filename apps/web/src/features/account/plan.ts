import type { UserInfo } from '../../lib/session-store.ts'

export type Plan = 'test' | 'free' | 'vip' | 'enterprise'

/** The plan of an account: its role decides, and for people and operators whether they are VIPs. */
export function planOf({ role, vip }: Pick<UserInfo, 'role' | 'vip'>): Plan {
  if (role === 'test' || role === 'enterprise') return role
  return vip ? 'vip' : 'free'
}

/** Plans that stand side by side; a test account has what the free one holds. */
export const COLUMNS = ['free', 'vip', 'enterprise'] as const

export const columnOf = (plan: Plan): (typeof COLUMNS)[number] => (plan === 'test' ? 'free' : plan)
