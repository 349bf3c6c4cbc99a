import { AppError, type Auth, type Permission, type Role } from '@tidenet/contract'

/** A caller without an account, or whose account does not matter. */
export interface Visitor {
  kind: 'visitor'
}

/** A signed-in user, or a program with an API key of the user. */
export interface Member {
  kind: 'member'
  userId: number
  /** The account's public id. */
  uid: string
  email: string
  vip: boolean
  role: Role
  /** From when the account is deleted, if its owner asked for that. */
  closingAt?: Date
  /** `team`: a person acts for a team; the account is the team's, the session is the person's. */
  via: 'session' | 'key' | 'team'
  /** Id of the session or API key. */
  credential: string
  /** The API key has another secret by now; this one ends soon. */
  isReplaced?: boolean
  /** The API key has a cap of traffic; see `reserveKeyTraffic`. */
  hasTrafficCap?: boolean
  /** The API key may order; see `spendByKey`. */
  hasSpendingCap?: boolean
  permissions: ReadonlySet<Permission> | 'all'
  /** A gateway that acts for an import: in which folder (0: the root), and which operations it may call. */
  import?: { id: number; folder: number; operations: ReadonlySet<string> }
  /** The person who acts for a team. */
  actor?: { userId: number; uid: string }
  /** The folders that the API key is limited to; null: not limited. */
  folders: readonly number[] | null
}

export interface NodeCaller {
  kind: 'node'
  nodeId: string
}

/** A user of the container console, who can access the workspaces of the account and nothing else. */
export interface ConsoleCaller {
  kind: 'console'
  userId: number
  uid: string
  /** Hash of the session token. */
  session: Buffer
  expiresAt: Date
}

export type Caller = Visitor | Member | NodeCaller | ConsoleCaller

/** The caller that a handler receives, by the `auth` of its operation. */
export type CallerOf<A extends Auth> = A extends 'public' | 'gateway'
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

/** @throws AppError keyPermission, which tells the owner of an API key what is missing; forbidden for a member of a team */
export function requirePermission(member: Member, permission: Permission): void {
  if (!hasPermission(member, permission)) throw permissionRefusal(member, permission)
}

export const isPermissionRefusal = ({ key }: AppError): boolean => key === 'forbidden' || key === 'keyPermission'

/** The refusal of a caller without this permission. */
export const permissionRefusal = ({ via }: Pick<Member, 'via'>, permission: Permission): AppError =>
  via === 'key' ? new AppError('keyPermission', { permission }) : new AppError('forbidden')
