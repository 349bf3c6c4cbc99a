import { createHash } from 'node:crypto'
import { PERMISSIONS } from '@tidenet/contract'
import { ago } from '../../platform/ago.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Member } from '../../platform/http/callers.ts'
import { LAST_USE_PRECISION_MS, type MemberRow, memberColumns, toMember } from '../accounts/member.ts'
import { type Context, now } from '../context.ts'

type Deps = Pick<Context, 'db' | 'clock'>

export const API_KEY_PREFIX = 'tnk_'

/** @returns 'locked' if the account is locked, undefined if the key is unknown */
export async function keyMember(context: Deps, key: string): Promise<{ member: Member } | 'locked' | undefined> {
  const row = await context.db.maybe<
    MemberRow & { key_id: number; kind: string; perms: string[]; folder_id: number | null; used_at: Date | null }
  >(sql`
    select k.id as key_id, k.kind, k.perms, k.folder_id, k.used_at, ${memberColumns}
    from api_keys k join users u on u.id = k.user_id where k.key_hash = ${hashKey(key)}`)
  // A key of one folder is only used to copy the folder into a workspace.
  if (!row || row.folder_id !== null) return undefined
  if (row.locked) return 'locked'
  const at = now(context)
  const recent = ago(at, LAST_USE_PRECISION_MS)
  if (row.used_at === null || row.used_at < recent)
    await context.db.run(sql`
      update api_keys set used_at = ${at} where id = ${row.key_id} and (used_at is null or used_at < ${recent})`)
  const permissions =
    row.kind === 'admin' ? 'all' : new Set(PERMISSIONS.filter((permission) => row.perms.includes(permission)))
  return { member: toMember(row, { via: 'key', credential: String(row.key_id), permissions }) }
}

/** API keys are 256 random bits, so an unsalted fast hash is sufficient. */
export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest()
