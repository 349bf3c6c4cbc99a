import type { Auth, Permission, Role } from '@tidenet/contract'

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
  role: Role
  via: 'session' | 'key'
  /** The session's or the key's id. */
  credential: string
  permissions: ReadonlySet<Permission> | 'all'
}

export interface NodeCaller {
  kind: 'node'
  nodeId: string
}

/** Somebody who entered the container console, which opens the account's workspaces alone. */
export interface ConsoleCaller {
  kind: 'console'
  userId: number
  uid: string
  /** Hash of the session's token, by which it is ended. */
  session: Buffer
  expiresAt: Date
}

/** Who reaches a handler, by what the operation's contract admits. */
export type CallerOf<A extends Auth> = A extends 'public'
  ? Visitor
  : A extends 'optional'
    ? Visitor | Member
    : A extends 'node'
      ? NodeCaller
      : A extends 'console'
        ? ConsoleCaller
        : Member

export const hasPermission = (member: Member, permission: Permission): boolean =>
  member.permissions === 'all' || member.permissions.has(permission)
