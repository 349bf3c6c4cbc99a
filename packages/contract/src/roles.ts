/**
 * Role of an account, independent of VIP; visitors have none. `test`: always the free plan. `enterprise`: VIP features with the quotas of
 * its contract. `agent`: answers in the support chat, and has nothing else of the operator area. `operator`: access to the operator area.
 */
export const ROLES = ['test', 'user', 'enterprise', 'agent', 'operator'] as const
export type Role = (typeof ROLES)[number]

/** The roles whose accounts answer in the support chat. */
export const AGENT_ROLES = ['agent', 'operator'] as const satisfies readonly Role[]

export const isAgentRole = (role: Role | undefined): boolean => AGENT_ROLES.some((each) => each === role)

/**
 * What a member may do with a team. `viewer`: list and download; `editor`: also upload, change, delete and share; `owner`: also members, API
 * keys, webhooks, name and deletion.
 */
export const TEAM_ROLES = ['viewer', 'editor', 'owner'] as const
export type TeamRole = (typeof TEAM_ROLES)[number]

/** Whether a role includes another one. */
export const includesRole = (role: TeamRole, needed: TeamRole): boolean =>
  TEAM_ROLES.indexOf(role) >= TEAM_ROLES.indexOf(needed)
