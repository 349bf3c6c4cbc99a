import { randomBytes } from 'node:crypto'
import { type OperationName, PERMISSIONS, type Permission } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Member } from '../../platform/http/callers.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import { hashToken } from '../../platform/token-hash.ts'
import { type MemberRow, memberColumns, toMember } from '../accounts/member.ts'
import { type Context, now } from '../context.ts'

/** Tokens of imports begin with this. */
export const IMPORT_TOKEN_PREFIX = 'tni_'

/** For whom, into which folder, and what a gateway may do for an import. */
export interface ImportAccess {
  importId: number
  userId: number
  /** The API key with which the import began. */
  keyId: number | undefined
  /** The folder in which files are put; 0: the root. */
  targetId: number
  /** The folder that it is limited to, and can read. */
  folderId: number | undefined
  permissions: readonly Permission[]
  /** What the worker calls, and nothing else. */
  operations: readonly OperationName[]
  endsAt: Date
}

/** Gives a gateway access for an import; an earlier token of the same import ends. @returns the token */
export async function openImportAccess(tx: Db, access: ImportAccess): Promise<string> {
  const token = `${IMPORT_TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`
  await tx.run(sql`
    insert into import_tokens (token_hash, import_id, user_id, key_id, target_id, folder_id, permissions, operations, ends_at)
    values (${hashToken(token)}, ${access.importId}, ${access.userId}, ${access.keyId ?? null}, ${access.targetId},
      ${access.folderId ?? null}, ${access.permissions}, ${access.operations}, ${access.endsAt})
    on conflict (import_id) do update set token_hash = excluded.token_hash, key_id = excluded.key_id,
      operations = excluded.operations, ends_at = excluded.ends_at`)
  return token
}

export const renewImportAccess = (tx: Db, importId: number, endsAt: Date) =>
  tx.run(sql`update import_tokens set ends_at = ${endsAt} where import_id = ${importId}`)

export const closeImportAccess = (tx: Db, importId: number) =>
  tx.run(sql`delete from import_tokens where import_id = ${importId}`)

/** Whether the API key with which an import began can still be used. */
export const isKeyUsable = async (db: Db, keyId: number, at: Date): Promise<boolean> =>
  (await db.maybe(
    sql`select 1 from api_keys where id = ${keyId} and removed_at is null and (expires_at is null or expires_at > ${at})`,
  )) !== undefined

interface Row extends MemberRow {
  import_id: number
  target_id: number
  folder_id: number | null
  permissions: Permission[]
  operations: OperationName[]
  kind: 'admin' | 'normal' | null
  perms: Permission[] | null
}

/**
 * The account of an import, for its gateway: limited to the folder, and to what the API key may still do with which it began.
 * @returns 'locked' if the account is locked
 */
export async function importMember(
  context: Pick<Context, 'db' | 'clock'>,
  token: string,
): Promise<{ member: Member } | 'locked' | undefined> {
  const at = now(context)
  const row = await context.db.maybe<Row>(sql`
    select t.import_id, t.target_id, t.folder_id, t.permissions, t.operations, k.kind, k.perms, ${memberColumns}
    from import_tokens t join users u on u.id = t.user_id left join api_keys k on k.id = t.key_id
    where t.token_hash = ${hashToken(token)} and t.ends_at > ${at}
      and (t.key_id is null or (k.removed_at is null and (k.expires_at is null or k.expires_at > ${at})))`)
  if (row?.locked) return 'locked'
  if (!row || row.closing_at) return undefined
  const ofKey = row.kind === 'normal' ? row.perms : null
  const permissions = PERMISSIONS.filter(
    (permission) => row.permissions.includes(permission) && (ofKey === null || ofKey.includes(permission)),
  )
  return {
    member: {
      ...toMember(row, {
        via: 'key',
        credential: `import ${row.import_id}`,
        permissions: new Set(permissions),
        folders: row.folder_id === null ? null : [row.folder_id],
      }),
      import: { id: row.import_id, folder: row.target_id, operations: new Set(row.operations) },
    },
  }
}

export const expired = (at: Date): Sql[] => [
  sql`delete from import_tokens where token_hash in (
    select token_hash from import_tokens where ends_at <= ${at} limit ${EXPIRED_BATCH} for update skip locked)`,
]

export const erased = (userId: number): Sql[] => [sql`delete from import_tokens where user_id = ${userId}`]
