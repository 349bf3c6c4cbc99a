import { randomBytes } from 'node:crypto'
import { AppError, FREE_API_KEYS, PERMISSIONS, type Permission, VIP_API_KEYS } from '@tidenet/contract'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Context, type Db, now } from '../context.ts'
import { API_KEY_PREFIX, hashKey } from './member-of-key.ts'
import { readPermissions } from './permissions.ts'
import { deleteKey, findKey, insertKey, type KeyRow, listKeys, lockAccountAndCountKeys } from './repository.ts'

export { keysUsed } from './repository.ts'

/** Locks a folder, so that it is not deleted while a key for it is created. @returns false if it does not exist */
export type HoldFolder = (tx: Db, userId: number, folderId: number) => Promise<boolean>

/** Characters of a key that the list of keys shows. */
const KEY_START_LENGTH = 8

/**
 * Creates a key. Key and secret cannot be read again.
 * Without type and permissions, it is an admin key. With a folder, it can only read that folder.
 * @throws AppError keyPermissions, permissionUnknown, tooManyKeys, keyNameTaken, folderUnknown
 */
export async function createKey(
  { db, clock, lockFolderForShare }: Pick<Context, 'db' | 'clock'> & { lockFolderForShare: HoldFolder },
  caller: Member,
  input: {
    key_name: string
    type?: 'admin' | 'normal' | undefined
    perms?: readonly string[] | undefined
    group_id?: number | undefined
  },
  from: { ip: string },
): Promise<{ key: string; secret: string }> {
  const folderId = input.group_id ?? null
  const kind = folderId !== null ? 'normal' : (input.type ?? (input.perms === undefined ? 'admin' : 'normal'))
  const permissions: Permission[] =
    folderId !== null ? ['readFile', 'readFolder'] : kind === 'admin' ? [] : readPermissions(input.perms ?? [])
  const key = `${API_KEY_PREFIX}${randomBytes(32).toString('base64url')}`
  const { userId } = caller
  const secret = `ts-${randomBytes(36).toString('base64url')}`
  await db.transaction(async (tx) => {
    const account = await lockAccountAndCountKeys(tx, userId)
    const max = account.vip ? VIP_API_KEYS : FREE_API_KEYS
    if (account.keys >= max) throw new AppError('tooManyKeys', { max })
    if (folderId !== null && !(await lockFolderForShare(tx, userId, folderId))) throw new AppError('folderUnknown')
    const inserted = await insertKey(tx, {
      userId,
      name: input.key_name,
      keyHash: hashKey(key),
      keyStart: key.slice(0, KEY_START_LENGTH),
      secretHash: hashKey(secret),
      kind,
      permissions,
      folderId,
      at: now({ clock }),
    })
    if (inserted === 0) throw new AppError('keyNameTaken')
    const detail = {
      kind,
      permissions,
      start: key.slice(0, KEY_START_LENGTH),
      ...(folderId !== null && { folder: folderId }),
    }
    await audit(tx, { clock }, caller, from, { action: 'key.create', subject: `key:${input.key_name}`, detail })
  })
  return { key, secret }
}

/** Newest first, without the secrets. */
export async function keysOf({ db }: Pick<Context, 'db'>, { userId }: Member) {
  const rows = await listKeys(db, userId)
  return {
    list: rows.map((row) => ({
      name: row.name,
      key: row.key_start,
      secret: '',
      time: row.created_at.toISOString(),
      type: row.kind,
      perms: permissionsOfRow(row),
      group_id: row.folder_id,
      last_used: row.used_at?.toISOString() ?? null,
    })),
  }
}

/** @throws AppError keyUnknown */
export async function removeKey(
  context: Pick<Context, 'db' | 'clock'>,
  caller: Member,
  name: string,
  from: { ip: string },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    if ((await deleteKey(tx, caller.userId, name)) === 0) throw new AppError('keyUnknown')
    await audit(tx, context, caller, from, { action: 'key.remove', subject: `key:${name}` })
  })
}

/** @throws AppError keyUnknown */
export async function permissionsOf(
  { db }: Pick<Context, 'db'>,
  { userId }: Member,
  name: string,
): Promise<{ perms: Permission[] }> {
  const row = await findKey(db, userId, name)
  if (!row) throw new AppError('keyUnknown')
  return { perms: permissionsOfRow(row) }
}

const permissionsOfRow = ({ kind, perms }: Pick<KeyRow, 'kind' | 'perms'>): Permission[] =>
  kind === 'admin' ? [...PERMISSIONS] : perms
