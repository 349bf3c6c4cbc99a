import type { Auth, Permission } from '@tidenet/contract'

/** Somebody without an account, or whose account does not matter. */
export interface Visitor {
  kind: 'visitor'
}

/** A signed-in person, or a program with one of the person's API keys. */
export interface Member {
  kind: 'member'
  userId: number
  /** The account's public name. */
  uid: string
  email: string
  vip: boolean
  via: 'session' | 'key'
  /** The session's or the key's id. */
  credential: string
  permissions: ReadonlySet<Permission> | 'all'
}

export interface NodeCaller {
  kind: 'node'
  nodeId: string
}

/** Who reaches a handler, by what the operation's contract admits. */
export type CallerOf<A extends Auth> = A extends 'public'
  ? Visitor
  : A extends 'optional'
    ? Visitor | Member
    : A extends 'node'
      ? NodeCaller
      : Member

export const may = (member: Member, permission: Permission): boolean =>
  member.permissions === 'all' || member.permissions.has(permission)
