import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import type { DownloadOptions, DownloadProgress, SlowNode, Storage } from '@tidenet/storage'
import { CommandError } from './command-error.ts'
import { cidOf, makeLocalFolder, statPath } from './local-files.ts'
import { reasonOf } from './output.ts'
import { dataOf } from './portal.ts'
import { isStoredFolder, type SaveItem } from './save-items.ts'
import { texts } from './texts.ts'
import { makeFolderBelow, refuseLinkedFolder, unpack } from './unpack.ts'

export interface SaveOptions {
  force: boolean
  extract: boolean
  decrypt: DownloadOptions['decrypt'] | undefined
  signal: AbortSignal
  onProgress: (progress: DownloadProgress) => void
  /** Called with the nodes that slowed the download. */
  onSlow?: (nodes: readonly SlowNode[]) => void
}

export interface Saved {
  cid: string
  path: string
  /** Bytes; of an unpacked folder those of its files. */
  size: number
  /** The file existed with the same content. */
  had: boolean
  /** The saved file is still encrypted. */
  encrypted: boolean
}

/** Saves one file or uploaded folder locally, unless it exists already. @throws CommandError */
export async function save(
  storage: Storage,
  { place, path, base, inTree }: SaveItem,
  options: SaveOptions,
): Promise<Saved> {
  const { TotalSize, Encrypted } = place.asset.UserAssetDetail
  const { signal, decrypt, onProgress } = options
  const folder = isStoredFolder(place)
  const opens = Encrypted && decrypt !== undefined
  const saved = { cid: place.cid, path, encrypted: Encrypted && !opens }
  const there = options.force ? undefined : await statPath(path)
  if (there) {
    if (folder || opens) {
      if (!inTree) throw new CommandError(texts.isThereLocal(path))
      return { ...saved, size: there.size, had: true }
    }
    if (there.kind === 'folder' || there.size !== TotalSize || (await cidOf(path)) !== place.cid)
      throw new CommandError(texts.notSame(path))
    return { ...saved, size: there.size, had: true }
  }
  if (inTree) await makeParents(base, dirname(path))
  else if (!(await statPath(dirname(path)))) throw new CommandError(texts.noSuchLocal(dirname(path)), 'notFound')
  await refuseLinkedFolder(path)
  const download: DownloadOptions = {
    assetCid: place.cid,
    assetType: folder ? 'folder' : 'file',
    signal,
    ...(opens && { decrypt }),
  }
  if (folder && options.extract)
    return { ...saved, ...(await saveUnpacked(storage, download, path, options)), had: false }
  const resume = !folder && !opens
  const result = await storage.downloadAsset({ ...download, resume, to: { path } }, onProgress)
  if (signal.aborted && resume) throw new CommandError(texts.kept, 'cancelled', { code: result.code })
  const { size, slow } = dataOf(result)
  options.onSlow?.(slow)
  return { ...saved, size, had: false }
}

/** Unpacks the archive while it is downloaded; the SDK verifies every block first. */
async function saveUnpacked(
  storage: Storage,
  download: DownloadOptions,
  path: string,
  { onProgress, onSlow }: Pick<SaveOptions, 'onProgress' | 'onSlow'>,
): Promise<{ size: number }> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const bytes = Readable.fromWeb(readable as Parameters<typeof Readable.fromWeb>[0])
  // Unpacking gets the error when it reads; before that, an unhandled error event would end the program.
  bytes.on('error', () => {})
  const downloading = storage.downloadAsset({ ...download, to: { stream: writable } }, onProgress)
  // If the download fails before it writes, end the stream, or unpacking would wait forever.
  void downloading.then(({ code, msg }) => code !== 0 && bytes.destroy(new Error(msg)))
  const [unpacked, result] = await Promise.allSettled([unpack(bytes, path), downloading])
  if (result.status === 'rejected') throw result.reason
  // An invalid name also cancels the download, so report the name.
  if (unpacked.status === 'rejected' && unpacked.reason instanceof CommandError) throw unpacked.reason
  // A disk error also cancels the download, so report the disk.
  const failed = result.value.code !== 0 && unpacked.status === 'rejected' && isOfTheDisk(unpacked.reason)
  if (failed) throw new CommandError(texts.cannotWrite(path, reasonOf(unpacked.reason)))
  const { slow } = dataOf(result.value)
  if (unpacked.status === 'rejected') throw new CommandError(texts.cannotWrite(path, reasonOf(unpacked.reason)))
  onSlow?.(slow)
  // Of the files: the archive that brought them is not on the disk.
  return { size: unpacked.value.bytes }
}

/** Creates parent folders. `base` may be below a symbolic link, folders below it may not: their names are remote. */
async function makeParents(base: string, path: string): Promise<void> {
  await makeLocalFolder(base)
  await makeFolderBelow(base, path).catch((error: unknown) => {
    throw error instanceof CommandError ? error : new CommandError(texts.cannotWrite(path, reasonOf(error)))
  })
}

const isOfTheDisk = (error: unknown): boolean => typeof (error as NodeJS.ErrnoException).errno === 'number'
