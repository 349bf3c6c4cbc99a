import { type Cid, ContentError, checkName, parseCid, RAW } from '@tidenet/content'
import type { ReadBlock } from '@tidenet/content/dag'
import { listNode } from '@tidenet/content/graph'
import { readNode } from '@tidenet/content/unixfs'
import type { GetBlock } from '@tidenet/content/verify'
import type { AssetType } from '@tidenet/contract'
import { DOWNLOAD_TOKEN_LIFE, FOLDER_CONCURRENCY } from '@tidenet/contract/constants'
import { atOnce } from './at-once.ts'
import { type Core, settle } from './core.ts'
import { askAddresses } from './download/addresses.ts'
import { createNodePool, type NodePool, withQuery } from './download/node-pool.ts'
import { namesOf, proven, type Reading } from './download/proof.ts'
import { readBlock } from './download/read-block.ts'
import { reading } from './download/reading.ts'
import { BadAnswer, nodeFailure } from './download/reasons.ts'
import type { DownloadOptions } from './download/types.ts'
import { isSuccess, need, type Result, Stop, success } from './result.ts'

/** Whose folder it is and what opens it, as for a download. */
export type FolderOptions = Pick<DownloadOptions, 'source' | 'userId' | 'groupId' | 'areaId' | 'ticket'>

export interface ListFolderOptions extends FolderOptions {
  /** A folder below, as `a/b`. Default: the folder itself. */
  path?: string
  /** Whether the first block of each entry is looked at where its CID alone does not say what it is. Default true. */
  look?: boolean
  signal?: AbortSignal
}

export interface FolderEntry {
  name: string
  cid: string
  /** Undefined while its first block was not looked at; a file of one block is known by its CID. `other`: a symbolic link, or what nobody can read. */
  kind: AssetType | 'other' | undefined
  /** Bytes of a file that is known to be one; otherwise of all blocks of the entry, as the maker of the folder declared them. */
  size: number
}

export interface FolderListing {
  /** CID of the folder that is listed. */
  cid: string
  /** Where it lies below the asset: `a/b`, or empty. */
  path: string
  /** By name. */
  entries: FolderEntry[]
  /** Every block of the directory was checked against the CID. */
  verified: true
}

/** An uploaded folder to be looked into; its addresses are asked for once and again when they have run out. */
export interface OpenFolder {
  /** Lists it, or a folder below: only the blocks of that directory and of those on the way to it are fetched. */
  list(path?: string, options?: { signal?: AbortSignal }): Promise<Result<FolderListing>>
  /** The same entries with kind and size, as far as they can be had: fetches the first block of each that is not known yet. */
  look(entries: readonly FolderEntry[], options?: { signal?: AbortSignal }): Promise<Result<FolderEntry[]>>
}

export interface Folders {
  /**
   * What lies in an uploaded folder or a folder below it, each block checked against the CID; no file is fetched.
   * Codes: 404 no such path or no folder, 1006 and 10021 CID, 10019 no address, 10020 no node, 10025 path, 10028 stopped, 10030 wrong blocks.
   */
  listFolder(cid: string, options?: ListFolderOptions): Promise<Result<FolderListing>>
  /** The same for whoever goes from folder to folder. */
  openFolder(cid: string, options?: FolderOptions): OpenFolder
}

/** Addresses are asked for again so long before their tokens end, ms. */
const EARLY = 10 * 60_000

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
  const { say } = core
  const known = new Map<string, Pick<FolderEntry, 'kind' | 'size'>>()
  let opened: { pool: NodePool; began: number } | undefined

  const aborted = () => new Stop(say('aborted', { phrase: 'downloadAbort', data: { abort: true } }))
  const open = async (signal: AbortSignal): Promise<NodePool> => {
    if (opened && Date.now() - opened.began < DOWNLOAD_TOKEN_LIFE - EARLY) return opened.pool
    const began = Date.now()
    const wanted = { ...where, assetCid: cid, preview: true }
    const info = need(await askAddresses(core, wanted, signal, { trace: false }))
    const pool = createNodePool(
      // The next question goes on with what this one has learnt, also when this one is stopped.
      { platform: core.platform, say, signal: new AbortController().signal, firstByte: core.limits.firstByte },
      info.url,
      info.node_ids ?? [],
    )
    if (!(await pool.probe('car'))) throw new Stop(say('noDownloadAddress', { phrase: 'noDownloadNode' }))
    opened = { pool, began }
    return pool
  }
  /** Asks the nodes that are known; when they cannot help any more, whoever the portal names now. */
  const asking = async <T>(signal: AbortSignal, work: (needs: Reading) => Promise<T>): Promise<T> => {
    const needsOf = (pool: NodePool) => ({ platform: core.platform, say, pool, signal, stall: core.limits.stall })
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
        const names = namesOf(path, say)
        return asking(during, (needs) =>
          proven(needs, root, names, 'entity', async (found, getBlock) => ({
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
          await asking(during, (needs) =>
            atOnce(FOLDER_CONCURRENCY, unknown, async (name) => {
              const found = await firstBlock(needs, name)
              if (found) known.set(name, found)
            }),
          )
        return entries.map((entry) => ({ ...entry, ...(entry.kind === undefined && known.get(entry.cid)) }))
      }),
  }
}

function rootOf({ check, say }: Core, cid: string): Cid {
  check.cid(cid)
  try {
    return parseCid(cid)
  } catch {
    throw new Stop(say('assetIdError'))
  }
}

async function entriesOf(
  { say }: Core,
  { node }: ReadBlock,
  getBlock: GetBlock,
  signal: AbortSignal,
): Promise<FolderEntry[]> {
  if (node.kind !== 'directory' && node.kind !== 'shard') throw new Stop(say('notFound', { phrase: 'noFolderThere' }))
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
    // The block is the right one: whoever made the folder put something into it that nobody can read.
  }
  return { kind: 'other', size: 0 }
}

/** What an entry is, by its first block; undefined when no node gives it. */
async function firstBlock(needs: Reading, name: string): Promise<Pick<FolderEntry, 'kind' | 'size'> | undefined> {
  const { pool, say, signal } = needs
  const cid = parseCid(name)
  for (const node of pool.ranked()) {
    const began = Date.now()
    let size = 0
    try {
      const url = withQuery(node.url, 'format', 'raw').replace(/\/ipfs\/[^/?]+/, `/ipfs/${name}`)
      const answer = await reading(needs, { url }, needs.stall)
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
      pool.note({ node, began, bytes: size, ...nodeFailure(say, error) })
    }
  }
  return undefined
}
