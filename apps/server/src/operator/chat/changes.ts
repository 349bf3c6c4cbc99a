/** What changed since streams were sent the last changes. */
export interface Changes {
  /** Keys of customers. */
  customers: Set<string>
  /** Accounts whose streams are checked. */
  accounts: Set<number>
  /** Accounts whose plan changed, which agents see. */
  plans: Set<number>
  conversations: Map<number, Changed>
  /** Agents came or went. */
  agents: boolean
}

export interface Changed {
  /** The first new message; 0: none. */
  first: number
  notes: string[]
}

export const newChanges = (): Changes => ({
  customers: new Set(),
  accounts: new Set(),
  plans: new Set(),
  conversations: new Map(),
  agents: false,
})

export const isEmpty = ({ customers, accounts, plans, conversations, agents }: Changes): boolean =>
  customers.size + accounts.size + plans.size + conversations.size === 0 && !agents

/** Adds a change of a conversation to those that are known. */
export function addChanged(conversations: Map<number, Changed>, id: number, { first, notes }: Changed): void {
  const before = conversations.get(id)
  conversations.set(id, {
    first: before?.first && first ? Math.min(before.first, first) : first || (before?.first ?? 0),
    notes: [...new Set([...(before?.notes ?? []), ...notes])],
  })
}

/** Adds changes that could not be sent to those that came meanwhile: notifications do not come again. */
export function putBack(into: Changes, unsent: Changes): void {
  for (const key of unsent.customers) into.customers.add(key)
  for (const id of unsent.accounts) into.accounts.add(id)
  for (const id of unsent.plans) into.plans.add(id)
  for (const [id, changed] of unsent.conversations) addChanged(into.conversations, id, changed)
  into.agents ||= unsent.agents
}
