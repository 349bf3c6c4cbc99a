import { createHash } from 'node:crypto'
import { AppError, type ObjectTag, type LifecycleRuleOfBucket as Rule, type S3Object } from '@tidenet/contract'
import { findAccountUsage, freeStorageOf } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import * as assets from '../assets/assets.ts'
import * as tree from '../tree/tree.ts'
import { expirationOf } from './lifecycle-rules.ts'
import * as repository from './repository.ts'
import { findSettings, type SettingsRow } from './settings-repository.ts'

export interface Bucket {
  id: number
  name: string
}

/** Names that S3 clients accept. */
const CLIENT_NAME = /^[a-zA-Z0-9._-]{3,255}$/

/** The buckets of an account: the folders of the root. A folder whose name no client accepts is `folder-<id>`. */
export async function bucketsOf(
  db: Db,
  { userId, folders }: Pick<Member, 'userId' | 'folders'>,
): Promise<(Bucket & { created: Date })[]> {
  const rows = await tree.findTopFolders(db, userId, folders)
  const buckets = new Map<string, Bucket & { created: Date }>()
  const add = (name: string, { id, created_at: created }: (typeof rows)[number]) =>
    buckets.has(name) || buckets.set(name, { id, name, created })
  for (const row of rows) if (CLIENT_NAME.test(row.name)) add(row.name, row)
  for (const row of rows) if (!CLIENT_NAME.test(row.name)) add(`folder-${row.id}`, row)
  return [...buckets.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** @throws AppError folderUnknown */
export async function requireBucket(db: Db, caller: Pick<Member, 'userId' | 'folders'>, name: string): Promise<Bucket> {
  const { userId, folders } = caller
  const [found] = folders ? [] : await tree.findFoldersOfParts(db, userId, [{ parent: 0, part: name }])
  if (found) return { id: found.id, name }
  const bucket =
    folders || name.startsWith('folder-') ? (await bucketsOf(db, caller)).find((one) => one.name === name) : undefined
  if (!bucket) throw new AppError('folderUnknown')
  return bucket
}

/**
 * @param size bytes that are not reserved yet
 * @throws AppError folderUnknown, folderEncrypted, quotaExceeded
 */
export async function requireWritable(db: Db, caller: Member, name: string, size: number): Promise<void> {
  const { id } = await requireBucket(db, caller, name)
  const folder = await tree.findFolder(db, caller.userId, id)
  if (folder?.encrypted) throw new AppError('folderEncrypted')
  if (size === 0) return
  const account = await findAccountUsage(db, caller.userId)
  const free = Math.max(0, freeStorageOf(account))
  if (size > free) throw new AppError('quotaExceeded', { free })
}

/** The parts of a key: those of its folders, and the last one. */
export function partsOf(key: string): { folders: string[]; part: string } {
  const parts = key.split('/')
  return { folders: parts.slice(0, -1), part: parts.at(-1) ?? '' }
}

/**
 * The folders of these keys, as far as they exist.
 * @returns ids by path; '' is the bucket
 */
export async function findKeyFolders(
  db: Db,
  userId: number,
  bucket: Bucket,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const known = new Map([['', bucket.id]])
  for (const level of levelsOf(keys)) {
    const below = level.filter(({ above }) => known.has(above))
    if (below.length === 0) break
    const wanted = below.map(({ above, part }) => ({ parent: known.get(above) as number, part }))
    const found = new Map(
      (await tree.findFoldersOfParts(db, userId, wanted)).map((row) => [`${row.parent_id}/${row.part}`, row.id]),
    )
    for (const { path, above, part } of below) {
      const id = found.get(`${known.get(above)}/${part}`)
      if (id !== undefined) known.set(path, id)
    }
  }
  return known
}

export interface FolderOfKeys {
  /** With a slash at its end. */
  path: string
  above: string
  part: string
}

/** Every folder that the keys name, once, the outermost first. */
export function levelsOf(keys: readonly string[]): FolderOfKeys[][] {
  const levels: Map<string, FolderOfKeys>[] = []
  for (const key of keys) {
    let above = ''
    for (const [depth, part] of partsOf(key).folders.entries()) {
      const path = `${above}${part}/`
      levels[depth] ??= new Map()
      levels[depth].set(path, { path, above, part })
      above = path
    }
  }
  return levels.map((level) => [...level.values()])
}

/** The path of the folder that has the object, with a slash at its end. */
export const folderPathOf = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1)

/** The entries of these keys, by key. @param known their folders by path, if the caller has them */
export async function findEntries(
  db: Db,
  userId: number,
  bucket: Bucket,
  keys: readonly string[],
  known?: ReadonlyMap<string, number>,
): Promise<Map<string, { id: number; name: string; folderId: number }>> {
  const folders = known ?? (await findKeyFolders(db, userId, bucket, keys))
  const places = keys.flatMap((key) => {
    const folderId = folders.get(folderPathOf(key))
    return folderId === undefined ? [] : { key, folderId, part: partsOf(key).part }
  })
  const rows = await assets.keys.findOfKeys(db, userId, places)
  const byPlace = new Map(rows.map((row) => [`${row.folder_id}/${row.part}`, row]))
  return new Map(
    places.flatMap(({ key, folderId, part }) => {
      const row = byPlace.get(`${folderId}/${part}`)
      return row ? [[key, { id: row.id, name: row.name, folderId }] as const] : []
    }),
  )
}

/**
 * The ETag of an object: what S3 got; otherwise the MD5, if a client stated one; otherwise of the CID, in the form of an upload in parts,
 * which clients do not take for an MD5. It is the same as long as the bytes are.
 */
export const etagOf = ({
  etag,
  md5,
  encrypted,
  cid,
}: Pick<repository.ObjectRow, 'etag' | 'md5' | 'encrypted' | 'cid'>): string =>
  etag ?? (md5 && !encrypted ? md5 : `${createHash('sha256').update(cid).digest('hex').slice(0, 32)}-1`)

/** Texts by name, which the contract has checked before they were stored. */
export const textsOf = (stored: unknown): Record<string, string> => (stored ?? {}) as Record<string, string>

export const tagsOf = (stored: unknown): ObjectTag[] => (stored ?? []) as ObjectTag[]

/** The rules that delete current objects of a bucket. A key that is limited to folders does not see them: their prefixes begin elsewhere. */
export const rulesOf = (
  { folders }: Pick<Member, 'folders'>,
  settings: Pick<SettingsRow, 'lifecycle'> | undefined,
): Rule[] => (folders ? [] : ((settings?.lifecycle ?? []) as Rule[]).filter(({ isEnabled }) => isEnabled))

/** The same, of a bucket whose settings the caller has not read. */
export const findRules = async (
  db: Db,
  caller: Pick<Member, 'userId' | 'folders'>,
  { id }: Pick<Bucket, 'id'>,
): Promise<Rule[]> => rulesOf(caller, caller.folders ? undefined : await findSettings(db, caller.userId, id))

function expirationText(rules: readonly Rule[], key: string, row: repository.ObjectRow): S3Object['expiration'] {
  const modified = (row.modified_at ?? row.created_at).getTime()
  const found = expirationOf(rules, { key, size: row.size, tags: tagsOf(row.tags), modified })
  // A rule can say so many days that there is no such date.
  const at = found && new Date(found.at)
  return at && !Number.isNaN(at.getTime()) ? { at: at.toISOString(), rule_id: found.rule.id ?? '' } : null
}

/** @param rules of the bucket */
export const toObject = (key: string, row: repository.ObjectRow, rules: readonly Rule[]): S3Object => ({
  key,
  version_id: row.version_id,
  marker: false,
  asset_id: row.asset_id,
  version: row.version,
  cid: row.cid,
  kind: row.kind,
  size: row.size,
  etag: etagOf(row),
  modified: (row.modified_at ?? row.created_at).toISOString(),
  headers: textsOf(row.headers),
  metadata: textsOf(row.metadata),
  checksums: textsOf(row.checksums),
  tags: tagsOf(row.tags),
  expiration: expirationText(rules, key, row),
})

/** The current version. @throws AppError folderUnknown, assetUnknown */
export async function requireObject(db: Db, caller: Member, name: string, key: string): Promise<S3Object> {
  const bucket = await requireBucket(db, caller, name)
  const entry = (await findEntries(db, caller.userId, bucket, [key])).get(key)
  const [row] = entry ? await repository.findObjects(db, caller.userId, [entry.id]) : []
  if (!row) throw new AppError('assetUnknown')
  return toObject(key, row, await findRules(db, caller, bucket))
}
