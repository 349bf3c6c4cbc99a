/**
 * Role of an account, independent of VIP; visitors have none. `test`: always the free plan. `enterprise`: VIP features with the quotas of
 * its contract. `agent`: answers in the support chat, and has nothing else of the operator area. `operator`: access to the operator area.
 */
export const ROLES = ['test', 'user', 'enterprise', 'agent', 'operator'] as const
export type Role = (typeof ROLES)[number]

/** The roles whose accounts answer in the support chat. */
export const AGENT_ROLES = ['agent', 'operator'] as const satisfies readonly Role[]

export const isAgentRole = (role: Role | undefined): boolean => AGENT_ROLES.some((each) => each === role)
