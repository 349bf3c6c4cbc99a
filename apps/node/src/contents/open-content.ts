import { read as readCallback } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { DAG_PB, parseCid, RAW } from '@tidenet/content'
import { type BlockIndex, type BlockPlace, createIndexBuilder, indexInMemory, openBlockIndex } from './block-index.ts'
import type { ContentRecord } from './content-record.ts'
import { COUNTS, readCounts, type ShardCounts } from './shard-counts.ts'

/** An open content, in use until `release`. */
export interface OpenContent {
  readonly held: ContentRecord
  /** The bytes of a file, or the archive of a folder. */
  readonly main: FileHandle
  /** Position of a block; undefined if it is not part of the content. */
  locate(digest: Uint8Array, codec: number): Promise<BlockPlace | undefined>
  /** The bytes of a block from disk, not verified. */
  readBlock(place: BlockPlace): Promise<Buffer>
  index(): Promise<BlockIndex>
  /** Entries per shard of a folder; `count` computes them if they were not stored. */
  shardCounts(count: () => Promise<ShardCounts>): Promise<ShardCounts>
  /** The inner nodes of a file as an archive, root first; undefined for a file of one raw leaf. */
  inner(): Promise<{ file: FileHandle; size: number } | undefined>
  acquire(): OpenContent
  release(): void
  /** Closes the files after the last `release`. */
  retire(): void
}

/** Reads exactly `length` bytes at `position` into the start of `buffer`. */
export function readAt(file: FileHandle, buffer: Buffer, position: number, length = buffer.length): Promise<void> {
  return new Promise((resolve, reject) => {
    const step = (done: number) =>
      readCallback(file.fd, buffer, done, length - done, position + done, (error, bytes) => {
        if (error) reject(error)
        else if (bytes === 0) reject(new Error('the file on disk is shorter than it should be'))
        else if (done + bytes < length) step(done + bytes)
        else resolve()
      })
    if (length === 0) resolve()
    else step(0)
  })
}

/** @param folder of the content; of a leaf: its file */
export async function openContent(folder: string, held: ContentRecord): Promise<OpenContent> {
  const main = await open(held.leaf ? folder : join(folder, held.kind === 'file' ? 'data' : 'archive.car'), 'r')
  let users = 0
  let retired = false
  let index: Promise<BlockIndex> | undefined
  let inner: Promise<FileHandle> | undefined
  let counts: ShardCounts | undefined
  let counting: Promise<ShardCounts> | undefined
  // A file of one leaf has no inner nodes and no index: the leaf is the file.
  const single = held.kind === 'file' && held.blocks === 1

  const close = async () => {
    await main.close()
    await index?.then((index) => index.close()).catch(() => {})
    await inner?.then((file) => file.close()).catch(() => {})
  }
  const openInner = () => {
    inner ??= open(join(folder, 'inner.car'), 'r')
    return inner
  }

  const content: OpenContent = {
    held,
    main,
    index() {
      index ??= single ? Promise.resolve(singleLeaf(held)) : openBlockIndex(join(folder, 'index'))
      return index
    },
    async shardCounts(count) {
      // Concurrent callers share one count; if it is cancelled, the next caller counts.
      while (counting) await counting.catch(() => {})
      if (counts) return counts
      counting = readCounts(join(folder, COUNTS)).then((kept) => kept ?? count())
      try {
        counts = await counting
        return counts
      } finally {
        counting = undefined
      }
    },
    async locate(digest, codec) {
      return (await content.index()).find(digest, codec)
    },
    async readBlock(place) {
      const file = held.kind === 'file' && place.codec === DAG_PB ? await openInner() : main
      const bytes = Buffer.allocUnsafe(place.length)
      await readAt(file, bytes, place.offset)
      return bytes
    },
    async inner() {
      if (held.kind !== 'file' || single) return undefined
      const file = await openInner()
      return { file, size: (await file.stat()).size }
    },
    acquire() {
      users += 1
      return content
    },
    release() {
      users -= 1
      if (retired && users === 0) void close()
    },
    retire() {
      retired = true
      if (users === 0) void close()
    },
  }
  return content
}

function singleLeaf(held: ContentRecord): BlockIndex {
  const builder = createIndexBuilder()
  builder.add(parseCid(held.cid).multihash.digest, RAW, 0, held.size)
  return indexInMemory(builder.finish())
}
