import { join } from 'node:path'
import { type Block, type Cid, MAX_BLOCK_SIZE, parseCid, RAW, verifyBlock } from '@tidenet/content'
import { readCar } from '@tidenet/content/car'
import { type FileLayout, innerOf, readFileLayout, verifyLeaf } from '@tidenet/content/leaves'
import type { NodeSource, NodeWork } from '@tidenet/contract'
import { consume } from '../consume.ts'
import { type BlockWriter, openBlockWriter } from '../contents/block-writer.ts'
import { DATA } from '../contents/content-record.ts'
import type { ContentStore, Incoming } from '../contents/content-store.ts'
import { ARCHIVE, checkArchive, storeArchive } from '../contents/store-archive.ts'
import { storeFile } from '../contents/store-file.ts'
import { asRefusal, Refusal } from '../refusal.ts'
import { diskSpaceFor, takeInto } from '../uploads/store-upload.ts'
import { BadSource, BrokeOff, fetchFrom, fetchWhole, type Reach, SILENCE_MS } from './source.ts'

export type PullWork = Extract<NodeWork, { type: 'pull' }>

/** Result of a pull: without `error` the content is stored. */
export interface PullEnd {
  bad: { node_id: string; error: string }[]
  error?: string
  /** The node that sent the last part. */
  source?: string
}

/** An inner node takes about 50 bytes per leaf, and an archive adds 40 per node. */
const INNER_PER_BYTE = 1 / 2048

/**
 * Fetches a content from the sources, best first, and stores it if every block is valid; otherwise nothing is left. Rejects if this node is
 * at fault: no space, disk failure.
 */
export async function pull(work: PullWork, store: ContentStore, reach: Reach, signal: AbortSignal): Promise<PullEnd> {
  const bad: PullEnd['bad'] = []
  const from = await openPuller(work, store, reach)
  try {
    // A stack, so that the next origin of a node comes before the next node.
    const left = [...work.sources].reverse()
    for (let source = left.pop(); source; source = left.pop()) {
      try {
        await from.take(source, signal)
        await from.keep()
        return { bad, source: source.node_id }
      } catch (failure) {
        signal.throwIfAborted()
        const error = asRefusal(failure)
        if (!isSourceFault(error)) throw error
        const [url, ...more_urls] = source.more_urls ?? []
        if (url !== undefined && error instanceof BrokeOff) left.push({ ...source, url, more_urls })
        else bad.push({ node_id: source.node_id, error: (error as Error).message.slice(0, 300) })
      }
    }
    return { bad, error: work.sources.length === 0 ? 'there is no source' : 'no source could give it' }
  } finally {
    await from.close()
  }
}

async function openPuller(work: PullWork, store: ContentStore, reach: Reach): Promise<Puller> {
  const root = parseCid(work.cid)
  if (work.kind === 'file' && root.code === RAW && work.size <= MAX_BLOCK_SIZE)
    return leafPuller(root, work, reach, store)
  const incoming = await store.incoming()
  try {
    // The server's order has the size, so the whole space is reserved at once.
    await incoming.reservation.grow(diskSpaceFor(work.size))
  } catch (error) {
    await incoming.discard()
    throw error
  }
  const from = work.kind === 'file' ? filePuller(work, reach, incoming) : folderPuller(work, reach, incoming)
  return {
    ...from,
    async close() {
      await from.close()
      await incoming.discard()
    },
  }
}

/** The source's fault, in contrast to this node's. */
const isSourceFault = (error: unknown): boolean =>
  error instanceof BadSource ||
  (error instanceof Refusal && error.status < 500) ||
  (error instanceof Error && error.name === 'ContentError')

/** An early end of the connection, as fetch reports it; disk errors have a `syscall`. */
const isStreamFault = (error: unknown): boolean =>
  error instanceof Error &&
  !(error instanceof BadSource || error instanceof Refusal || error.name === 'ContentError' || 'syscall' in error)

const brokeOff = (error: unknown) => new BrokeOff(`it broke off (${(error as Error).message})`)

interface Puller {
  take(source: NodeSource, signal: AbortSignal): Promise<void>
  keep(): Promise<void>
  close(): Promise<void>
}

/** Fetches a file of one leaf into memory. */
function leafPuller(root: Cid, work: PullWork, reach: Reach, store: ContentStore): Puller {
  let leaf: Uint8Array | undefined
  return {
    async take(source, signal) {
      const bytes = await fetchWhole(source, { cid: work.cid, most: work.size }, reach, signal).catch((error) => {
        throw isStreamFault(error) ? brokeOff(error) : error
      })
      await verifyBlock(root, bytes)
      if (bytes.length !== work.size) throw new BadSource('it stopped before the end')
      leaf = bytes
    },
    async keep() {
      if (leaf) await store.keepSmall({ cid: work.cid, bytes: leaf })
    },
    close: async () => {},
  }
}

/** Fetches leaf by leaf: a wrong one is detected at once, and the next source continues there. */
function filePuller(work: PullWork, reach: Reach, incoming: Incoming): Puller {
  const root = parseCid(work.cid)
  let writer: BlockWriter | undefined
  let plan: { layout: FileLayout; inner: Block[] } | undefined

  return {
    async take(source, signal) {
      plan ??= await readPlan(root, work, source, reach, signal)
      writer ??= await openBlockWriter(join(incoming.folder, DATA))
      const { layout } = plan
      if (writer.size === layout.size) return
      const start = writer.size
      const body = await fetchFrom(source, { cid: work.cid, start, most: layout.size - start }, reach, signal)
      try {
        await takeLeaves(layout, writer, body, signal)
      } finally {
        body.destroy()
      }
      if (writer.size !== layout.size) throw new BadSource('it stopped before the end')
    },
    async keep() {
      if (!writer || !plan) return
      await writer.sync()
      const { layout, inner } = plan
      await storeFile(incoming, { cid: root, size: layout.size, inner })
    },
    async close() {
      await writer?.close()
    },
  }
}

/** Fetches the inner nodes of a file, which have the hash of each leaf. */
async function readPlan(root: Cid, work: PullWork, source: NodeSource, reach: Reach, signal: AbortSignal) {
  const most = 65_536 + Math.ceil(work.size * INNER_PER_BYTE)
  const archive = await fetchWhole(source, { cid: work.cid, format: 'inner', most }, reach, signal)
  const blocks = new Map<string, Uint8Array>()
  for await (const { cid, bytes } of readCar(whole(archive)).blocks) blocks.set(cid.toString(), bytes)
  const get = async (cid: Cid): Promise<Uint8Array> => {
    const bytes = blocks.get(cid.toString())
    if (!bytes) throw new BadSource(`it did not send the node ${cid}`)
    return bytes
  }
  const layout = await readFileLayout(root, work.size, get)
  const inner: Block[] = []
  for await (const block of innerOf(root, get)) inner.push(block)
  return { layout, inner }
}

async function* whole(bytes: Uint8Array) {
  yield bytes
}

async function takeLeaves(
  layout: FileLayout,
  writer: BlockWriter,
  body: Parameters<typeof consume>[0],
  signal: AbortSignal,
): Promise<void> {
  let index = layout.leafSize === 0 ? 0 : Math.floor(writer.size / layout.leafSize)
  let gathered: Buffer[] = []
  let size = 0
  const takeLeaf = async (bytes: Buffer) => {
    if (!(await verifyLeaf(layout, index, bytes))) throw new BadSource(`leaf ${index} is wrong`)
    index += 1
    await writer.write(bytes)
  }
  const take = async (chunk: Buffer) => {
    let rest = chunk
    while (rest.length > 0) {
      if (index >= layout.leafCount) throw new BadSource('it sent more than the content has')
      const wanted = layout.leafAt(index).size - size
      const part = rest.subarray(0, wanted)
      gathered.push(part)
      size += part.length
      rest = rest.subarray(part.length)
      if (part.length < wanted) continue
      const leaf = gathered.length === 1 ? part : Buffer.concat(gathered)
      gathered = []
      size = 0
      await takeLeaf(leaf)
    }
  }
  try {
    await consume(body, take, { signal, silenceMs: SILENCE_MS })
  } catch (error) {
    throw isStreamFault(error) ? brokeOff(error) : error
  }
}

/** A holder sends its archive unchanged, possibly with repeated blocks; the size counts each once. */
const archiveMost = (work: PullWork): number => 2 * work.size + 65_536

/** Verifies an archive while it streams; the next source starts again. */
function folderPuller(work: PullWork, reach: Reach, incoming: Incoming): Puller {
  let writer: BlockWriter | undefined
  return {
    async take(source, signal) {
      await writer?.close()
      const fresh = await openBlockWriter(join(incoming.folder, ARCHIVE))
      writer = fresh
      const body = await fetchFrom(source, { cid: work.cid, format: 'car', most: archiveMost(work) }, reach, signal)
      const silence = setTimeout(() => body.destroy(new BadSource('it went silent')), SILENCE_MS)
      const most = archiveMost(work)
      const take = takeInto(incoming, fresh, most)
      const write = (chunk: Buffer) => {
        silence.refresh()
        if (fresh.size + chunk.length > most) throw new BadSource('it sent more than the content has')
        return take(chunk)
      }
      try {
        const archive = await checkArchive(body, write, { signal, root: work.cid })
        await fresh.sync()
        await storeArchive(incoming, archive, { fetchable: false })
      } catch (error) {
        // An archive that ends with the connection only seems to be truncated by its sender.
        throw isStreamFault(error) || body.errored ? brokeOff(error) : error
      } finally {
        clearTimeout(silence)
        body.destroy()
      }
    },
    keep: async () => {},
    async close() {
      await writer?.close()
    },
  }
}
