import { createHash } from 'node:crypto'
import { AppError } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import type { ConsoleCaller } from '../../platform/http/callers.ts'
import { type AssetInFolder, assetsIn, assetsNamed, findFoldersNamed } from '../../storage/index.ts'
import { ArchiveError } from '../clusters/archives/read-tar.ts'
import { type TarEntry, tarOf } from '../clusters/tar.ts'
import { type Context, now } from '../context.ts'
import { type DownloadDeps, openFile } from './downloads.ts'

/**
 * Folders of the account's storage that contain an image in OCI layout. The image of such a workload is `layout:`, the id of the folder, and
 * a hash of what the folder contained when it was chosen, because a folder can change.
 */

const IMAGE = /^layout:(\d+):([a-f\d]{64})$/
const BLOB = /^[a-f\d]{64}$/
const FILES_MAX = 10_000

type Reads = Pick<Context, 'clock'> & { db: Db }

export interface ImageFolder {
  folder: number
  hash: string
}

/** Undefined for images of registries and archives. */
export function imageFolderOf(image: string | null): ImageFolder | undefined {
  const [, folder, hash] = IMAGE.exec(image ?? '') ?? []
  return folder !== undefined && hash !== undefined ? { folder: Number(folder), hash } : undefined
}

/** The files of the layout in a folder, by path. Other files of the folder are left out. */
type Layout = ReadonlyMap<string, AssetInFolder>

/** @throws AppError archiveFile without an image; archiveTooLarge */
export async function findImageFolder(
  context: Reads,
  userId: number,
  folder: number,
  maxBytes: number,
): Promise<{ image: string; size: number }> {
  const layout = await readLayout(context, userId, folder)
  if (!layout) throw new AppError('archiveFile')
  const size = sizeOf(layout)
  if (size > maxBytes) throw new AppError('archiveTooLarge')
  return { image: `layout:${folder}:${hashOf(layout)}`, size }
}

/** Whether the folder still contains the image that was chosen. */
export async function hasImageFolder(context: Reads, userId: number, { folder, hash }: ImageFolder): Promise<boolean> {
  const layout = await readLayout(context, userId, folder)
  return layout !== undefined && hashOf(layout) === hash
}

/**
 * The image of a folder as an archive; each file is downloaded when its turn comes, and verified by its CID.
 * @throws ArchiveError if the folder is no longer the one that was chosen
 */
export async function openImageFolder(
  context: DownloadDeps,
  owner: Pick<ConsoleCaller, 'userId' | 'uid'>,
  { folder, hash }: ImageFolder,
): Promise<{ size: number; content: () => AsyncIterable<Uint8Array> }> {
  const layout = await readLayout(context, owner.userId, folder)
  if (!layout || hashOf(layout) !== hash) throw new ArchiveError('folderChanged')
  async function* entries(files: Layout): AsyncGenerator<TarEntry> {
    for (const [path, asset] of files)
      yield { kind: 'file', path, size: asset.size, content: await openFile(context, owner, asset) }
  }
  return { size: sizeOf(layout), content: () => tarOf(entries(layout)) }
}

const sizeOf = (layout: Layout): number => [...layout.values()].reduce((sum, { size }) => sum + size, 0)

const hashOf = (layout: Layout): string =>
  createHash('sha256')
    .update(JSON.stringify([...layout].map(([path, { cid, size }]) => [path, cid, size])))
    .digest('hex')

/** @returns undefined if the folder does not have the files of a layout, or one of them cannot be read */
async function readLayout({ db, clock }: Reads, userId: number, folder: number): Promise<Layout | undefined> {
  const at = now({ clock })
  const blobs = await folderAt(db, userId, folder, ['blobs', 'sha256'])
  if (blobs === undefined) return undefined
  const parts = [
    ...(await assetsNamed(db, userId, [folder], { names: ['oci-layout', 'index.json'] }, at)),
    ...(await assetsIn(db, userId, [blobs], at, FILES_MAX + 1)),
  ]
  if (parts.length > FILES_MAX) return undefined
  const layout = new Map<string, AssetInFolder>()
  for (const asset of parts) {
    const isBlob = asset.folder_id === blobs
    if (isBlob && !BLOB.test(asset.name)) continue
    const path = isBlob ? `blobs/sha256/${asset.name}` : asset.name
    // Of two files of one name, nobody could say which one is the image.
    if (asset.kind !== 'file' || asset.encrypted || layout.has(path)) return undefined
    layout.set(path, asset)
  }
  const isWhole = layout.has('oci-layout') && layout.has('index.json')
  return isWhole ? new Map([...layout].sort(([a], [b]) => (a < b ? -1 : 1))) : undefined
}

/** The folder that these names lead to. */
export async function folderAt(
  db: Db,
  userId: number,
  root: number,
  names: readonly string[],
): Promise<number | undefined> {
  let folder = root
  for (const name of names) {
    const [found] = await findFoldersNamed(db, userId, [{ parent: folder, name }])
    if (!found) return undefined
    folder = found.id
  }
  return folder
}
