import { randomBytes } from 'node:crypto'
import { AppError, FREE_API_KEYS, PERMISSIONS, type Permission, VIP_API_KEYS } from '@tidenet/contract'
import { type Context, now } from '../context.ts'
import { hashKey } from '../sessions/authenticate.ts'
import type { Member } from '../sessions/callers.ts'
import { readPermissions } from './permissions.ts'
import { deleteKey, findKey, holdKeys, insertKey, type KeyRow, listKeys } from './repository.ts'

/** As much of a key as its list shows. */
const SHOWN = 8

/**
 * Makes a key; this answer is the only place where key and secret ever stand.
 * Without a kind and without permissions it is an admin key.
 * @throws AppError keyPermissions, tooManyKeys, keyNameTaken
 */
export async function createKey(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { userId }: Member,
  input: { key_name: string; type?: 'admin' | 'normal' | undefined; perms?: readonly string[] | undefined },
): Promise<{ key: string; secret: string }> {
  const kind = input.type ?? (input.perms === undefined ? 'admin' : 'normal')
  const permissions = kind === 'admin' ? [] : readPermissions(input.perms ?? [])
  const key = `tnk_${randomBytes(32).toString('base64url')}`
  const secret = `ts-${randomBytes(36).toString('base64url')}`
  await db.transaction(async (tx) => {
    const account = await holdKeys(tx, userId)
    const max = account.vip ? VIP_API_KEYS : FREE_API_KEYS
    if (account.keys >= max) throw new AppError('tooManyKeys', { max })
    const made = await insertKey(tx, {
      userId,
      name: input.key_name,
      keyHash: hashKey(key),
      keyStart: key.slice(0, SHOWN),
      secretHash: hashKey(secret),
      kind,
      permissions,
      at: now({ clock }),
    })
    if (made === 0) throw new AppError('keyNameTaken')
  })
  return { key, secret }
}

/** The account's keys, newest first, without what would let anybody in. */
export async function keysOf({ db }: Pick<Context, 'db'>, { userId }: Member) {
  const rows = await listKeys(db, userId)
  return {
    list: rows.map((row) => ({
      name: row.name,
      key: row.key_start,
      secret: '',
      time: row.created_at.toISOString(),
      type: row.kind,
      perms: allowedTo(row),
      last_used: row.used_at?.toISOString() ?? null,
    })),
  }
}

/** @throws AppError keyUnknown */
export async function removeKey({ db }: Pick<Context, 'db'>, { userId }: Member, name: string): Promise<void> {
  if ((await deleteKey(db, userId, name)) === 0) throw new AppError('keyUnknown')
}

/** What the key may do; an admin key all of it. @throws AppError keyUnknown */
export async function permissionsOf(
  { db }: Pick<Context, 'db'>,
  { userId }: Member,
  name: string,
): Promise<{ perms: Permission[] }> {
  const row = await findKey(db, userId, name)
  if (!row) throw new AppError('keyUnknown')
  return { perms: allowedTo(row) }
}

const allowedTo = ({ kind, perms }: Pick<KeyRow, 'kind' | 'perms'>): Permission[] =>
  kind === 'admin' ? [...PERMISSIONS] : perms
