import {
  type Cid,
  catFile,
  checkName,
  cidText,
  folderLimits,
  listDirectory,
  parseCid,
  readCar,
  statPath,
} from '@tidenet/content'
import { AppError, FOLDER_FILES_MAX } from '@tidenet/contract'
import { folderOfKey } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import type { ConsoleCaller } from '../../platform/http/callers.ts'
import { type AssetInFolder, assetsIn, downloadTrafficLeft, findTree, foldersBelow } from '../../storage/index.ts'
import { ClusterError } from '../clusters/driver.ts'
import { type TarEntry, tarOf } from '../clusters/tar.ts'
import { now } from '../context.ts'
import { type DownloadDeps, fetchFirst, openFile, urlsOf } from './downloads.ts'
import { requireTarget } from './workloads.ts'

type Deps = DownloadDeps

/** Uploaded folders are read into memory, because they are verified before any of their files is copied. */
const UPLOADED_FOLDER_MAX_BYTES = 64 * 1024 * 1024
/** Deeper folders are treated as an attack. */
const DEPTH_MAX = 256
/** Overhead of an archive beyond the size of its asset. */
const ARCHIVE_OVERHEAD_BYTES = 65_536

/**
 * Copies a folder of the account's storage into a workload. A console session has no access to the storage, so the caller needs an API key
 * that is limited to the folder. All content is verified by its hash, so nodes cannot change it.
 * @returns how many files and bytes were copied
 * @throws AppError as the contract declares
 */
export async function copyFolder(
  context: Deps,
  caller: ConsoleCaller,
  input: { id: string; key: string; group_id?: number | undefined; target: string },
  ip: string,
): Promise<{ files: number; bytes: number }> {
  const { row, driver, ref } = await requireTarget(context, caller, input.id)
  const base = parseTarget(input.target)
  const root = await folderOfKey(context, caller.userId, input.key, ip)
  if (root === undefined) throw new AppError('folderKey')
  const tree = await findTree(context.db, caller.userId, root)
  const folder = input.group_id ?? root
  if (!tree.includes(folder)) throw new AppError('folderUnknown')
  const paths = await pathsBelow(context.db, caller.userId, folder, base)
  const assets = await assetsIn(context.db, caller.userId, [...paths.keys()], now(context), FOLDER_FILES_MAX + 1)
  if (assets.length > FOLDER_FILES_MAX) throw new AppError('copyTooLarge')
  const bytes = assets.reduce((sum, { size }) => sum + size, 0)
  if (bytes > row.storage || assets.some(({ kind, size }) => kind === 'folder' && size > UPLOADED_FOLDER_MAX_BYTES))
    throw new AppError('copyTooLarge')
  if ((await downloadTrafficLeft(context.db, context.clock, caller.userId)) < bytes)
    throw new AppError('downloadQuotaExceeded')
  const states = await driver.list(ref.workspace).catch(() => [])
  if (states.find(({ workload }) => workload === ref.workload)?.state !== 'running')
    throw new AppError('workloadStopped')

  const copied = { files: 0, bytes: 0 }
  // Distinguishes errors of the storage from errors of the cluster.
  let sourceError: unknown
  const captureError = async function* <T>(source: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* source
    } catch (error) {
      sourceError = error
      throw error
    }
  }
  async function* entries(): AsyncGenerator<TarEntry> {
    for (const path of paths.values()) yield { kind: 'folder', path }
    for (const asset of assets) {
      const path = `${paths.get(asset.folder_id)}/${asset.name}`
      for await (const entry of captureError(assetEntries(context, caller, asset, path, row.storage))) {
        if (entry.kind !== 'file') {
          yield entry
          continue
        }
        copied.files += 1
        copied.bytes += entry.size
        const { content } = entry
        yield { ...entry, content: content instanceof Uint8Array ? content : captureError(content) }
      }
    }
  }
  await driver.copyIn(ref, tarOf(entries())).catch((error: unknown) => {
    if (sourceError instanceof AppError) throw sourceError
    if (sourceError) throw new AppError('nodesOffline')
    throw error instanceof ClusterError ? new AppError('clusterUnavailable') : error
  })
  return copied
}

/** `in/put` and `data/in/put` become `data/in/put`. @throws AppError copyTarget */
function parseTarget(text: string): string {
  const names = text.split('/').filter((name) => name !== '')
  if (names[0] === 'data') names.shift()
  try {
    for (const name of names) checkName(name)
  } catch {
    throw new AppError('copyTarget')
  }
  return ['data', ...names].join('/')
}

/** The target paths of the folder and its subfolders, by folder id; parents come first. */
async function pathsBelow(db: Db, userId: number, folder: number, base: string): Promise<Map<number, string>> {
  const paths = new Map<number, string>()
  for (const { id, parent_id, name } of await foldersBelow(db, userId, folder))
    paths.set(id, `${paths.get(parent_id) ?? base}/${name}`)
  return paths
}

/** Downloads an asset as archive entries. @param maxBytes limit of an unpacked folder */
async function* assetEntries(
  context: Deps,
  caller: ConsoleCaller,
  asset: AssetInFolder,
  path: string,
  maxBytes: number,
): AsyncGenerator<TarEntry> {
  if (asset.kind === 'file') {
    yield { kind: 'file', path, size: asset.size, content: await openFile(context, caller, asset) }
    return
  }
  const url = await urlsOf(context, caller, asset)
  const root = parseCid(asset.cid)
  // An archive may contain a block twice; the asset's size counts each block once.
  const archiveMaxBytes = 2 * asset.size + ARCHIVE_OVERHEAD_BYTES
  const archive = url.map((each) => `${each}&format=car`)
  const body = await fetchFirst(context, archive, archiveMaxBytes)
  const blocks = await readBlocks(body, asset.size + ARCHIVE_OVERHEAD_BYTES)
  const get = async (cid: Cid) => {
    const bytes = blocks.get(cidText(cid))
    if (!bytes) throw new AppError('nodesOffline')
    return bytes
  }
  // A folder may contain the same file many times, so it can be much larger unpacked than stored.
  const count = folderLimits({ maxBytes })
  yield* unpack(root, path, get, (size) => {
    try {
      count(size)
    } catch {
      throw new AppError('copyTooLarge')
    }
  })
}

/** The distinct blocks of an archive, by CID. @throws AppError nodesOffline if they exceed the limit */
async function readBlocks(archive: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Map<string, Uint8Array>> {
  const blocks = new Map<string, Uint8Array>()
  let size = 0
  for await (const { cid, bytes } of readCar(archive).blocks) {
    const name = cidText(cid)
    if (blocks.has(name)) continue
    size += bytes.length
    if (size > maxBytes) throw new AppError('nodesOffline')
    blocks.set(name, bytes)
  }
  return blocks
}

async function* unpack(
  cid: Cid,
  path: string,
  get: (cid: Cid) => Promise<Uint8Array>,
  count: (size: number) => void,
  depth = 0,
): AsyncGenerator<TarEntry> {
  const { kind, size } = await statPath(cid, '', get)
  count(kind === 'file' ? size : 0)
  if (depth > DEPTH_MAX) throw new AppError('copyTooLarge')
  if (kind === 'file') {
    yield { kind: 'file', path, size, content: catFile(cid, get) }
    return
  }
  yield { kind: 'folder', path }
  for await (const entry of listDirectory(cid, get)) {
    checkName(entry.name)
    yield* unpack(entry.cid, `${path}/${entry.name}`, get, count, depth + 1)
  }
}
