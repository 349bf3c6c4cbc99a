import { createHash } from 'node:crypto'
import { PERMISSIONS, type Role } from '@tidenet/contract'
import { sql } from '../../platform/db/sql.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Context, now } from '../context.ts'

type Deps = Pick<Context, 'db' | 'clock'>

/** What every API key begins with. */
export const API_KEY = 'tnk_'
/** The last use of a key is known to this many ms, so that a busy one is not written with every call. */
const USE_NOTED = 60_000

/** Whom a key lets in; 'locked' when its account is. */
export async function keyMember(context: Deps, key: string): Promise<{ member: Member } | 'locked' | undefined> {
  const row = await context.db.maybe<{
    key_id: number
    kind: string
    perms: string[]
    folder_id: number | null
    used_at: Date | null
    id: number
    uid: string
    email: string | null
    vip: boolean
    role: Role
    locked: boolean
  }>(sql`
    select k.id as key_id, k.kind, k.perms, k.folder_id, k.used_at, u.id, u.uid, u.email, u.vip, u.role, u.locked_at is not null as locked
    from api_keys k join users u on u.id = k.user_id where k.key_hash = ${hashKey(key)}`)
  // A key to one folder copies that folder into a workspace, and opens nothing here.
  if (!row || row.folder_id !== null) return undefined
  if (row.locked) return 'locked'
  const at = now(context)
  const noted = new Date(at.getTime() - USE_NOTED)
  if (row.used_at === null || row.used_at < noted)
    await context.db.run(sql`
      update api_keys set used_at = ${at} where id = ${row.key_id} and (used_at is null or used_at < ${noted})`)
  const permissions =
    row.kind === 'admin' ? 'all' : new Set(PERMISSIONS.filter((permission) => row.perms.includes(permission)))
  return {
    member: {
      kind: 'member',
      userId: row.id,
      uid: row.uid,
      email: row.email ?? '',
      vip: row.vip,
      role: row.role,
      via: 'key',
      credential: String(row.key_id),
      permissions,
    },
  }
}

/** Keys are 256 random bits: a plain hash is enough to keep them unreadable at rest. */
export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest()
