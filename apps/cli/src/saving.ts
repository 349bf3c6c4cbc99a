import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import type { DownloadOptions, DownloadProgress, Storage } from '@tidenet/storage'
import { Failed } from './failed.ts'
import { cidOf, lookAt, makeLocalFolder } from './local-files.ts'
import { reasonOf } from './output.ts'
import { dataOf } from './portal.ts'
import { texts } from './texts.ts'
import { makeFolderBelow, refuseLinkedFolder, unpack } from './unpack.ts'
import { isStoredFolder, type Wanted } from './wanted.ts'

export interface SaveOptions {
  force: boolean
  extract: boolean
  decrypt: DownloadOptions['decrypt'] | undefined
  signal: AbortSignal
  onProgress: (progress: DownloadProgress) => void
}

export interface Saved {
  cid: string
  path: string
  /** Bytes. */
  size: number
  /** It was there with the same content. */
  had: boolean
  /** It lies here as it is stored: encrypted. */
  encrypted: boolean
}

/** Brings one file or stored folder to its place on this machine, unless it lies there. @throws Failed */
export async function save(
  storage: Storage,
  { place, path, base, inTree }: Wanted,
  options: SaveOptions,
): Promise<Saved> {
  const { TotalSize, Encrypted } = place.asset.UserAssetDetail
  const { signal, decrypt, onProgress } = options
  const folder = isStoredFolder(place)
  const opens = Encrypted && decrypt !== undefined
  const saved = { cid: place.cid, path, encrypted: Encrypted && !opens }
  const there = options.force ? undefined : await lookAt(path)
  if (there) {
    if (folder || opens) {
      if (!inTree) throw new Failed(texts.isThereLocal(path))
      return { ...saved, size: there.size, had: true }
    }
    if (there.kind === 'folder' || there.size !== TotalSize || (await cidOf(path)) !== place.cid)
      throw new Failed(texts.notSame(path))
    return { ...saved, size: there.size, had: true }
  }
  if (inTree) await makeWay(base, dirname(path))
  else if (!(await lookAt(dirname(path)))) throw new Failed(texts.noSuchLocal(dirname(path)), 'notFound')
  await refuseLinkedFolder(path)
  const download: DownloadOptions = {
    assetCid: place.cid,
    assetType: folder ? 'folder' : 'file',
    signal,
    ...(opens && { decrypt }),
  }
  if (folder && options.extract)
    return { ...saved, ...(await saveUnpacked(storage, download, path, onProgress)), had: false }
  const resume = !folder && !opens
  const result = await storage.downloadAsset({ ...download, resume, to: { path } }, onProgress)
  if (signal.aborted && resume) throw new Failed(texts.kept, 'cancelled', { code: result.code })
  return { ...saved, size: dataOf(result).size, had: false }
}

/** The archive is unpacked while it arrives; every block of it is verified before it gets here. */
async function saveUnpacked(
  storage: Storage,
  download: DownloadOptions,
  path: string,
  onProgress: SaveOptions['onProgress'],
): Promise<{ size: number }> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const bytes = Readable.fromWeb(readable as Parameters<typeof Readable.fromWeb>[0])
  // The unpacking hears of it when it reads; before it has begun, nobody else would, and the program would end.
  bytes.on('error', () => {})
  const downloading = storage.downloadAsset({ ...download, to: { stream: writable } }, onProgress)
  // One that ends before it has written anything must not leave the unpacking waiting for bytes.
  void downloading.then(({ code, msg }) => code !== 0 && bytes.destroy(new Error(msg)))
  const [unpacked, result] = await Promise.allSettled([unpack(bytes, path), downloading])
  if (result.status === 'rejected') throw result.reason
  // A name that is refused breaks the download off as well.
  if (unpacked.status === 'rejected' && unpacked.reason instanceof Failed) throw unpacked.reason
  // A disk that takes no more breaks the download off: that is the reason to tell.
  const failed = result.value.code !== 0 && unpacked.status === 'rejected' && isOfTheDisk(unpacked.reason)
  if (failed) throw new Failed(texts.cannotWrite(path, reasonOf(unpacked.reason)))
  const { size } = dataOf(result.value)
  if (unpacked.status === 'rejected') throw new Failed(texts.cannotWrite(path, reasonOf(unpacked.reason)))
  return { size }
}

/** The folder that was asked for may lie behind a link; what others have named below it may not. */
async function makeWay(base: string, path: string): Promise<void> {
  await makeLocalFolder(base)
  await makeFolderBelow(base, path).catch((error: unknown) => {
    throw error instanceof Failed ? error : new Failed(texts.cannotWrite(path, reasonOf(error)))
  })
}

const isOfTheDisk = (error: unknown): boolean => typeof (error as NodeJS.ErrnoException).errno === 'number'
