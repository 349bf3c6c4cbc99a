import { type Cid, ContentError, checkName, parseCid, RAW } from '@tidenet/content'
import { blockUrl } from '@tidenet/content/client-requests'
import type { ReadBlock } from '@tidenet/content/dag'
import { listNode } from '@tidenet/content/graph'
import { readNode } from '@tidenet/content/unixfs'
import type { GetBlock } from '@tidenet/content/verify'
import type { AssetType } from '@tidenet/contract'
import { DOWNLOAD_TOKEN_LIFE, FOLDER_CONCURRENCY } from '@tidenet/contract/constants'
import { type Core, settle } from './core.ts'
import { requestAddresses } from './download/addresses.ts'
import { getWithTimeout } from './download/get-with-timeout.ts'
import { createNodePool, type NodePool } from './download/node-pool.ts'
import { type FolderReadDeps, namesOf, readProven } from './download/proof.ts'
import { readBlock } from './download/read-block.ts'
import { BadAnswer, nodeFailure } from './download/reasons.ts'
import type { DownloadOptions } from './download/types.ts'
import { forEachLimit } from './for-each-limit.ts'
import { isSuccess, need, type Result, Stop, success } from './result.ts'

/** Owner and access options, as for a download. */
export type FolderOptions = Pick<DownloadOptions, 'source' | 'userId' | 'groupId' | 'areaId' | 'ticket'>

export interface ListFolderOptions extends FolderOptions {
  /** A subfolder, such as `a/b`. Default: the folder itself. */
  path?: string
  /** Fetches the first block of each entry whose CID does not tell its kind. Default true. */
  look?: boolean
  signal?: AbortSignal
}

export interface FolderEntry {
  name: string
  cid: string
  /**
   * Undefined if its first block was not fetched; a file of one block is known from its CID. `other`: a symbolic link or an unknown type.
   */
  kind: AssetType | 'other' | undefined
  /** Size of a file; otherwise the size of all blocks of the entry, as declared in the folder. Bytes. */
  size: number
}

export interface FolderListing {
  /** CID of the listed folder. */
  cid: string
  /** Path below the asset: `a/b`, or empty. */
  path: string
  /** Sorted by name. */
  entries: FolderEntry[]
  /** Every block of the directory was verified against the CID. */
  verified: true
}

/** An open folder. Its addresses are requested once, and again when they expire. */
export interface OpenFolder {
  /** Lists the folder or a subfolder. Fetches only the blocks of that directory and of the path to it. */
  list(path?: string, options?: { signal?: AbortSignal }): Promise<Result<FolderListing>>
  /** Returns the entries with kind and size where available. Fetches the first block of each entry that is not known yet. */
  look(entries: readonly FolderEntry[], options?: { signal?: AbortSignal }): Promise<Result<FolderEntry[]>>
}

export interface Folders {
  /**
   * Lists an uploaded folder or a subfolder, each block verified against the CID; fetches no file.
   * Codes: 404 no such path or no folder, 1006 and 10021 CID, 10019 no address, 10020 no node, 10025 path, 10028 stopped, 10030 wrong
   * blocks.
   */
  listFolder(cid: string, options?: ListFolderOptions): Promise<Result<FolderListing>>
  /** The same for navigating between folders. */
  openFolder(cid: string, options?: FolderOptions): OpenFolder
}

/** Addresses are requested again this long before their tokens expire, ms. */
export const REFRESH_EARLY = 10 * 60_000

export function createFolders(core: Core): Folders {
  return {
    openFolder: (cid, options = {}) => openFolder(core, cid, options),
    listFolder: (cid, options = {}) =>
      settle(core, async () => {
        core.check.options(options, 'listFolder')
        const { path = '', look = true, signal, ...where } = options
        const folder = openFolder(core, cid, where)
        const during = signal ? { signal } : {}
        const listed = await folder.list(path, during)
        if (!isSuccess(listed) || !look) return listed
        const looked = await folder.look(listed.data.entries, during)
        return isSuccess(looked) ? success({ ...listed.data, entries: looked.data }, core.api.lang) : looked
      }),
  }
}

function openFolder(core: Core, cid: string, where: FolderOptions): OpenFolder {
  const { toFailure } = core
  const known = new Map<string, Pick<FolderEntry, 'kind' | 'size'>>()
  let opened: { pool: NodePool; began: number } | undefined

  const aborted = () => new Stop(toFailure('aborted', { phrase: 'downloadAbort', data: { abort: true } }))
  const open = async (signal: AbortSignal): Promise<NodePool> => {
    if (opened && Date.now() - opened.began < DOWNLOAD_TOKEN_LIFE - REFRESH_EARLY) return opened.pool
    const began = Date.now()
    const wanted = { ...where, assetCid: cid, preview: true }
    const info = need(await requestAddresses(core, wanted, signal, { trace: false }))
    const pool = createNodePool(
      // The probe is shared with later requests, so cancelling this one must not stop it.
      { platform: core.platform, toFailure, signal: new AbortController().signal, firstByte: core.limits.firstByte },
      info.url,
      info.node_ids ?? [],
      info.routes,
    )
    if (!(await pool.probe('car'))) throw new Stop(toFailure('noDownloadAddress', { phrase: 'noDownloadNode' }))
    opened = { pool, began }
    return pool
  }
  /** Tries the known nodes; if all fail, requests new addresses from the portal. */
  const withFreshAddresses = async <T>(
    signal: AbortSignal,
    work: (needs: FolderReadDeps) => Promise<T>,
  ): Promise<T> => {
    const needsOf = (pool: NodePool) => ({ platform: core.platform, toFailure, pool, signal, stall: core.limits.stall })
    const before = opened?.pool
    const pool = await open(signal)
    if (signal.aborted) throw aborted()
    try {
      return await work(needsOf(pool))
    } catch (error) {
      if (signal.aborted) throw aborted()
      const { code } = error instanceof Stop ? error.failure : { code: 0 }
      if (pool !== before || code === 404) throw error
      opened = undefined
      return work(needsOf(await open(signal)))
    }
  }
  const run = <T>(options: { signal?: AbortSignal }, work: (signal: AbortSignal) => Promise<T>): Promise<Result<T>> =>
    settle(core, async () => {
      core.check.options(where, 'openFolder')
      core.check.options(options, 'signal')
      const during = options.signal ?? new AbortController().signal
      if (during.aborted) throw aborted()
      return success(await work(during), core.api.lang)
    })

  return {
    list: (path = '', options = {}) =>
      run(options, async (during) => {
        const root = rootOf(core, cid)
        const names = namesOf(path, toFailure)
        return withFreshAddresses(during, (needs) =>
          readProven(needs, root, names, 'entity', async (found, getBlock) => ({
            cid: found.cid.toString(),
            path: names.join('/'),
            entries: await entriesOf(core, found, getBlock, during),
            verified: true as const,
          })),
        )
      }),
    look: (entries, options = {}) =>
      run(options, async (during) => {
        const unknown = [...new Set(entries.filter(({ kind }) => kind === undefined).map((entry) => entry.cid))].filter(
          (name) => !known.has(name),
        )
        if (unknown.length > 0)
          await withFreshAddresses(during, (needs) =>
            forEachLimit(FOLDER_CONCURRENCY, unknown, async (name) => {
              const found = await firstBlock(needs, name)
              if (found) known.set(name, found)
            }),
          )
        return entries.map((entry) => ({ ...entry, ...(entry.kind === undefined && known.get(entry.cid)) }))
      }),
  }
}

function rootOf({ check, toFailure }: Core, cid: string): Cid {
  check.cid(cid)
  try {
    return parseCid(cid)
  } catch {
    throw new Stop(toFailure('assetIdError'))
  }
}

async function entriesOf(
  { toFailure }: Core,
  { node }: ReadBlock,
  getBlock: GetBlock,
  signal: AbortSignal,
): Promise<FolderEntry[]> {
  if (node.kind !== 'directory' && node.kind !== 'shard')
    throw new Stop(toFailure('notFound', { phrase: 'noFolderThere' }))
  const entries: FolderEntry[] = []
  for await (const { name, cid, size } of listNode(node, getBlock, signal)) {
    try {
      checkName(name)
    } catch (error) {
      throw new ContentError('bad-dag', 'a folder holds a name that is not one', { cause: error })
    }
    entries.push({ name, cid: cid.toString(), kind: cid.code === RAW ? 'file' : undefined, size })
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function described(cid: Cid, bytes: Uint8Array): Pick<FolderEntry, 'kind' | 'size'> {
  try {
    const { kind, fileSize, links } = readNode(cid, bytes)
    if (kind === 'file' || kind === 'raw') return { kind: 'file', size: fileSize }
    if (kind !== 'symlink')
      return { kind: 'folder', size: links.reduce((sum, link) => sum + link.cumulativeSize, bytes.length) }
  } catch {
    // The block is correct, but its maker used an unknown type.
  }
  return { kind: 'other', size: 0 }
}

/** Kind and size of an entry from its first block; undefined if no node sends it. */
async function firstBlock(
  needs: FolderReadDeps,
  name: string,
): Promise<Pick<FolderEntry, 'kind' | 'size'> | undefined> {
  const { pool, toFailure, signal } = needs
  const cid = parseCid(name)
  for (const node of pool.ranked()) {
    const began = Date.now()
    let size = 0
    try {
      const answer = await getWithTimeout(needs, { url: blockUrl(node.url, cid) }, needs.stall)
      if (answer.status !== 200) {
        answer.discard()
        throw new BadAnswer('status', `HTTP ${answer.status}`, answer.status)
      }
      const bytes = await readBlock(cid, answer.body)
      size = bytes.length
      pool.note({ node, began, bytes: size, status: 200, error: '' })
      return described(cid, bytes)
    } catch (error) {
      if (signal.aborted) throw error
      pool.note({ node, began, bytes: size, ...nodeFailure(toFailure, error) })
    }
  }
  return undefined
}
