import { join } from 'node:path'
import { AppError } from '@tidenet/contract'
import { accountsOf, folderOfKey } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import type { ConsoleCaller } from '../../platform/http/callers.ts'
import {
  type AssetInFolder,
  assetsNamed,
  downloadTrafficLeft,
  findFolder,
  findOwnFile,
  findTree,
} from '../../storage/index.ts'
import { type OpenArchive, openArchive } from '../clusters/archives/open-archive.ts'
import { ArchiveError } from '../clusters/archives/read-tar.ts'
import { ClusterError } from '../clusters/driver.ts'
import { noteOf } from '../clusters/notes.ts'
import { type Context, now } from '../context.ts'
import { type DownloadDeps, openFile } from './downloads.ts'
import { findImageFolder, folderAt, hasImageFolder, imageFolderOf, openImageFolder } from './image-folders.ts'

/**
 * Images from the account's storage. The image of such a workload is `archive:` and the CID of the file, or that of `image-folders.ts`.
 */

const PREFIX = 'archive:'
/** Larger images belong in a registry: the server holds a copy while it checks them. */
export const ARCHIVE_MAX_BYTES = 8 * 1024 ** 3

/** The CID of an archive; undefined for images of registries. */
export const archiveOf = (image: string | null): string | undefined =>
  image?.startsWith(PREFIX) ? image.slice(PREFIX.length) : undefined

/** Whether an image comes from the account's storage. */
export const isStored = (image: string | null): boolean =>
  archiveOf(image) !== undefined || imageFolderOf(image) !== undefined

/** Whether an image is still in the storage of an account, with the same content. */
export async function hasStoredImage(
  context: Pick<Context, 'clock'> & { db: Db },
  userId: number,
  image: string | null,
): Promise<boolean> {
  const [cid, folder] = [archiveOf(image), imageFolderOf(image)]
  if (cid !== undefined) return (await findOwnFile(context.db, userId, cid, now(context))) !== undefined
  return folder !== undefined && hasImageFolder(context, userId, folder)
}

/**
 * Finds an archive, or a folder with an image in OCI layout, in the folder of an API key, because a console session has no access to the
 * storage.
 * @param file the CID or the path of a file below the folder, or the path of a folder; `.` is the folder of the key
 * @param diskBytes size of the workload's disk, which limits its image
 * @returns the image of the workload
 * @throws AppError folderKey, folderUnknown, archiveFile, archiveTooLarge, downloadQuotaExceeded
 */
export async function findArchive(
  context: DownloadDeps,
  caller: ConsoleCaller,
  { key, file }: { key: string; file: string },
  diskBytes: number,
  ip: string,
): Promise<string> {
  const { root, asset } = await findFile(context, caller, { key, file }, ip)
  if (!asset) {
    const names = file.split('/').filter((name) => name !== '' && name !== '.')
    const folder = await folderAt(context.db, caller.userId, root, names)
    if (folder === undefined) throw new AppError('archiveFile')
    const found = await findImageFolder(context, caller.userId, folder, limitOf(diskBytes))
    await requireTraffic(context, caller, found)
    return found.image
  }
  requireReadable(asset)
  if (asset.size > limitOf(diskBytes)) throw new AppError('archiveTooLarge')
  await requireTraffic(context, caller, asset)
  return `${PREFIX}${asset.cid}`
}

/** @throws AppError folderKey, folderUnknown */
async function findFile(
  context: DownloadDeps,
  caller: ConsoleCaller,
  { key, file }: { key: string; file: string },
  ip: string,
): Promise<{ root: number; asset: AssetInFolder | undefined }> {
  const root = await folderOfKey(context, caller.userId, key, ip)
  if (root === undefined) throw new AppError('folderKey')
  const tree = await findTree(context.db, caller.userId, root)
  if (tree.length === 0) throw new AppError('folderUnknown')
  const names = [file.split('/').findLast((name) => name !== '') ?? '']
  const assets = await assetsNamed(context.db, caller.userId, tree, { names, cid: file }, now(context))
  const asset = assets.find(({ cid }) => cid === file) ?? (await findByPath(context, caller, root, assets, file))
  return { root, asset }
}

/** @throws AppError archiveFile */
function requireReadable(asset: AssetInFolder | undefined): asserts asset is AssetInFolder {
  if (asset?.kind !== 'file' || asset.encrypted) throw new AppError('archiveFile')
}

async function requireTraffic(
  context: DownloadDeps,
  { userId }: ConsoleCaller,
  { size }: Pick<AssetInFolder, 'size'>,
): Promise<void> {
  if ((await downloadTrafficLeft(context.db, context.clock, userId)) < size) throw new AppError('downloadQuotaExceeded')
}

/**
 * Reads a text file in the folder of an API key.
 * @throws AppError folderKey, folderUnknown, archiveFile, downloadQuotaExceeded, nodesOffline, composeText
 */
export async function readArchiveText(
  context: DownloadDeps,
  caller: ConsoleCaller,
  { key, file }: { key: string; file: string },
  maxBytes: number,
  ip: string,
): Promise<string> {
  const { asset } = await findFile(context, caller, { key, file }, ip)
  requireReadable(asset)
  if (asset.size > maxBytes) throw new AppError('composeText')
  await requireTraffic(context, caller, asset)
  const parts: Uint8Array[] = []
  for await (const part of await openFile(context, caller, asset)) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

const limitOf = (diskBytes: number): number => Math.min(diskBytes, ARCHIVE_MAX_BYTES)

async function findByPath(
  { db }: Pick<Context, 'db'>,
  { userId }: ConsoleCaller,
  root: number,
  assets: readonly AssetInFolder[],
  path: string,
): Promise<AssetInFolder | undefined> {
  const names = path.split('/').filter((name) => name !== '')
  for (const asset of assets) {
    if (asset.name !== names.at(-1)) continue
    let folder = asset.folder_id
    let depth = names.length - 2
    while (folder !== root && depth >= 0) {
      const row = await findFolder(db, userId, folder)
      if (!row || row.name !== names[depth]) break
      folder = row.parent_id
      depth -= 1
    }
    if (folder === root && depth < 0) return asset
  }
  return undefined
}

/**
 * Downloads an image of an account, verified by its CIDs, and checks it.
 * @throws ClusterError `archive` for its owner; `failed` if the nodes do not answer, a retry may help
 */
export async function fetchImage(
  context: DownloadDeps,
  { userId, image, diskBytes }: { userId: number; image: string | null; diskBytes: number },
): Promise<OpenArchive> {
  const account = (await accountsOf(context.db, [userId])).get(userId)
  if (!account) throw new ClusterError('archive', noteOf('fileGone'))
  try {
    const { size, content } = await openStored(context, { userId, uid: account.uid }, image)
    if (size > limitOf(diskBytes)) throw new ArchiveError('imageOverDisk')
    if ((await downloadTrafficLeft(context.db, context.clock, userId)) < size) throw new ArchiveError('downloadQuota')
    return await openArchive(join(context.config.data, 'archives'), content(), limitOf(diskBytes))
  } catch (error) {
    if (error instanceof ArchiveError) throw new ClusterError('archive', error.message, { cause: error })
    if (error instanceof AppError)
      throw new ClusterError('failed', 'The nodes of the file do not answer.', { cause: error })
    throw error
  }
}

/** @throws ArchiveError */
async function openStored(
  context: DownloadDeps,
  owner: { userId: number; uid: string },
  image: string | null,
): Promise<{ size: number; content: () => AsyncIterable<Uint8Array> }> {
  const folder = imageFolderOf(image)
  if (folder) return openImageFolder(context, owner, folder)
  const asset = await findOwnFile(context.db, owner.userId, archiveOf(image) ?? '', now(context))
  if (!asset) throw new ArchiveError('fileGone')
  async function* content(found: AssetInFolder) {
    yield* await openFile(context, owner, found)
  }
  return { size: asset.size, content: () => content(asset) }
}
