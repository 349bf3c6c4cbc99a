import { parseCid, RAW } from '@tidenet/content/cid'
import {
  AppError,
  type contract,
  type Output,
  PUBLICATIONS_MAX,
  PUBLISHED_FILES_MAX,
  PUBLISHED_FOLDER_FILES_MAX,
  PUBLISHED_LEVELS_MAX,
} from '@tidenet/contract'
import { lockAccountForUpdate } from '../../identity/index.ts'
import { blockedAmong } from '../../network/index.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Member } from '../../platform/http/callers.ts'
import { now } from '../context.ts'
import { requireOpenAccount } from '../grants/ended-accounts.ts'
import * as tree from '../tree/tree.ts'
import * as folders from './folders-repository.ts'
import * as repository from './repository.ts'
import { countBegin, type Deps, toPublication } from './service.ts'

type Publications = (typeof contract)['publications']

/**
 * Publishes a folder of single files as it is now. Its nodes are built from the CIDs of its files, so no bytes are read or stored again; what
 * is deleted or replaced later is not served any more.
 * @throws AppError as the contract declares
 */
export async function publishFolder(
  context: Deps,
  caller: Member,
  folderId: number,
  from: { ip: string },
): Promise<Output<Publications['createFolder']>> {
  const at = now(context)
  const { userId } = caller
  return context.db.transaction(async (tx) => {
    await requireOpenAccount(tx, await lockAccountForUpdate(tx, userId))
    const folder = await tree.findFolder(tx, userId, folderId)
    if (!folder) throw new AppError('folderUnknown')
    if (folder.encrypted) throw new AppError('publicationEncrypted')
    const max = PUBLISHED_FOLDER_FILES_MAX
    const below = await tree.foldersBelow(tx, userId, folderId)
    const ids = below.map(({ id }) => id)
    const files = await folders.findFiles(tx, userId, ids, at, max + 1)
    if (files.length === 0 || files.length > max) throw new AppError('folderUnpublishable', { max })
    if (files.some(({ encrypted }) => encrypted)) throw new AppError('publicationEncrypted')
    // Only edges say that the account has the bytes.
    if (files.some(({ proven }) => !proven)) throw new AppError('publicationUnproven')
    const blocked = await blockedAmong(tx, [...new Set(files.map(({ cid }) => cid))])
    if (blocked.size > 0) throw new AppError('contentBlocked')
    const paths = pathsOf(below, files)
    if (!paths) throw new AppError('folderUnpublishable', { max })
    await countBegin(tx, context, caller, `folder ${folderId}`)
    await folders.deleteFolderPublication(tx, userId, folderId)
    if ((await repository.countPublications(tx, { userId, folders: null })) >= PUBLICATIONS_MAX)
      throw new AppError('tooManyPublications', { max: PUBLICATIONS_MAX })
    if ((await folders.countParts(tx, userId)) + files.length > PUBLISHED_FILES_MAX)
      throw new AppError('tooManyPublications', { max: PUBLISHED_FILES_MAX })
    const { id } = await folders.insertFolderPublication(tx, { userId, folderId, parts: files.length, at })
    const parts = files.map(({ id: assetId, cid, size }): folders.NewPart => {
      const root = parseCid(cid)
      const only = root.code === RAW ? { digest: root.multihash.digest, size } : undefined
      return { assetId, cid, path: paths.get(assetId) ?? '', only }
    })
    await folders.insertParts(tx, { id, userId, at }, parts)
    await audit(tx, context, caller, from, {
      action: 'publication.create',
      subject: `user:${caller.uid}`,
      detail: { folder: folderId, name: folder.name, files: files.length },
    })
    const all = { userId, folders: null, publishedFolder: folderId }
    const [row] = await repository.pageOfPublications(tx, all, { limit: 1, offset: 0 })
    if (!row) throw new AppError('folderUnknown')
    return toPublication(context, row)
  })
}

/** @throws AppError notFound */
export async function unpublishFolder(
  context: Deps,
  caller: Member,
  folderId: number,
  from: { ip: string },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    if ((await folders.deleteFolderPublication(tx, caller.userId, folderId)) === 0) throw new AppError('notFound')
    const folder = await tree.findFolder(tx, caller.userId, folderId)
    const detail = { folder: folderId, ...(folder && { name: folder.name }) }
    await audit(tx, context, caller, from, { action: 'publication.remove', subject: `user:${caller.uid}`, detail })
  })
}

/** The place of each file below the folder, by id; undefined if it has too many levels. */
function pathsOf(
  below: readonly { id: number; parent_id: number; name: string }[],
  files: readonly folders.FileRow[],
): Map<number, string> | undefined {
  const places = new Map<number, { path: string; levels: number; taken: Set<string> }>()
  for (const { id, parent_id, name } of below) {
    const parent = places.get(parent_id)
    const levels = parent ? parent.levels + 1 : 0
    if (levels > PUBLISHED_LEVELS_MAX) return undefined
    places.set(id, { path: parent ? `${parent.path}${freeName(parent.taken, name)}/` : '', levels, taken: new Set() })
  }
  const paths = new Map<number, string>()
  for (const { id, folder_id, name } of files) {
    const place = places.get(folder_id)
    if (place) paths.set(id, place.path + freeName(place.taken, name))
  }
  return paths
}

/** The portal allows a file and a folder of one name, a directory of IPFS does not. */
function freeName(taken: Set<string>, name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what separates names, and ends them
  const plain = /^\.{1,2}$/.test(name) ? `_${name}` : name.replace(/[/\u0000]|\p{Surrogate}/gu, '_') || '_'
  const dot = plain.lastIndexOf('.')
  const at = dot > 0 ? dot : plain.length
  let free = plain
  for (let count = 2; taken.has(free); count++) free = `${plain.slice(0, at)} (${count})${plain.slice(at)}`
  taken.add(free)
  return free
}
