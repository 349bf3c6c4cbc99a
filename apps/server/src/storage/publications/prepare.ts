import { type Cid, cidText, MAX_BLOCK_SIZE, parseCid, RAW } from '@tidenet/content/cid'
import { blockUrl } from '@tidenet/content/client-requests'
import { ContentError, isContentError } from '@tidenet/content/errors'
import { readNode as decodeNode, type UnixfsNode } from '@tidenet/content/unixfs'
import { verifyBlock } from '@tidenet/content/verify'
import { PUBLISHED_BLOCKS_MAX } from '@tidenet/contract'
import { copyAddress, readNode } from '../../network/index.ts'
import { type Context, now } from '../context.ts'
import { findSourceNodes } from '../downloads/sources.ts'
import { composeFolder } from './compose.ts'
import * as folders from './folders-repository.ts'
import * as repository from './repository.ts'

/**
 * Reads which blocks a publication has: its inner nodes, each verified, from nodes of the network. Leaves are never read, because the nodes
 * above them name them. The server is no place for bytes of files, so leaves that are nodes themselves are told by their declared sizes.
 */

/** Nobody else reads them for this time after the last progress. */
const LEASE_MS = 60_000
const TRIES_MAX = 20
const RETRY_AFTER_MS = 5_000
const RETRY_AFTER_MAX_MS = 600_000
/** Nodes that are asked for a block, and inner nodes that are read at the same time. */
const SOURCES_MAX = 4
const PARALLEL = 8
const BATCH = 5000
const WITHIN_MS = 30_000
/** Bytes of inner nodes that are read for a publication; a million blocks of default files have some 50 MiB. */
const BYTES_MAX = 512 << 20
/** A leaf of up to 2 MiB has at most so many bytes around those of the file; a node with one link has more. */
const LEAF_WRAP_MAX = 24
/** Publications per run, so that the task can be stopped. */
const RUN_MAX = 200
/** A folder is looked at again after this time while its files are prepared. */
const PARTS_AFTER_MS = 1000

type Deps = Pick<Context, 'db' | 'clock' | 'config' | 'keys' | 'policy' | 'log'>

export async function preparePublications(context: Deps, signal: AbortSignal): Promise<void> {
  for (let done = 0; done < RUN_MAX && !signal.aborted; done++) {
    const at = now(context)
    const due = await repository.leaseDue(context.db, at, new Date(at.getTime() + LEASE_MS))
    if (!due) return
    await prepare(context, due, signal)
  }
}

async function prepare(context: Deps, due: repository.Due, signal: AbortSignal): Promise<void> {
  const { db } = context
  try {
    // What an earlier try recorded would not be counted again.
    await deleteAllBlocks(db, due.id)
    const most = PUBLISHED_BLOCKS_MAX - (await repository.countBlocks(db, due.user_id, due.id))
    if (due.folder_id !== null) return await prepareFolder(context, due, most)
    const recorded = await recordBlocks(context, due, most, signal)
    if (recorded) await repository.finish(db, due.id, { state: 'ready', ...recorded })
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof TooMany) return fail(db, due.id, 'tooManyBlocks')
    // Its hashes are right, so it is built that way.
    const isForeign =
      isContentError(error) && (error.code === 'bad-dag' || error.code === 'unsupported' || error.code === 'too-large')
    if (isForeign || due.tries >= TRIES_MAX) return fail(db, due.id, 'unreadable')
    context.log.debug({ err: error, publication: due.id }, 'the blocks of a publication could not be read')
    const wait = Math.min(RETRY_AFTER_MS * 2 ** (due.tries - 1), RETRY_AFTER_MAX_MS)
    await repository.extendLease(db, due.id, new Date(now(context).getTime() + wait))
  }
}

class TooMany extends Error {}

async function fail(db: Context['db'], id: number, reason: 'tooManyBlocks' | 'unreadable'): Promise<void> {
  await repository.finish(db, id, { state: 'failed', reason })
  await folders.deleteParts(db, id)
  await deleteAllBlocks(db, id)
}

/** Builds the nodes of a folder of single files, once the blocks of all files are known. */
async function prepareFolder(context: Deps, { id }: repository.Due, most: number): Promise<void> {
  const parts = await folders.partsOf(context.db, id)
  if (parts.some(({ state }) => state === 'preparing'))
    return void (await folders.postpone(context.db, id, new Date(now(context).getTime() + PARTS_AFTER_MS)))
  const failed = parts.find(({ state }) => state === 'failed')
  if (failed || parts.length === 0) return fail(context.db, id, failed?.reason || 'unreadable')
  const { root, bytes, nodes } = await composeFolder(parts)
  if (nodes.length > most) throw new TooMany()
  await context.db.transaction(async (tx) => {
    await folders.insertNodes(tx, id, nodes)
    const blocks = await repository.addBlocks(
      tx,
      id,
      nodes.map(({ cid }) => ({ digest: cid.multihash.digest, inner: true })),
    )
    await folders.setRoot(tx, id, cidText(root))
    await repository.finish(tx, id, { state: 'ready', blocks, bytes })
  })
}

async function deleteAllBlocks(db: Context['db'], id: number): Promise<void> {
  while ((await repository.deleteBlocks(db, id)) > 0);
}

/** @returns how many blocks it has, and their bytes as its root declares them; undefined if the publication ended meanwhile */
async function recordBlocks(
  context: Deps,
  { id, cid }: repository.Due,
  most: number,
  signal: AbortSignal,
): Promise<{ blocks: number; bytes: number } | undefined> {
  const root = parseCid(cid)
  const read = await nodeReader(context, cid, signal)
  const waiting: Cid[] = []
  const seen = new Set<string>()
  let batch: { digest: Uint8Array; inner: boolean }[] = []
  let blocks = 0
  const flush = async () => {
    blocks += await repository.addBlocks(context.db, id, batch)
    batch = []
    if (blocks > most) throw new TooMany()
    return repository.extendLease(context.db, id, new Date(now(context).getTime() + LEASE_MS))
  }
  let bytes = 0
  /** The only block of a file has no node. */
  let declared: number | undefined
  const add = (found: Cid, isLeaf = found.code === RAW) => {
    const { digest } = found.multihash
    batch.push({ digest, inner: found.code !== RAW })
    if (isLeaf) return
    const name = Buffer.from(digest).toString('latin1')
    if (seen.has(name)) return
    seen.add(name)
    if (seen.size > most) throw new TooMany()
    waiting.push(found)
  }
  add(root)
  while (waiting.length > 0) {
    signal.throwIfAborted()
    // The last ones first: depth first keeps the list short.
    const nodes = await Promise.all(waiting.splice(-PARALLEL).map(read))
    for (const { node, size } of nodes) {
      bytes += size
      declared ??= node.links.reduce((sum, { cumulativeSize }) => sum + cumulativeSize, size)
      if (bytes > BYTES_MAX) throw new ContentError('too-large', 'too many bytes of inner nodes')
      for (const [index, { cid, cumulativeSize }] of node.links.entries())
        add(cid, cid.code === RAW || isWrappedLeaf(cumulativeSize, node.blockSizes[index]))
    }
    if (batch.length >= BATCH && !(await flush())) return undefined
  }
  return (await flush()) ? { blocks, bytes: declared ?? 0 } : undefined
}

/**
 * Whether a part of a file has its bytes in itself, as Kubo makes them by default. Who declares other sizes hides only what is below the part:
 * it is served to readers of the whole, not by its own CID.
 */
const isWrappedLeaf = (cumulativeSize: number, fileBytes: number | undefined): boolean =>
  fileBytes !== undefined && cumulativeSize >= fileBytes && cumulativeSize - fileBytes <= LEAF_WRAP_MAX

/** Reads inner nodes from the first node of the network that has them. */
async function nodeReader(
  context: Deps,
  content: string,
  signal: AbortSignal,
): Promise<(cid: Cid) => Promise<{ node: UnixfsNode; size: number }>> {
  const { nodes } = await findSourceNodes(context, content, [])
  const sources = nodes.slice(0, SOURCES_MAX)
  const addresses = await Promise.all(sources.map((node) => copyAddress(context, node, content, 'publication')))
  return async (cid) => {
    let failure: unknown = new Error('no node is reachable that has it')
    for (const address of addresses)
      try {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)])
        const bytes = await readNode(context, blockUrl(address, cid), MAX_BLOCK_SIZE, limit)
        await verifyBlock(cid, bytes)
        return { node: decodeNode(cid, bytes), size: bytes.length }
      } catch (error) {
        signal.throwIfAborted()
        failure = error
        if (isContentError(error) && error.code !== 'mismatch') throw error
      }
    throw new Error(`${cidText(cid)} could not be read`, { cause: failure })
  }
}
