import { type Cid, ContentError, readCar, safeName } from '@tidenet/content'
import { tarFolder } from '@tidenet/content/tar'
import { readNode } from '@tidenet/content/unixfs'
import { DOWNLOAD_TRIES_PER_ADDRESS, MiB } from '@tidenet/contract/constants'
import type { Answering } from '../platform/platform.ts'
import { Stop } from '../result.ts'
import { checkTar, OtherCid } from './check-tar.ts'
import { decryptTar } from './decrypting.ts'
import { type SourceNode, withQuery } from './node-pool.ts'
import { readBlock } from './read-block.ts'
import { reading } from './reading.ts'
import { BadAnswer, type NodeFailure, nodeFailure, wrongBytes } from './reasons.ts'
import type { Sequence } from './sequence.ts'
import type { Download } from './types.ts'

/** Ms before a node is asked again, times the tries it had. */
const TRY_AGAIN = 250
/** Blocks that are kept in case they come again: files of zeros are made of one. */
const RECENT = 16

/** What an archive may have besides its blocks. */
const FRAMES = 16 * MiB
/** A folder that declares so many times what is stored of it is not believed as a tar: each of its blocks is checked before it is written. */
const BELIEVED = 1000

class Unbelieved extends OtherCid {}

/**
 * Fetches a folder as a tar from one node after another, three tries for each; one that stands still comes up again after the others. While it passes by, the folder is put together anew from
 * it: only when every byte is as the CID that was asked for says is the tar the folder. Resolves with the node that sent it.
 */
export async function fetchTar(download: Download, sequence: Sequence): Promise<SourceNode> {
  const { pool, root, signal, core, info } = download
  let other = false
  let room: number | undefined
  const waiting = pool.ranked().map((node) => ({ node, tries: 0 }))
  for (let one = waiting.shift(); one; one = waiting.shift()) {
    const { node } = one
    while (one.tries < DOWNLOAD_TRIES_PER_ADDRESS) {
      if (one.tries > 0) await core.pause(TRY_AGAIN * one.tries, signal)
      one.tries += 1
      const began = Date.now()
      sequence.restart()
      let status = 0
      try {
        room ??= declaredSize(root, await singleBlock(download, node, root), info.size)
        if (room > BELIEVED * Math.max(info.size, MiB)) throw new Unbelieved()
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
          { root, top: topOf(download), room },
          signal,
        )
        pool.note({ node, began, bytes: sequence.size, status, error: '' })
        return node
      } catch (error) {
        if (error instanceof Stop || error instanceof Unbelieved || signal.aborted) throw error
        const why = reasonOf(download, error)
        status ||= why.status
        pool.note({ node, began, bytes: sequence.size, status, error: why.error, reason: why.reason })
        other ||= error instanceof OtherCid
        // Asking the same node again gives the same bytes, or the same refusal.
        if (why.reason === 'wrong' || [401, 403, 404, 406, 410].includes(status)) break
        if (why.reason === 'stalled' && waiting.length > 0) {
          waiting.push(one)
          break
        }
      }
    }
  }
  if (other) throw new OtherCid()
  throw new Stop(lost(download))
}

/**
 * Fetches a folder as an archive of blocks and makes the tar here: each block is verified before a byte of it is written. For targets
 * that cannot take back what was written, and for folders that were made in another way than ours.
 */
export async function fetchArchive(download: Download, sequence: Sequence): Promise<SourceNode> {
  const { pool, root, signal, core, info } = download
  const { decrypt } = download.options
  const source = createBlockSource(download)
  try {
    const maxBytes = declaredSize(root, await source.getBlock(root), info.size)
    source.limit(maxBytes)
    const tar = tarFolder(root, topOf(download), source.getBlock, { signal, maxBytes })
    for await (const piece of decrypt ? decryptTar(core, decrypt, tar) : tar) {
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
    throw new Stop(core.say('downloadFileError', { data: { reason: (error as Error).message } }))
  } finally {
    await source.close()
  }
  return source.node ?? pool.nodes[0]!
}

/** Tries the tar, and where that cannot be decided the archive. */
export async function fetchFolder(download: Download, sequence: Sequence, rewindable: boolean): Promise<SourceNode> {
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
 * The blocks of a folder as its tar needs them: nearly always the next of the archive. What the archive does not repeat is asked for
 * by itself; a node that fails is followed by the next, whose archive is read up to the same place.
 */
function createBlockSource(download: Download) {
  const { pool, signal } = download
  const tries = new Map<SourceNode, number>()
  let node: SourceNode | undefined
  let archive: AsyncIterator<{ cid: Cid; bytes: Uint8Array }> | undefined
  /** The block of the archive that comes next, when it was looked at and not wanted yet. */
  let ahead: { cid: Cid; bytes: Uint8Array } | undefined
  let began = 0
  let bytes = 0
  let most = download.info.size + FRAMES
  /** Blocks that were given, so that one that is asked for again is not looked for in what is still to come. */
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
      .filter((one) => (tries.get(one) ?? 0) < DOWNLOAD_TRIES_PER_ADDRESS)
      .sort((a, b) => (tries.get(a) ?? 0) - (tries.get(b) ?? 0))
    const [chosen] = left
    if (!chosen) throw new Stop(lost(download))
    tries.set(chosen, (tries.get(chosen) ?? 0) + 1)
    return chosen
  }
  const failed = (at: SourceNode, error: unknown) => {
    if (signal.aborted || error instanceof Stop) throw error
    const { status, error: text, reason } = reasonOf(download, error)
    pool.note({ node: at, began, bytes, status, error: text, reason })
    if (reason === 'wrong') tries.set(at, DOWNLOAD_TRIES_PER_ADDRESS)
    archive = undefined
    ahead = undefined
    node = undefined
  }

  const single = async (cid: Cid): Promise<Uint8Array> => {
    for (;;) {
      const at = node ?? (await next())
      began = Date.now()
      try {
        return await singleBlock(download, at, cid)
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
        // An archive holds each block once, and none that the folder does not.
        if (bytes > most) throw new ContentError('bad-car', 'the archive holds more than the folder')
        ahead = block
        if (block?.cid.toString() === name) {
          ahead = undefined
          return give(name, block.bytes)
        }
        // An archive need not repeat a block, and one that leaves a block out is not wrong for that.
        if (!block || given.has(name)) return recent.get(name) ?? give(name, await single(cid))
        ahead = undefined
      } catch (error) {
        failed(node!, error)
      }
    }
  }

  return {
    getBlock,
    /** Told what the folder declares, once that is known. */
    limit(declared: number) {
      most = Math.max(most, declared + FRAMES)
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

async function ask(download: Download, node: SourceNode, format: 'tar' | 'car' | 'raw', cid?: Cid): Promise<Answering> {
  const { core, signal } = download
  let url = withQuery(node.url, 'format', format)
  if (format === 'tar') url = withQuery(url, 'filename', topOf(download))
  if (cid) url = url.replace(/\/ipfs\/[^?]+/, `/ipfs/${cid}`)
  const answer = await reading({ platform: core.platform, signal }, { url }, core.limits.stall)
  if (answer.status === 200) return answer
  answer.discard()
  const text = `: ${answer.status} ${answer.statusText}`.trimEnd()
  throw new BadAnswer(
    'status',
    core.say('downloadError', { phrase: 'downloadStatus', fill: [text] }).msg,
    answer.status,
  )
}

/** The folder at the top of the tar: the name to save under, or the folder's own. A node that is given it leaves it as it is. */
function topOf({ name, root }: Download): string {
  const once = (text: string) => safeName(text.replace(/\.tar$/i, ''), root.toString())
  let top = once(name)
  for (let next = once(top); next !== top; next = once(top)) top = next
  return top
}

/** One block of a node, checked. */
async function singleBlock(download: Download, node: SourceNode, cid: Cid): Promise<Uint8Array> {
  return readBlock(cid, (await ask(download, node, 'raw', cid)).body)
}

/**
 * Bytes that the files of a folder and the links to them have at most: what its root declares, which the CID vouches for, or where makers
 * declare nothing what is stored of it.
 */
function declaredSize(root: Cid, bytes: Uint8Array, stored: number): number {
  const { fileSize, links } = readNode(root, bytes)
  return Math.max(
    links.reduce((sum, { cumulativeSize }) => sum + cumulativeSize, bytes.length + fileSize),
    stored,
  )
}

/** Shows each piece before it goes on. */
async function* pass(source: AsyncIterable<Uint8Array>, see: (piece: Uint8Array) => Promise<void>) {
  for await (const piece of source) {
    await see(piece)
    yield piece
  }
}

const reasonOf = ({ core: { say } }: Download, error: unknown): NodeFailure =>
  error instanceof OtherCid ? { error: wrongBytes(say), status: 200, reason: 'wrong' } : nodeFailure(say, error)

/** Why no node could give the folder. */
function lost({ core: { say }, pool }: Download) {
  const { reasons } = pool
  if (reasons.length > 0 && reasons.every((reason) => reason === 'stalled')) return say('timedOut')
  if (reasons.length > 0 && reasons.every((reason) => reason === 'wrong')) return say('downloadFileError')
  const [only] = pool.details
  if (pool.nodes.length === 1 && only?.status_code && reasons.every((reason) => reason === 'status'))
    return say('downloadError', { msg: only.error })
  return say('downloadError', { phrase: 'downloadAllFailed', fill: [pool.nodes.length] })
}
