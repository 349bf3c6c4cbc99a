import type { Role } from '@tidenet/contract'
import { sql } from '../../platform/db/sql.ts'
import type { Member } from '../../platform/http/callers.ts'

/** The last use of a session or API key is updated at most this often. */
export const LAST_USE_PRECISION_MS = 60_000

/** The columns of `users u` that a caller consists of. */
export const memberColumns = sql`u.id, u.uid, u.email, u.vip, u.role, u.locked_at is not null as locked, u.closing_at`

export interface MemberRow {
  id: number
  uid: string
  email: string | null
  vip: boolean
  role: Role
  locked: boolean
  closing_at: Date | null
}

export const toMember = (
  { id, uid, email, vip, role, closing_at }: MemberRow,
  credential: Pick<Member, 'via' | 'credential' | 'permissions' | 'folders'>,
): Member => ({
  kind: 'member',
  userId: id,
  uid,
  email: email ?? '',
  vip,
  role,
  ...(closing_at && { closingAt: closing_at }),
  ...credential,
})
