import { type Cid, ContentError, catFile, readCar, safeName } from '@tidenet/content'
import { blockUrl, withQuery } from '@tidenet/content/client-requests'
import { tarFolder } from '@tidenet/content/tar'
import { readNode } from '@tidenet/content/unixfs'
import type { GetBlock } from '@tidenet/content/verify'
import { DOWNLOAD_ATTEMPTS_PER_URL, MiB } from '@tidenet/contract/constants'
import type { StreamingResponse } from '../platform/platform.ts'
import { Stop } from '../result.ts'
import { checkTar, OtherCid } from './check-tar.ts'
import { decryptTar } from './decrypt.ts'
import { getWithTimeout } from './get-with-timeout.ts'
import type { SourceNode } from './node-pool.ts'
import { readBlock } from './read-block.ts'
import { BadAnswer, type NodeFailure, nodeFailure, wrongBytes } from './reasons.ts'
import type { SequentialWriter } from './sequential-writer.ts'
import type { Download } from './types.ts'

/** Ms before a node is retried, multiplied by its attempts so far. */
const TRY_AGAIN = 250
/** Number of recent blocks kept: files of zeros repeat the same block. */
const RECENT = 16

/** Most bytes that an archive may contain besides its blocks. */
const FRAMES_MAX = 16 * MiB
/**
 * If the declared size exceeds the stored size by this factor, the folder is not fetched as a tar: each block is verified before it is
 * written.
 */
const TAR_RATIO_MAX = 1000

class Unbelieved extends OtherCid {}

/**
 * Fetches a folder as a tar from one node after another, at most three attempts each. A node that stalls is retried after the others. The
 * folder is rebuilt from the tar while it passes: it is accepted only if its root CID matches. Resolves with the node that sent it.
 */
export async function fetchTar(download: Download, sequence: SequentialWriter): Promise<SourceNode> {
  const { pool, root, receipts, signal, core, info } = download
  let other = false
  let maxBytes: number | undefined
  const waiting = pool.ranked().map((node) => ({ node, tries: 0 }))
  for (let one = waiting.shift(); one; one = waiting.shift()) {
    const { node } = one
    while (one.tries < DOWNLOAD_ATTEMPTS_PER_URL) {
      if (one.tries > 0) await core.pause(TRY_AGAIN * one.tries, signal)
      one.tries += 1
      const began = Date.now()
      sequence.restart()
      let status = 0
      try {
        maxBytes ??= declaredSize(root, await singleBlock(download, node, root), info.size)
        if (maxBytes > TAR_RATIO_MAX * Math.max(info.size, MiB)) throw new Unbelieved()
        const answer = await ask(download, node, 'tar')
        status = answer.status
        await checkTar(
          pass(answer.body, async (piece) => {
            await sequence.write(piece)
            download.onProgress({
              loaded: sequence.size,
              total: Math.max(info.size, sequence.size + 1),
              state: 'downloading',
              node: node.id,
            })
          }),
          { root, top: topOf(download), maxBytes },
          signal,
        )
        pool.note({ node, began, bytes: sequence.size, status, error: '' })
        receipts.add(node, sequence.size)
        return node
      } catch (error) {
        if (error instanceof Stop || error instanceof Unbelieved || signal.aborted) throw error
        const why = reasonOf(download, error)
        status ||= why.status
        pool.note({ node, began, bytes: sequence.size, status, error: why.error, reason: why.reason })
        other ||= error instanceof OtherCid
        // A retry at the same node would give the same result.
        if (why.reason === 'wrong' || [401, 403, 404, 406, 410].includes(status)) break
        if (why.reason === 'stalled' && waiting.length > 0) {
          waiting.push(one)
          break
        }
      }
    }
  }
  if (other) throw new OtherCid()
  throw new Stop(folderFailure(download))
}

/**
 * Fetches a folder as an archive of blocks and builds the tar here. Each block is verified before any byte is written. Used for targets
 * that cannot be rewritten, and for folders built with another layout.
 */
export function fetchArchive(download: Download, sequence: SequentialWriter): Promise<SourceNode> {
  const { root, signal, core } = download
  const { decrypt } = download.options
  return fetchBlocks(download, sequence, (getBlock, maxBytes) => {
    const tar = tarFolder(root, topOf(download), getBlock, { signal, maxBytes })
    return decrypt ? decryptTar(core, decrypt, tar) : tar
  })
}

/** Fetches a file without raw leaves as an archive of blocks, in order. Each block is verified before any byte is written. */
export const fetchWrappedFile = (download: Download, sequence: SequentialWriter): Promise<SourceNode> =>
  fetchBlocks(download, sequence, (getBlock) => catFile(download.root, getBlock, { signal: download.signal }))

async function fetchBlocks(
  download: Download,
  sequence: SequentialWriter,
  piecesOf: (getBlock: GetBlock, maxBytes: number) => AsyncIterable<Uint8Array>,
): Promise<SourceNode> {
  const { pool, root, signal, core, info } = download
  const source = createBlockSource(download)
  try {
    const maxBytes = declaredSize(root, await source.getBlock(root), info.size)
    source.limit(maxBytes)
    for await (const piece of piecesOf(source.getBlock, maxBytes)) {
      await sequence.write(piece)
      download.onProgress({
        loaded: sequence.size,
        total: Math.max(info.size, sequence.size + 1),
        state: 'downloading',
        node: source.node?.id ?? '',
      })
    }
  } catch (error) {
    if (error instanceof Stop || signal.aborted) throw error
    throw new Stop(core.toFailure('downloadFileError', { data: { reason: (error as Error).message } }))
  } finally {
    await source.close()
  }
  return source.node ?? pool.nodes[0]!
}

/** Tries the tar first, and the archive if the tar cannot be verified. */
export async function fetchFolder(
  download: Download,
  sequence: SequentialWriter,
  rewindable: boolean,
): Promise<SourceNode> {
  if (!rewindable || download.options.decrypt) return fetchArchive(download, sequence)
  try {
    return await fetchTar(download, sequence)
  } catch (error) {
    if (!(error instanceof OtherCid)) throw error
    sequence.restart()
    return fetchArchive(download, sequence)
  }
}

/**
 * Provides the blocks of a folder in the order the tar needs them, nearly always the next of the archive. Blocks that the archive does not
 * repeat are requested one by one. If a node fails, the next node's archive is read up to the same block.
 */
function createBlockSource(download: Download) {
  const { pool, receipts, signal } = download
  const tries = new Map<SourceNode, number>()
  let node: SourceNode | undefined
  let archive: AsyncIterator<{ cid: Cid; bytes: Uint8Array }> | undefined
  /** The next block of the archive, read ahead. */
  let ahead: { cid: Cid; bytes: Uint8Array } | undefined
  let began = 0
  let bytes = 0
  let most = download.info.size + FRAMES_MAX
  /** CIDs already provided: the archive does not contain them again. */
  const given = new Set<string>()
  const recent = new Map<string, Uint8Array>()
  const give = (name: string, block: Uint8Array): Uint8Array => {
    given.add(name)
    recent.delete(name)
    recent.set(name, block)
    if (recent.size > RECENT) recent.delete(recent.keys().next().value!)
    return block
  }

  const next = async (): Promise<SourceNode> => {
    const left = pool
      .ranked()
      .filter((one) => (tries.get(one) ?? 0) < DOWNLOAD_ATTEMPTS_PER_URL)
      .sort((a, b) => (tries.get(a) ?? 0) - (tries.get(b) ?? 0))
    const [chosen] = left
    if (!chosen) throw new Stop(folderFailure(download))
    tries.set(chosen, (tries.get(chosen) ?? 0) + 1)
    return chosen
  }
  const failed = (at: SourceNode, error: unknown) => {
    if (signal.aborted || error instanceof Stop) throw error
    const { status, error: text, reason } = reasonOf(download, error)
    pool.note({ node: at, began, bytes, status, error: text, reason })
    if (reason === 'wrong') tries.set(at, DOWNLOAD_ATTEMPTS_PER_URL)
    archive = undefined
    ahead = undefined
    node = undefined
  }

  const single = async (cid: Cid): Promise<Uint8Array> => {
    for (;;) {
      const at = node ?? (await next())
      began = Date.now()
      try {
        const block = await singleBlock(download, at, cid)
        receipts.add(at, block.length)
        return block
      } catch (error) {
        failed(at, error)
      }
    }
  }

  const getBlock = async (cid: Cid): Promise<Uint8Array> => {
    const name = cid.toString()
    for (;;) {
      if (!archive) {
        const chosen = await next()
        began = Date.now()
        bytes = 0
        try {
          const answer = await ask(download, chosen, 'car')
          archive = readCar(answer.body).blocks[Symbol.asyncIterator]()
          node = chosen
        } catch (error) {
          failed(chosen, error)
          continue
        }
      }
      try {
        const read: { done?: boolean | undefined; value?: typeof ahead } = ahead
          ? { value: ahead }
          : await archive!.next()
        const block = read.done ? undefined : read.value
        if (block && !ahead) bytes += block.bytes.length
        // An archive holds each block once, and only blocks of the folder.
        if (bytes > most) throw new ContentError('bad-car', 'the archive holds more than the folder')
        ahead = block
        if (block?.cid.toString() === name) {
          ahead = undefined
          receipts.add(node!, block.bytes.length)
          return give(name, block.bytes)
        }
        // Archives may omit repeated blocks, so a missing one is not an error.
        if (!block || given.has(name)) return recent.get(name) ?? give(name, await single(cid))
        ahead = undefined
      } catch (error) {
        failed(node!, error)
      }
    }
  }

  return {
    getBlock,
    /** Sets the size that the folder declares, once known. */
    limit(declared: number) {
      most = Math.max(most, declared + FRAMES_MAX)
    },
    get node() {
      return node
    },
    async close() {
      if (node) pool.note({ node, began, bytes, status: 200, error: '' })
      await archive?.return?.()
    },
  }
}

async function ask(
  download: Download,
  node: SourceNode,
  format: 'tar' | 'car' | 'raw',
  cid?: Cid,
): Promise<StreamingResponse> {
  const { core, signal } = download
  let url = cid ? blockUrl(node.url, cid) : withQuery(node.url, 'format', format)
  if (format === 'tar') url = withQuery(url, 'filename', topOf(download))
  const answer = await getWithTimeout({ platform: core.platform, signal }, { url }, core.limits.stall)
  if (answer.status === 200) return answer
  answer.discard()
  const text = `: ${answer.status} ${answer.statusText}`.trimEnd()
  throw new BadAnswer(
    'status',
    core.toFailure('downloadError', { phrase: 'downloadStatus', fill: [text] }).msg,
    answer.status,
  )
}

/** Name of the tar's top folder: the name to save under, or the name of the folder. Nodes use it unchanged. */
function topOf({ name, root }: Download): string {
  const once = (text: string) => safeName(text.replace(/\.tar$/i, ''), root.toString())
  let top = once(name)
  for (let next = once(top); next !== top; next = once(top)) top = next
  return top
}

/** Fetches and verifies one block from a node. */
async function singleBlock(download: Download, node: SourceNode, cid: Cid): Promise<Uint8Array> {
  return readBlock(cid, (await ask(download, node, 'raw', cid)).body)
}

/**
 * Upper limit in bytes for the files of a folder and the links to them: the size declared in the root block, which its CID verifies, or the
 * stored size if none is declared.
 */
function declaredSize(root: Cid, bytes: Uint8Array, stored: number): number {
  const { fileSize, links } = readNode(root, bytes)
  return Math.max(
    links.reduce((sum, { cumulativeSize }) => sum + cumulativeSize, bytes.length + fileSize),
    stored,
  )
}

/** Calls `see` with each piece before passing it on. */
async function* pass(source: AsyncIterable<Uint8Array>, see: (piece: Uint8Array) => Promise<void>) {
  for await (const piece of source) {
    await see(piece)
    yield piece
  }
}

const reasonOf = ({ core: { toFailure } }: Download, error: unknown): NodeFailure =>
  error instanceof OtherCid
    ? { error: wrongBytes(toFailure), status: 200, reason: 'wrong' }
    : nodeFailure(toFailure, error)

/** The failure if no node could send the folder. */
function folderFailure({ core: { toFailure }, pool }: Download) {
  const { reasons } = pool
  if (reasons.length > 0 && reasons.every((reason) => reason === 'stalled')) return toFailure('timedOut')
  if (reasons.length > 0 && reasons.every((reason) => reason === 'wrong')) return toFailure('downloadFileError')
  const [only] = pool.details
  if (pool.nodes.length === 1 && only?.status_code && reasons.every((reason) => reason === 'status'))
    return toFailure('downloadError', { msg: only.error })
  return toFailure('downloadError', { phrase: 'downloadAllFailed', fill: [pool.nodes.length] })
}
