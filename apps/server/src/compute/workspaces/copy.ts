import {
  type Cid,
  catFile,
  checkName,
  cidText,
  createFileHasher,
  folderLimits,
  listDirectory,
  parseCid,
  readCar,
  statPath,
} from '@tidenet/content'
import { AppError } from '@tidenet/contract'
import { folderOfKey, hashKey } from '../../identity/index.ts'
import { fetchNode } from '../../network/index.ts'
import type { Db } from '../../platform/db/db.ts'
import type { ConsoleCaller } from '../../platform/http/callers.ts'
import {
  type AssetInFolder,
  assetsIn,
  downloadTrafficLeft,
  findFolder,
  findTree,
  openTrace,
  sourcesOf,
} from '../../storage/index.ts'
import { ClusterError } from '../clusters/driver.ts'
import { type TarEntry, tarOf } from '../clusters/tar.ts'
import { type Context, now } from '../context.ts'
import { reachable } from './workloads.ts'

type Needs = Pick<Context, 'config' | 'db' | 'clock' | 'keys' | 'clusters' | 'log'>

/** A packed folder is verified as a whole before anything of it is handed on, and held in memory for that. */
const PACKED_MAX = 64 * 1024 * 1024
/** Folders in folders beyond this are made to waste work. */
const DEPTH_MAX = 256
/** What an archive may have beside what its size counts. */
const ARCHIVE_MORE = 65_536

/**
 * Copies a folder of the account's storage into a workload. The console may not look into the storage; what opens the folder is an API key
 * that is limited to it. Every file is hashed on its way: a node cannot slip anything in.
 * @returns how many files and bytes were copied
 * @throws AppError as the contract declares
 */
export async function copyFolder(
  context: Needs,
  caller: ConsoleCaller,
  input: { id: string; key: string; group_id?: number | undefined; target: string },
): Promise<{ files: number; bytes: number }> {
  const { row, driver, ref } = await reachable(context, caller, input.id)
  const base = targetOf(input.target)
  const root = await folderOfKey(context.db, caller.userId, hashKey(input.key))
  if (root === undefined) throw new AppError('folderKey')
  const tree = await findTree(context.db, caller.userId, root)
  const folder = input.group_id ?? root
  if (!tree.includes(folder)) throw new AppError('folderUnknown')
  const paths = await pathsBelow(context.db, caller.userId, folder, base)
  const assets = await assetsIn(context.db, caller.userId, [...paths.keys()], now(context))
  const bytes = assets.reduce((sum, { size }) => sum + size, 0)
  if (bytes > row.storage || assets.some(({ kind, size }) => kind === 'folder' && size > PACKED_MAX))
    throw new AppError('copyTooLarge')
  if ((await downloadTrafficLeft(context.db, context.clock, caller.userId)) < bytes)
    throw new AppError('downloadQuotaExceeded')
  const states = await driver.list(ref.workspace).catch(() => [])
  if (states.find(({ workload }) => workload === ref.workload)?.state !== 'running')
    throw new AppError('workloadStopped')

  const counted = { files: 0, bytes: 0 }
  let refusal: unknown
  const noticed = async function* <T>(what: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* what
    } catch (error) {
      refusal = error
      throw error
    }
  }
  async function* entries(): AsyncGenerator<TarEntry> {
    for (const path of paths.values()) yield { kind: 'folder', path }
    for (const asset of assets) {
      const path = `${paths.get(asset.folder_id)}/${asset.name}`
      for await (const entry of noticed(fetched(context, caller, asset, path, row.storage))) {
        if (entry.kind !== 'file') {
          yield entry
          continue
        }
        counted.files += 1
        counted.bytes += entry.size
        const { content } = entry
        yield { ...entry, content: content instanceof Uint8Array ? content : noticed(content) }
      }
    }
  }
  await driver.copyIn(ref, tarOf(entries())).catch((error: unknown) => {
    if (refusal instanceof AppError) throw refusal
    if (refusal) throw new AppError('nodesOffline')
    throw error instanceof ClusterError ? new AppError('clusterUnavailable') : error
  })
  return counted
}

/** `in/put` is data/in/put. @throws AppError copyTarget */
function targetOf(text: string): string {
  const names = text.split('/').filter((name) => name !== '')
  if (names[0] === 'data') names.shift()
  try {
    for (const name of names) checkName(name)
  } catch {
    throw new AppError('copyTarget')
  }
  return ['data', ...names].join('/')
}

/** The folder and those below it, each with where it goes. */
async function pathsBelow(db: Db, userId: number, folder: number, base: string): Promise<Map<number, string>> {
  const ids = await findTree(db, userId, folder)
  const rows = (await Promise.all(ids.map((id) => findFolder(db, userId, id)))).filter((row) => row !== undefined)
  const paths = new Map<number, string>()
  const pathOf = (id: number): string => {
    const row = rows.find((each) => each.id === id)
    const path = id === folder || !row ? `${base}${row ? `/${row.name}` : ''}` : `${pathOf(row.parent_id)}/${row.name}`
    paths.set(id, path)
    return path
  }
  for (const { id } of rows) pathOf(id)
  return paths
}

async function* fetched(
  context: Needs,
  caller: ConsoleCaller,
  asset: AssetInFolder,
  path: string,
  room: number,
): AsyncGenerator<TarEntry> {
  const trace = {
    userId: caller.userId,
    account: caller.uid,
    kind: 'download',
    cid: asset.cid,
    name: asset.name,
  } as const
  const traceId = await openTrace(context.db, { ...trace, at: now(context) })
  const { url } = await sourcesOf(context, { ...asset, account: caller.uid, traceId })
  const root = parseCid(asset.cid)
  if (asset.kind === 'file') {
    const body = await answered(context, url, asset.size)
    yield { kind: 'file', path, size: asset.size, content: verified(body, root) }
    return
  }
  // A holder sends the archive as it got it, perhaps with blocks twice; its size counts each once.
  const most = 2 * asset.size + ARCHIVE_MORE
  const archive = url.map((each) => `${each}&format=car`)
  const blocks = await blocksOf(await answered(context, archive, most), asset.size + ARCHIVE_MORE)
  const get = async (cid: Cid) => {
    const bytes = blocks.get(cidText(cid))
    if (!bytes) throw new AppError('nodesOffline')
    return bytes
  }
  // A folder may name one file or folder again and again: what it unpacks to may be far more than what is stored.
  const count = folderLimits({ maxBytes: room })
  yield* unpacked(root, path, get, (size) => {
    try {
      count(size)
    } catch {
      throw new AppError('copyTooLarge')
    }
  })
}

/** Each block of an archive once. @throws when they are more bytes than an honest holder sends */
async function blocksOf(archive: AsyncIterable<Uint8Array>, most: number): Promise<Map<string, Uint8Array>> {
  const blocks = new Map<string, Uint8Array>()
  let size = 0
  for await (const { cid, bytes } of readCar(archive).blocks) {
    const name = cidText(cid)
    if (blocks.has(name)) continue
    size += bytes.length
    if (size > most) throw new AppError('nodesOffline')
    blocks.set(name, bytes)
  }
  return blocks
}

async function* unpacked(
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
    yield* unpacked(entry.cid, `${path}/${entry.name}`, get, count, depth + 1)
  }
}

/** The first node that answers. @throws AppError nodesOffline */
async function answered(context: Needs, urls: readonly string[], most: number): Promise<AsyncIterable<Uint8Array>> {
  for (const url of urls) {
    const body = await fetchNode(context, url, most).catch(() => undefined)
    if (body) return body
  }
  throw new AppError('nodesOffline')
}

/** Passes bytes on and fails at the end when they were not those of the CID. */
async function* verified(source: AsyncIterable<Uint8Array>, cid: Cid): AsyncGenerator<Uint8Array> {
  const hasher = createFileHasher()
  for await (const chunk of source) {
    await hasher.update(chunk)
    yield chunk
  }
  if (cidText((await hasher.finish()).cid) !== cidText(cid)) throw new AppError('nodesOffline')
}
