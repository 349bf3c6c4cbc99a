import { rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { type Block, type Cid, DAG_PB, isContentError, RAW } from '@tidenet/content'
import { type FileLayout, readFileLayout } from '@tidenet/content/leaves'
import { readNode, type UnixfsNode } from '@tidenet/content/unixfs'
import { Refusal, refuseTooLarge } from '../refusal.ts'
import { texts } from '../texts.ts'
import { indexInMemory } from './block-index.ts'
import { openBlockWriter } from './block-writer.ts'
import { DATA } from './content-record.ts'
import type { Incoming } from './content-store.ts'
import { readAt } from './open-content.ts'
import { ARCHIVE, type CheckedArchive, openTrimmed } from './store-archive.ts'

/** A file that came as an archive, unpacked: its bytes are in `data`, synced. */
export interface UnpackedFile {
  cid: Cid
  size: number
  inner: Block[]
}

/** Bytes per leaf, on average, below which the table of leaves would need more memory than it is worth. */
const LEAF_BYTES_MIN = 16 * 1024

/**
 * Unpacks an archive whose root is a file, however it is cut, as long as its leaves are raw: then each can be verified alone.
 * @param most bytes that the file may have: an archive can repeat a leaf without end
 * @returns undefined if the root is something else
 * @throws Refusal 400, 413, 503
 */
export async function unpackFile(
  incoming: Incoming,
  archive: CheckedArchive,
  most: number,
): Promise<UnpackedFile | undefined> {
  const { root, rootNode } = archive
  const isFolder = (node: UnixfsNode | undefined) => node?.kind === 'directory' || node?.kind === 'shard'
  if (isFolder(rootNode)) return undefined
  const index = indexInMemory(archive.index)
  const file = await openTrimmed(incoming, archive)
  const seen = new Set<number>()
  const inner: Block[] = []
  const read = async (cid: Cid): Promise<Buffer> => {
    const place = await index.find(cid.multihash.digest, cid.code)
    if (!place) throw new Refusal(400, texts.blockMissing(`${cid}`))
    const bytes = Buffer.allocUnsafe(place.length)
    await readAt(file, bytes, place.offset)
    const isFresh = !seen.has(place.record)
    seen.add(place.record)
    if (isFresh && cid.code === DAG_PB) inner.push({ cid: cid.toV1(), bytes })
    return bytes
  }
  try {
    const node = readNode(root, await read(root))
    if (isFolder(node)) return undefined
    if (node.kind === 'symlink') throw new Refusal(400, texts.rootIsNoFolder)
    if (node.fileSize > most) throw refuseTooLarge(most)
    const layout = await layoutOf(root, read, most)
    const archiveSize = archive.end - archive.start
    await incoming.reservation.grow(archiveSize + layout.size)
    const writer = await openBlockWriter(join(incoming.folder, DATA))
    try {
      for (let leaf = 0; leaf < layout.leafCount; leaf += 1) await writer.write(await read(layout.leafAt(leaf).cid))
      await writer.sync()
    } finally {
      await writer.close()
    }
    if (writer.size !== layout.size) throw new Refusal(400, texts.fileIsCutDifferently)
    if (seen.size < index.count) throw new Refusal(400, texts.strayBlocks(index.count - seen.size))
    await rm(join(incoming.folder, ARCHIVE))
    return { cid: root.toV1(), size: layout.size, inner: root.code === RAW ? [] : inner }
  } catch (error) {
    // What is left may be the upload that is tried again.
    await truncate(join(incoming.folder, DATA), 0).catch(() => {})
    throw error
  } finally {
    await file.close()
  }
}

/** @throws Refusal 400 if leaves are no raw blocks */
async function layoutOf(root: Cid, read: (cid: Cid) => Promise<Buffer>, most: number): Promise<FileLayout> {
  try {
    return await readFileLayout(root, undefined, read, { maxLeaves: 1024 + Math.ceil(most / LEAF_BYTES_MIN) })
  } catch (error) {
    if (!isContentError(error) || error.code === 'mismatch') throw error
    throw new Refusal(400, texts.fileIsCutDifferently, { why: error.message })
  }
}
