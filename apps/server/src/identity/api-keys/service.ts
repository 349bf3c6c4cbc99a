import { randomBytes } from 'node:crypto'
import type { contract } from '@tidenet/contract'
import {
  AppError,
  FORMER_KEYS_MAX,
  FREE_API_KEYS,
  KEY_FOLDERS_MAX,
  type Parsed,
  PERMISSIONS,
  type Permission,
  VIP_API_KEYS,
} from '@tidenet/contract'
import { ago } from '../../platform/ago.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import { isDuplicate } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { hashToken } from '../../platform/token-hash.ts'
import { type Context, type Db, now } from '../context.ts'
import { capsOfKeys } from './caps.ts'
import { readIps } from './ip-list.ts'
import { API_KEY_PREFIX } from './member-of-key.ts'
import { readPermissions } from './permissions.ts'
import type { KeyRow } from './repository.ts'
import * as repository from './repository.ts'
import { createCredential, NO_CREDENTIAL, type S3Credential } from './s3-credentials.ts'
import { deleteCredential, keepCredential } from './s3-repository.ts'

export { deleteKeysSince as removeKeysSince, keyNames, keysUsed, usableAdminKeys } from './repository.ts'

type Deps = Pick<Context, 'db' | 'clock'>
type Sealing = Pick<Context, 'keys'>
type From = { ip: string }
type Keys = (typeof contract)['apiKeys']

/** Who gets the secret of a key: the caller, also of a key of a team. */
const personOf = ({ actor, userId }: Member): number => actor?.userId ?? userId

/** Locks a folder, so that it is not deleted while a key for it is created. @returns false if it does not exist */
export type HoldFolder = (tx: Db, userId: number, folderId: number) => Promise<boolean>
/** The names of folders and of their ancestors, from the root. */
export type PathsOf = (db: Db, userId: number, folderIds: readonly number[]) => Promise<Map<number, { Name: string }[]>>
export interface Folders {
  lockFolderForShare: HoldFolder
  findPaths: PathsOf
}

/** Removed keys of an account that can be restored. */
const REMOVED_KEYS_MAX = 20

/** Characters of a key that the list of keys shows. */
const KEY_START_LENGTH = 8

const HOUR = 3_600_000

function generateKey() {
  const key = `${API_KEY_PREFIX}${randomBytes(32).toString('base64url')}`
  const secret = `ts-${randomBytes(36).toString('base64url')}`
  const stored = { keyHash: hashToken(key), keyStart: key.slice(0, KEY_START_LENGTH), secretHash: hashToken(secret) }
  return { key, secret, stored }
}

/**
 * Creates a key, and its access key for S3. Their secrets cannot be read again.
 * Without type and permissions, it is an admin key. With `group_id`, it can only read that folder.
 * @throws AppError keyPermissions, permissionUnknown, keyExpiry, keyIps, tooManyKeyIps, tooManyKeyFolders, tooManyKeys, keyNameTaken, folderUnknown
 */
export async function createKey(
  context: Deps & Sealing & Pick<Folders, 'lockFolderForShare'>,
  caller: Member,
  input: Parsed<Keys['create']>,
  from: From,
): Promise<{ key: string; secret: string } & S3Credential> {
  const { userId } = caller
  const { lockFolderForShare } = context
  const at = now(context)
  const folderId = input.group_id ?? null
  const kind = folderId !== null ? 'normal' : (input.type ?? (input.perms === undefined ? 'admin' : 'normal'))
  const permissions: Permission[] =
    folderId !== null ? ['readFile', 'readFolder'] : kind === 'admin' ? [] : readPermissions(input.perms ?? [])
  const limits = { expiresAt: readExpiry(input.expires_at ?? '', at), ips: readIps(input.ips ?? []) }
  if (folderId !== null && input.folders) throw new AppError('invalidParams', { field: 'folders' })
  const caps = { traffic_cap: readCap(input.traffic_cap), spending_cap: readCap(input.spending_cap) }
  const capped = caps.traffic_cap === null ? caps.spending_cap !== null && 'spending_cap' : 'traffic_cap'
  if (folderId !== null && capped) throw new AppError('invalidParams', { field: capped })
  const folders = input.folders?.length ? readFolders(input.folders) : null
  const { key, secret, stored } = generateKey()
  return context.db.transaction(async (tx) => {
    await requireRoomForKey(tx, caller)
    if (folderId !== null && !(await lockFolderForShare(tx, userId, folderId))) throw new AppError('folderUnknown')
    for (const id of folders ?? []) await requireFolder(lockFolderForShare, tx, userId, id)
    const row = {
      userId,
      issuedBy: personOf(caller),
      name: input.key_name,
      ...stored,
      kind,
      permissions,
      folderId,
      folders,
      ...limits,
      trafficCap: caps.traffic_cap,
      spendingCap: caps.spending_cap,
      at,
    } as const
    const id = await repository.insertKey(tx, row)
    if (id === undefined) throw new AppError('keyNameTaken')
    const credential = folderId === null ? await createCredential(context, tx, id, at) : NO_CREDENTIAL
    const detail = {
      kind,
      permissions,
      start: stored.keyStart,
      ...(folderId !== null && { folder: folderId }),
      ...limitsDetail({ expires_at: limits.expiresAt, ips: limits.ips, folders, ...caps }),
    }
    await audit(tx, context, caller, from, { action: 'key.create', subject: `key:${input.key_name}`, detail })
    return { key, secret, ...credential }
  })
}

/** @throws AppError tooManyKeys */
async function requireRoomForKey(tx: Db, { userId }: Member): Promise<void> {
  const account = await repository.lockAccountAndCountKeys(tx, userId)
  const max = account.vip ? VIP_API_KEYS : FREE_API_KEYS
  if (account.keys >= max) throw new AppError('tooManyKeys', { max })
}

/** @throws AppError keyExpiry if it is not in the future */
function readExpiry(text: string, at: Date): Date | null {
  if (text === '') return null
  const expiry = new Date(text)
  if (!(expiry > at)) throw new AppError('keyExpiry')
  return expiry
}

/** @throws AppError tooManyKeyFolders */
function readFolders(ids: readonly number[]): number[] {
  const folders = [...new Set(ids)]
  if (folders.length > KEY_FOLDERS_MAX) throw new AppError('tooManyKeyFolders', { max: KEY_FOLDERS_MAX })
  return folders
}

async function requireFolder(hold: HoldFolder, tx: Db, userId: number, folderId: number): Promise<void> {
  if (!(await hold(tx, userId, folderId))) throw new AppError('folderUnknown')
}

const readCap = (cap: number | '' | undefined): number | null => (cap === '' || cap === undefined ? null : cap)

type Limits = Pick<KeyRow, 'expires_at' | 'ips' | 'folders' | 'traffic_cap' | 'spending_cap'>

const limitsDetail = ({ expires_at, ips, folders, traffic_cap, spending_cap }: Limits) => ({
  ...(folders && { folders }),
  ...(expires_at && { expires: expires_at.toISOString() }),
  ...(ips.length > 0 && { ips }),
  ...(traffic_cap !== null && { traffic_cap }),
  ...(spending_cap !== null && { spending_cap }),
})

/** Newest first, without the secrets. */
export async function keysOf(context: Deps & Pick<Folders, 'findPaths'>, { userId }: Member) {
  const rows = await repository.listKeys(context.db, userId)
  const paths = await context.findPaths(context.db, userId, [...new Set(rows.flatMap(({ folders }) => folders ?? []))])
  const at = now(context)
  const capsOf = await capsOfKeys(context.db, userId, at)
  const former = await repository.listFormerKeys(context.db, userId, at)
  const removed = await repository.listRemovedKeys(context.db, userId, ago(at, repository.REMOVED_LIFE_MS))
  return {
    removed: removed.map(({ name, key_start, removed_at }) => ({
      name,
      key: key_start,
      removed_at: removed_at.toISOString(),
      until: new Date(removed_at.getTime() + repository.REMOVED_LIFE_MS).toISOString(),
    })),
    list: rows.map((row) => ({
      name: row.name,
      key: row.key_start,
      secret: '',
      access_key_id: row.access_id ?? '',
      time: row.created_at.toISOString(),
      type: row.kind,
      perms: permissionsOfRow(row),
      group_id: row.folder_id,
      last_used: row.used_at?.toISOString() ?? null,
      last_used_from: row.used_from,
      expires_at: row.expires_at?.toISOString() ?? null,
      ips: row.ips,
      folders: row.folders?.map((id) => ({ id, path: (paths.get(id) ?? []).map(({ Name }) => Name) })) ?? null,
      ...capsOf(row),
      rotated_at: row.rotated_at?.toISOString() ?? null,
      former: former
        .filter(({ key_id }) => key_id === row.id)
        .map(({ key_start, ends_at, used_at }) => ({
          key: key_start,
          until: ends_at.toISOString(),
          last_used: used_at?.toISOString() ?? null,
        })),
    })),
  }
}

/** @throws AppError keyUnknown */
async function requireKey(tx: Db, { userId }: Member, name: string): Promise<KeyRow> {
  const row = await repository.lockKeyForUpdate(tx, userId, name)
  if (!row) throw new AppError('keyUnknown')
  return row
}

/**
 * Changes name, permissions and limits; absent ones stay.
 * @throws AppError keyUnknown, keyNameTaken, keyPermissions, permissionUnknown, keyExpiry, keyIps, tooManyKeyIps; invalidParams for permissions of a key of `group_id`
 */
export async function changeKey(
  context: Deps & Pick<Folders, 'lockFolderForShare'>,
  caller: Member,
  input: Parsed<Keys['change']>,
  from: From,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const key = await requireKey(tx, caller, input.key_name)
    const { type, perms, expires_at, ips, folders, traffic_cap, spending_cap } = input
    const permitted = type !== undefined || perms !== undefined
    if (permitted && key.folder_id !== null) throw new AppError('invalidParams', { field: type ? 'type' : 'perms' })
    if (folders && key.folder_id !== null) throw new AppError('invalidParams', { field: 'folders' })
    const capped = traffic_cap === undefined ? spending_cap !== undefined && 'spending_cap' : 'traffic_cap'
    if (capped && key.folder_id !== null) throw new AppError('invalidParams', { field: capped })
    const kind = type ?? (perms === undefined ? key.kind : 'normal')
    const changed = {
      id: key.id,
      name: input.new_name ?? key.name,
      kind,
      perms:
        kind === 'admin' ? [] : perms === undefined && key.kind === 'normal' ? key.perms : readPermissions(perms ?? []),
      expires_at: expires_at === undefined ? key.expires_at : readExpiry(expires_at, now(context)),
      ips: ips === undefined ? key.ips : readIps(ips),
      folders: folders === undefined ? key.folders : folders.length === 0 ? null : readFolders(folders),
      traffic_cap: traffic_cap === undefined ? key.traffic_cap : readCap(traffic_cap),
      spending_cap: spending_cap === undefined ? key.spending_cap : readCap(spending_cap),
    }
    // A folder that the key had before may have been deleted since.
    for (const id of changed.folders ?? [])
      if (!key.folders?.includes(id)) await requireFolder(context.lockFolderForShare, tx, caller.userId, id)
    await repository.updateKey(tx, changed).catch((error: unknown) => {
      throw isDuplicate(error, repository.UNIQUE_NAME) ? new AppError('keyNameTaken') : error
    })
    if (input.end_former) await repository.deleteFormerKeys(tx, key.id)
    const detail = {
      kind,
      permissions: changed.perms,
      ...(changed.name !== key.name && { name: changed.name }),
      ...limitsDetail(changed),
      ...(input.end_former && { former: 'ended' }),
    }
    await audit(tx, context, caller, from, { action: 'key.change', subject: `key:${key.name}`, detail })
  })
}

/**
 * Replaces the key and its access key. The replaced ones work for the overlap; without one, it and all that it replaced stop.
 * @throws AppError keyUnknown, tooManyFormerKeys
 */
export async function rotateKey(
  context: Deps & Sealing,
  caller: Member,
  { key_name, overlap_hours }: Parsed<Keys['rotate']>,
  from: From,
): Promise<{ key: string; secret: string; previous_until: string | null } & S3Credential> {
  const at = now(context)
  const until = overlap_hours === 0 ? null : new Date(at.getTime() + overlap_hours * HOUR)
  const { key, secret, stored } = generateKey()
  return context.db.transaction(async (tx) => {
    const old = await requireKey(tx, caller, key_name)
    if (!until) await repository.deleteFormerKeys(tx, old.id)
    else if ((await repository.countFormerKeys(tx, old.id, at)) >= FORMER_KEYS_MAX)
      throw new AppError('tooManyFormerKeys', { max: FORMER_KEYS_MAX })
    // One transaction: at any time, at least one of both keys works.
    await repository.replaceKey(tx, old.id, { ...stored, issuedBy: personOf(caller), at })
    if (until) await keepCredential(tx, old.id, await repository.insertFormerKey(tx, old, until))
    else await deleteCredential(tx, old.id)
    const credential = old.folder_id === null ? await createCredential(context, tx, old.id, at) : NO_CREDENTIAL
    const detail = { start: stored.keyStart, replaced: old.key_start, until: until?.toISOString() ?? null }
    await audit(tx, context, caller, from, { action: 'key.rotate', subject: `key:${old.name}`, detail })
    return { key, secret, previous_until: until?.toISOString() ?? null, ...credential }
  })
}

/**
 * The key stops at once. Its owner can restore it, except a key of `group_id`, which the portal makes for one copy.
 * @throws AppError keyUnknown
 */
export async function removeKey(context: Deps, caller: Member, name: string, from: From): Promise<void> {
  await context.db.transaction(async (tx) => {
    const { id, folder_id } = await requireKey(tx, caller, name)
    if (folder_id !== null) await repository.deleteKey(tx, id)
    else await repository.removeKey(tx, { id, userId: caller.userId }, now(context), REMOVED_KEYS_MAX)
    await audit(tx, context, caller, from, { action: 'key.remove', subject: `key:${name}` })
  })
}

/**
 * Restores the key of this name that was removed last: its secret, terms and replaced keys are as they were.
 * @throws AppError keyUnknown, keyNameTaken, tooManyKeys
 */
export async function restoreKey(context: Deps, caller: Member, name: string, from: From): Promise<void> {
  const at = now(context)
  await context.db.transaction(async (tx) => {
    await requireRoomForKey(tx, caller)
    const key = await repository.findRemovedKey(tx, caller.userId, name, ago(at, repository.REMOVED_LIFE_MS))
    if (!key) throw new AppError('keyUnknown')
    await repository.restoreKey(tx, key.id, at).catch((error: unknown) => {
      throw isDuplicate(error, repository.UNIQUE_NAME) ? new AppError('keyNameTaken') : error
    })
    const detail = { start: key.key_start }
    await audit(tx, context, caller, from, { action: 'key.restore', subject: `key:${name}`, detail })
  })
}

/** @throws AppError keyUnknown */
export async function permissionsOf(
  { db }: Pick<Context, 'db'>,
  { userId }: Member,
  name: string,
): Promise<{ perms: Permission[] }> {
  const row = await repository.findKey(db, userId, name)
  if (!row) throw new AppError('keyUnknown')
  return { perms: permissionsOfRow(row) }
}

const permissionsOfRow = ({ kind, perms }: Pick<KeyRow, 'kind' | 'perms'>): Permission[] =>
  kind === 'admin' ? [...PERMISSIONS] : perms
