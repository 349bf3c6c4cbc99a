import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Cid, DAG_PB, parseCid, RAW, sameCid } from '@tidenet/content'
import { carFrameSize, carHeader, readCar } from '@tidenet/content/car'
import { checkFetchable, Unfetchable } from '@tidenet/content/fetchable'
import { readNode, type UnixfsNode } from '@tidenet/content/unixfs'
import { Refusal } from '../refusal.ts'
import { texts, unfetchableTexts } from '../texts.ts'
import { type BlockIndex, type BlockPlace, createIndexBuilder, indexInMemory } from './block-index.ts'
import type { Incoming } from './content-store.ts'
import { readAt } from './open-content.ts'
import { COUNTS, createShardCounter, type ShardCounts, writeCounts } from './shard-counts.ts'
import { writeSynced } from './store-file.ts'

/** File name of a folder's archive. */
export const ARCHIVE = 'archive.car'

/** Larger roots are decoded at the end, so that slow senders cannot fill the memory with decoded roots. Enough for 1,000 short names. */
const ROOT_BYTES_MAX = 64 * 1024

/** An archive whose blocks match their CIDs. */
export interface CheckedArchive {
  root: Cid
  /**
   * Bytes of the archive with each block once. One folder then has one size, although archives of it differ in order and repetition of
   * blocks.
   */
  size: number
  /** Number of distinct blocks. */
  blocks: number
  /** Offsets from `start`. */
  index: Buffer
  /** Where the CARv1 is in the file, which is all of it unless it is a CARv2. */
  start: number
  end: number
  /** The root, decoded while the other blocks arrived; undefined if it is large, missing or a leaf. */
  rootNode: UnixfsNode | undefined
}

/**
 * Reads an archive stream and verifies every block. `write` receives every piece before it is parsed.
 * @throws Refusal 400 if its root is not `root`; ContentError if it is not an archive or a block is wrong
 */
export async function checkArchive(
  source: Readable,
  write: (chunk: Buffer) => Promise<void> | undefined,
  options: { signal?: AbortSignal | undefined; root: string },
): Promise<CheckedArchive> {
  const { signal } = options
  async function* pieces() {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      await write(chunk)
      yield chunk
    }
  }
  const hangUp = () => source.destroy(new Error('the sender is gone'))
  signal?.addEventListener('abort', hangUp, { once: true })
  try {
    const reading = readCar(pieces(), { transient: true, ...(signal && { signal }) })
    // Some writers stream an archive before they know its root and omit it; the later walk finds missing blocks.
    const [root = parseCid(options.root)] = await reading.roots
    if (!sameCid(root, parseCid(options.root))) throw new Refusal(400, texts.notTheRoot(options.root))
    const builder = createIndexBuilder()
    let rootNode: UnixfsNode | undefined
    for await (const { cid, bytes, offset } of reading.blocks) {
      builder.add(cid.multihash.digest, cid.code, offset - reading.start(), bytes.length)
      const isSmallNode = cid.code === DAG_PB && bytes.length <= ROOT_BYTES_MAX
      if (!rootNode && isSmallNode && sameCid(cid, root)) rootNode = readNode(root, bytes.slice())
    }
    const index = builder.finish()
    const size = await sizeOnce(root, indexInMemory(index))
    const [start, end] = [reading.start(), reading.end()]
    return { root, size, blocks: indexInMemory(index).count, index, start, end, rootNode }
  } finally {
    signal?.removeEventListener('abort', hangUp)
  }
}

async function sizeOnce(root: Cid, index: BlockIndex): Promise<number> {
  const cid = root.toV1()
  let size = carHeader([cid]).length
  // All CIDs of version 1 have the same length.
  for (let record = 0; record < index.count; record++) size += carFrameSize(cid, (await index.at(record)).length)
  return size
}

/**
 * Publishes a synced archive as a content.
 * @param options.fetchable also checks that everything can be listed and downloaded, for uploads. Replicas are copied as they are.
 * @returns the number of distinct blocks
 * @throws Refusal 400 unless it is exactly one complete folder
 */
export async function storeArchive(
  incoming: Incoming,
  archive: CheckedArchive,
  options: { fetchable: boolean },
): Promise<number> {
  const { root, size, blocks } = archive
  const file = await openTrimmed(incoming, archive)
  let counts: Buffer
  try {
    const archived = readBlocks(file, archive)
    await (options.fetchable ? checkWithin(root, archived) : visitAll(root, archived))
    const left = archived.left()
    if (left > 0) throw new Refusal(400, texts.strayBlocks(left))
    // An existing folder may have inconsistent shards: it can be stored, but not listed.
    counts = writeCounts(await archived.counts(options.fetchable))
    await incoming.reservation.grow((await file.stat()).size + archive.index.length + counts.length)
  } finally {
    await file.close()
  }
  await writeSynced(join(incoming.folder, 'index'), [archive.index])
  if (counts.length > 0) await writeSynced(join(incoming.folder, COUNTS), [counts])
  // `keep` syncs the folder.
  await incoming.keep({ cid: root.toV1().toString(), kind: 'folder', size, blocks })
  return blocks
}

/** Opens an archive, after removing what a CARv2 has around its data: what is stored is served as it is. */
export async function openTrimmed({ folder }: Incoming, { start, end }: CheckedArchive): Promise<FileHandle> {
  const file = await open(join(folder, ARCHIVE), 'r+')
  try {
    const { size } = await file.stat()
    if (size === end - start) return file
    const buffer = Buffer.allocUnsafe(Math.min(1 << 20, end - start))
    // In place: there may be no space for a copy. An upload that is killed meanwhile is no archive any more, and sent again.
    for (let at = start; start > 0 && at < end; at += buffer.length) {
      const length = Math.min(buffer.length, end - at)
      await readAt(file, buffer, at, length)
      await file.write(buffer, 0, length, at - start)
    }
    await file.truncate(end - start)
    await file.sync()
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Reads the blocks of an archive; the set of blocks must equal the set of linked blocks. */
function readBlocks(file: FileHandle, { root, rootNode, index: records }: CheckedArchive) {
  const index = indexInMemory(records)
  const seen = new Uint8Array(index.count)
  let left = index.count
  const visit = async (cid: Cid) => {
    const place = await index.find(cid.multihash.digest, cid.code)
    if (!place) throw new Refusal(400, texts.blockMissing(`${cid}`))
    const fresh = !seen[place.record]
    if (fresh) left -= 1
    seen[place.record] = 1
    return { ...place, fresh }
  }
  const read = async ({ length, offset }: BlockPlace) => {
    const bytes = Buffer.allocUnsafe(length)
    await readAt(file, bytes, offset)
    return bytes
  }
  const counter = createShardCounter(async (cid) => (await visit(cid)).record)
  return {
    left: () => left,
    counts: (strict: boolean) => (strict ? counter.finish() : counter.finish().catch((): ShardCounts => new Map())),
    visit,
    async size(cid: Cid) {
      return (await visit(cid)).length
    },
    async node(cid: Cid) {
      const place = await visit(cid)
      const isRoot = sameCid(cid, root)
      const node = (isRoot && rootNode) || readNode(cid, await read(place))
      if (isRoot && node.kind !== 'directory' && node.kind !== 'shard') throw new Refusal(400, texts.rootIsNoFolder)
      counter.add(place.record, node)
      return { id: place.record, node }
    },
  }
}

type ArchivedBlocks = ReturnType<typeof readBlocks>

async function checkWithin(root: Cid, blocks: ArchivedBlocks): Promise<void> {
  try {
    await checkFetchable(root, blocks)
  } catch (error) {
    if (!(error instanceof Unfetchable)) throw error
    const path = JSON.stringify(error.path.join('/')).slice(0, 300)
    throw new Refusal(400, unfetchableTexts[error.what](path), { why: error.message })
  }
}

async function visitAll(root: Cid, blocks: ArchivedBlocks): Promise<void> {
  const waiting = [root]
  for (let cid = waiting.pop(); cid !== undefined; cid = waiting.pop()) {
    const { node } = await blocks.node(cid)
    for (const link of node.links) {
      const { fresh } = await blocks.visit(link.cid)
      if (fresh && link.cid.code !== RAW) waiting.push(link.cid)
    }
  }
}
