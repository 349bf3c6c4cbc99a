import { type Cid, catFile, type FileLayout, parseCid } from '@tidenet/content'
import { DOWNLOAD_TOKEN_LIFE } from '@tidenet/contract/constants'
import { type Core, settle } from './core.ts'
import { requestAddresses } from './download/addresses.ts'
import { isProvenEmpty } from './download/empty.ts'
import { fetchLayout } from './download/layout.ts'
import { createNodePool, type NodePool } from './download/node-pool.ts'
import { aborted, readPart, readWholeBlock } from './download/read-part.ts'
import { resolvePart } from './download/resolve-part.ts'
import { type Decryption, type OpenedSource, openSealedParts } from './encryption.ts'
import { type FolderOptions, REFRESH_EARLY } from './folder.ts'
import { isSuccess, need, type Result, Stop, success } from './result.ts'

export interface OpenFileOptions extends FolderOptions {
  /** A file in an uploaded folder, such as `a/b.txt`. */
  path?: string
  /** Decrypts what is read; sizes and positions are those of the plaintext. */
  decrypt?: Decryption
  signal?: AbortSignal
}

/** A file of which any part can be read. Its addresses are requested once, and again when they expire. */
export interface OpenFile {
  /** Bytes, of the plaintext if it is decrypted. */
  size: number
  /**
   * The bytes [start, end), limited to the file. Fetches the blocks that contain them, and verifies each against the CID.
   * Codes: 10019 no address, 10020 no node, 10028 stopped, 10030 wrong blocks or changed ciphertext.
   */
  read(start: number, end: number, options?: { signal?: AbortSignal }): Promise<Result<Uint8Array>>
}

export interface Files {
  /**
   * Opens a file to read parts of it; every byte is verified. Does not count as a download.
   * Codes: 404 no such path, 1006 and 10021 CID, 10019 no address, 10020 no node, 10025 path, 10028 stopped, 10030 content or key.
   */
  openFile(cid: string, options?: OpenFileOptions): Promise<Result<OpenFile>>
}

/** Most bytes that are requested from a node at once. */
const REQUEST_MAX = 4 << 20

interface Opened {
  pool: NodePool
  root: Cid
  /** Undefined: a file without raw leaves, or an empty one. */
  layout: FileLayout | undefined
  size: number
  began: number
}

export function createFiles(core: Core): Files {
  const { toFailure } = core
  return {
    openFile: (cid, options = {}) =>
      settle(core, async () => {
        core.check.options(options, 'openFile')
        core.check.cid(cid)
        const { signal = new AbortController().signal, decrypt } = options
        if (decrypt !== undefined) core.check.options(decrypt, 'decrypt', 'decrypt.')
        let opened = await open(core, cid, options, undefined, signal)
        const read = async (start: number, end: number, during: AbortSignal): Promise<Uint8Array> => {
          if (Date.now() - opened.began > DOWNLOAD_TOKEN_LIFE - REFRESH_EARLY)
            opened = await open(core, cid, options, opened, during)
          const before = opened
          try {
            return await readParts(core, before, start, end, during)
          } catch (error) {
            // The nodes may have changed since the file was opened.
            if (during.aborted || Date.now() - before.began < core.limits.firstByte) throw error
            if (opened === before) opened = await open(core, cid, options, before, during)
            return readParts(core, opened, start, end, during)
          }
        }
        const { size } = opened
        const plain = decrypt && (await decrypted(core, decrypt, size, (start, end) => read(start, end, signal)))
        const file: OpenFile = {
          size: plain ? plain.size : size,
          read: (start, end, { signal: during = new AbortController().signal } = {}) =>
            settle(core, async () => {
              if (!(Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0))
                throw new Stop(toFailure('optionsInvalid'))
              if (!plain) return success(await read(start, Math.min(end, size), during), core.api.lang)
              if (during.aborted) throw aborted(core)
              return success(await guard(core, () => plain.read(start, end)), core.api.lang)
            }),
        }
        return success(file, core.api.lang)
      }),
  }
}

/** Turns a wrong key or a changed ciphertext into its failure. */
async function guard<T>({ toFailure }: Core, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Stop) throw error
    const reason = (error as Error).message
    throw new Stop(toFailure('downloadFileError', { phrase: 'decryptFailed', data: { reason } }))
  }
}

const decrypted = (
  core: Core,
  decryption: Decryption,
  size: number,
  read: (start: number, end: number) => Promise<Uint8Array>,
): Promise<OpenedSource> => guard(core, () => openSealedParts(core.platform.ciphers, decryption, size, read))

/** @param known from before: the layout cannot change for a CID */
async function open(
  core: Core,
  cid: string,
  { path = '', decrypt: _, signal: __, ...where }: OpenFileOptions,
  known: Opened | undefined,
  signal: AbortSignal,
): Promise<Opened> {
  const { platform, toFailure, limits } = core
  const began = Date.now()
  let root: ReturnType<typeof parseCid>
  try {
    root = parseCid(cid)
  } catch {
    throw new Stop(toFailure('assetIdError'))
  }
  if (signal.aborted) throw aborted(core)
  const asked = await requestAddresses(core, { ...where, assetCid: cid, preview: true }, signal, { trace: false })
  if (!isSuccess(asked) && signal.aborted) throw aborted(core)
  let info = need(asked)
  // Probes end by themselves; stopping one read must not stop those of others.
  const poolOf = () =>
    createNodePool(
      { platform, toFailure, signal: new AbortController().signal, firstByte: limits.firstByte },
      info.url,
      info.node_ids ?? [],
      info.routes,
    )
  const needsOf = (pool: NodePool) => ({ platform, toFailure, pool, signal, stall: limits.stall })
  if (path !== '') {
    const part = await resolvePart(needsOf(poolOf()), root, path, info)
    root = part.root
    info = part.info
  }
  if (info.asset_type !== 'file') throw new Stop(toFailure('notFound', { phrase: 'notInFolder' }))
  const pool = poolOf()
  if (await isProvenEmpty(root, { path, size: info.size })) return { pool, root, layout: undefined, size: 0, began }
  if (!(await pool.probe())) throw new Stop(toFailure('noDownloadAddress', { phrase: 'noDownloadNode' }))
  if (signal.aborted) throw aborted(core)
  const layout = known ? known.layout : await fetchLayout(needsOf(pool), root, info.size)
  return { pool, root, layout, size: layout?.size ?? info.size, began }
}

async function readParts(
  core: Core,
  opened: Opened,
  start: number,
  end: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (start >= end) return new Uint8Array()
  const { pool, layout, root } = opened
  const bytes = new Uint8Array(end - start)
  let at = start
  if (!layout) {
    const pieces = catFile(root, (block) => readWholeBlock(core, pool, block, signal), { start, end, signal })
    for await (const piece of pieces) {
      bytes.set(piece, at - start)
      at += piece.length
    }
    return bytes.subarray(0, at - start)
  }
  while (at < end) {
    const to = Math.min(end, at + REQUEST_MAX)
    bytes.set(await readPart(core, { pool, layout }, at, to, signal), at - start)
    at = to
  }
  return bytes
}
