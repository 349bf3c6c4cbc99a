import type { Cid } from './cid.ts'
import {
  checkChildShard,
  checkDirectory,
  checkFile,
  checkFilePart,
  fileParts,
  isFile,
  readBlock,
  shardIndex,
} from './dag.ts'
import { ContentError } from './errors.ts'
import { prefixLength, shardPath } from './hamt.ts'
import { resolvePath } from './path.ts'
import type { UnixfsNode } from './unixfs.ts'
import type { GetBlock } from './verify.ts'

export { type ByteRange, parseEntityBytes, type WalkOptions, type WalkScope, walk } from './walk.ts'

/** The target of a path. */
export interface Stat {
  cid: Cid
  kind: 'file' | 'directory'
  /** Bytes of a file; for a directory the declared total of all blocks below it. */
  size: number
}

/** An entry of a directory. */
export interface DirectoryEntry {
  name: string
  cid: Cid
  /** Declared total bytes of all blocks of the entry. */
  size: number
}

/**
 * Resolves `a/b/c` from a root; empty segments are ignored. Throws ContentError 'not-found' if there is no such entry, 'bad-dag' for
 * malformed nodes and symlinks, and errors of `getBlock`.
 */
export async function statPath(root: Cid, path: string, getBlock: GetBlock): Promise<Stat> {
  const trail = await resolvePath(root, path, getBlock)
  const { cid, bytes, node } = trail[trail.length - 1]!
  if (isFile(node)) return { cid, kind: 'file', size: node.fileSize }
  checkDirectory(node)
  const size = node.links.reduce((total, link) => total + link.cumulativeSize, bytes.length)
  return { cid, kind: 'directory', size }
}

/** The entries of a directory in link order: by name, or by hash of the name if it is sharded. */
export async function* listDirectory(
  cid: Cid,
  getBlock: GetBlock,
  options: { signal?: AbortSignal } = {},
): AsyncIterable<DirectoryEntry> {
  yield* listNode((await readBlock(cid, getBlock)).node, getBlock, options.signal)
}

/** As listDirectory, for a directory whose block was already read. */
export async function* listNode(
  node: UnixfsNode,
  getBlock: GetBlock,
  signal?: AbortSignal,
): AsyncIterable<DirectoryEntry> {
  checkDirectory(node)
  if (node.kind === 'directory') {
    for (const link of node.links) yield { name: link.name, cid: link.cid, size: link.cumulativeSize }
    return
  }
  const { fanout } = node
  const digits = prefixLength(fanout)
  const open = [{ shard: node, next: 0, position: [] as number[] }]
  for (let level = open[open.length - 1]; level; level = open[open.length - 1]) {
    const link = level.shard.links[level.next++]
    if (!link) {
      open.pop()
      continue
    }
    signal?.throwIfAborted()
    const position = [...level.position, shardIndex(link.name, digits, fanout)]
    if (link.name.length === digits) {
      const { node: child } = await readBlock(link.cid, getBlock)
      checkChildShard(child, fanout)
      if (position.length * Math.log2(fanout) > 64) throw new ContentError('bad-dag', 'a directory of too many levels')
      open.push({ shard: child, next: 0, position })
      continue
    }
    const name = link.name.slice(digits)
    // A name is valid at one position only. Otherwise shards with repeated links could list without end.
    const place = shardPath(name, fanout)
    if (position.some((index, depth) => place[depth] !== index)) {
      throw new ContentError('bad-dag', 'a shard contains a name of another shard')
    }
    yield { name, cid: link.cid, size: link.cumulativeSize }
  }
}

export interface CatOptions {
  /** Offset of the first byte, from 0. */
  start?: number
  /** Offset after the last byte. Default: the end of the file. */
  end?: number
  signal?: AbortSignal
}

/** The bytes of a file or a range of it. Fetches only the blocks needed. Throws ContentError 'bad-dag' for folders. */
export async function* catFile(cid: Cid, getBlock: GetBlock, options: CatOptions = {}): AsyncIterable<Uint8Array> {
  options.signal?.throwIfAborted()
  yield* catNode((await readBlock(cid, getBlock)).node, getBlock, options)
}

/** As catFile, for a file whose root was already read. */
export async function* catNode(
  node: UnixfsNode,
  getBlock: GetBlock,
  options: CatOptions = {},
): AsyncIterable<Uint8Array> {
  const { start = 0, end = Number.POSITIVE_INFINITY, signal } = options
  checkFile(node)
  const waiting: { cid?: Cid; node?: UnixfsNode; offset: number; size: number; depth: number }[] = [
    { node, offset: 0, size: node.fileSize, depth: 0 },
  ]
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    if (part.offset >= end || part.offset + part.size <= start) continue
    signal?.throwIfAborted()
    const { node } = part.node ? { node: part.node } : await readBlock(part.cid!, getBlock)
    checkFilePart(node, part.size, part.depth)
    const from = Math.max(0, start - part.offset)
    const to = Math.min(node.data.length, end - part.offset)
    if (from < to) yield node.data.subarray(from, to)
    waiting.push(...fileParts(node, part.offset, part.depth).toReversed())
  }
}
