/**
 * Role of an account, independent of VIP; visitors have none. `test`: always the free plan. `enterprise`: VIP features with the quotas of
 * its contract. `operator`: access to the operator area.
 */
export const ROLES = ['test', 'user', 'enterprise', 'operator'] as const
export type Role = (typeof ROLES)[number]
