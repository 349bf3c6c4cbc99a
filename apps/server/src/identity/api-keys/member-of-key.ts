import { AppError, PERMISSIONS, type Permission } from '@tidenet/contract'
import { ago } from '../../platform/ago.ts'
import type { Member } from '../../platform/http/callers.ts'
import { hashToken } from '../../platform/token-hash.ts'
import { LAST_USE_PRECISION_MS, toMember } from '../accounts/member.ts'
import { type Context, type Db, now } from '../context.ts'
import { admits, coarseAddress, plainAddress } from './ip-list.ts'
import { deleteOwnKey, type FoundKey, findKeyOfHash, recordUse } from './repository.ts'
import { findKeyOfAccessId } from './s3-repository.ts'
import { readS3Token } from './s3-tokens.ts'

type Deps = Pick<Context, 'db' | 'clock'>

export const API_KEY_PREFIX = 'tnk_'

/** When and from where a key can be used. */
export interface KeyLimits {
  /** In ms; null: never. */
  expires: number | null
  ips: readonly string[]
  /** The address of the user of the key; absent: that of the caller. */
  address?: string
}

export const limitsOf = ({ ends_at, ips }: FoundKey): KeyLimits => ({ expires: ends_at?.getTime() ?? null, ips })

async function use({ db }: Pick<Context, 'db'>, key: FoundKey, ip: string, at: Date): Promise<void> {
  const recent = ago(at, LAST_USE_PRECISION_MS)
  if (key.used_at === null || key.used_at < recent) await recordUse(db, key, at, coarseAddress(ip), recent)
}

interface Found {
  member: Member
  limits: KeyLimits
}

/** @returns 'locked' if the account is locked, undefined if the key is unknown */
export const keyMember = async (context: Deps, key: string, ip: string): Promise<Found | 'locked' | undefined> =>
  memberOf(context, await findKeyOfHash(context.db, hashToken(key)), ip)

/** The same for a token of an S3 access key. A gateway of the operator calls from its own address: the token has the client's. */
export async function s3TokenMember(
  context: Deps & Pick<Context, 'keys'>,
  token: string,
  ip: string,
): Promise<Found | 'locked' | undefined> {
  const read = await readS3Token(context, token)
  if (!read) return undefined
  const found = await memberOf(context, await findKeyOfAccessId(context.db, read.accessId), read.address ?? ip)
  if (!found || found === 'locked' || read.address === undefined) return found
  return { ...found, limits: { ...found.limits, address: read.address } }
}

async function memberOf(context: Deps, row: FoundKey | undefined, ip: string): Promise<Found | 'locked' | undefined> {
  // A key of one folder is only used to copy the folder into a workspace.
  if (!row || row.folder_id !== null) return undefined
  // The owner asked to delete the account.
  if (row.closing_at) return undefined
  if (row.locked) return 'locked'
  const at = now(context)
  const limits = limitsOf(row)
  if (!refusalBy(limits, ip, at.getTime())) await use(context, row, ip, at)
  const permissions =
    row.kind === 'admin' ? 'all' : new Set(PERMISSIONS.filter((permission) => row.perms.includes(permission)))
  return {
    member: {
      ...toMember(row, { via: 'key', credential: String(row.key_id), permissions, folders: row.folders }),
      ...(row.former_id !== null && { isReplaced: true }),
      ...(row.traffic_cap !== null && { hasTrafficCap: true }),
      ...(row.spending_cap !== null && { hasSpendingCap: true }),
    },
    limits,
  }
}

/**
 * The folder that a key is restricted to.
 * @returns undefined if the key is unrestricted, unknown, expired, or one of another account
 * @throws AppError keyAddress
 */
export async function folderOfKey(context: Deps, userId: number, key: string, ip: string): Promise<number | undefined> {
  const row = await findKeyOfHash(context.db, hashToken(key))
  if (!row || row.id !== userId || row.folder_id === null) return undefined
  const at = now(context)
  const refusal = refusalBy(limitsOf(row), ip, at.getTime())
  if (refusal?.key === 'keyExpired') return undefined
  if (refusal) throw refusal
  await use(context, row, ip, at)
  return row.folder_id
}

/** What a key of a folder in a program must permit. Replacing a file by a new version needs `deleteFile`. */
const OF_PROGRAMS: readonly Permission[] = ['readFile', 'readFolder', 'createFile', 'createFolder', 'deleteFile']

/**
 * The folder of a key with which a program's files are copied: it is limited to one folder, and may read and write there.
 * @returns undefined if the key is another one, unknown, expired, or one of another account
 * @throws AppError keyAddress
 */
export async function folderOfProgramKey(
  context: Deps,
  userId: number,
  key: string,
  ip: string,
): Promise<{ id: number; folder: number } | undefined> {
  const row = await findKeyOfHash(context.db, hashToken(key))
  if (!row || row.id !== userId || row.kind !== 'normal' || row.former_id !== null) return undefined
  const [folder, ...more] = row.folders ?? []
  if (folder === undefined || more.length > 0) return undefined
  // Programs copy for the account: no key with a cap could count it.
  if (row.traffic_cap !== null) return undefined
  if (!OF_PROGRAMS.every((permission) => row.perms.includes(permission))) return undefined
  const refusal = refusalBy(limitsOf(row), ip, now(context).getTime())
  if (refusal?.key === 'keyExpired') return undefined
  if (refusal) throw refusal
  return { id: row.key_id, folder }
}

/** Deletes the key of a folder in a program, if its owner has not. */
export const endProgramKey = (tx: Db, userId: number, id: number): Promise<number> => deleteOwnKey(tx, userId, id)

/**
 * Why a key cannot be used now, from this address. Checked for every call, because a key that was just used can expire, and be used from
 * another address.
 */
export function refusalBy({ expires, ips }: KeyLimits, ip: string, at: number): AppError | undefined {
  if (expires !== null && expires <= at) return new AppError('keyExpired')
  return admits(ips, ip) ? undefined : new AppError('keyAddress', { ip: plainAddress(ip) })
}
