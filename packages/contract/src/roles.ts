/**
 * What an account is, beside being a VIP or not. A visitor has none. A test account has the free plan and nothing more; an enterprise
 * account has all that a VIP has, in the amounts of its contract; an operator sees the operator area.
 */
export const ROLES = ['test', 'user', 'enterprise', 'operator'] as const
export type Role = (typeof ROLES)[number]
