import { readCar } from './car.ts'
import { type Block, type Cid, cidOfDigest, cidText, MAX_BLOCK_SIZE, RAW, sameBytes } from './cid.ts'
import { ContentError } from './errors.ts'
import { createLeafTable, type LeafTable } from './leaf-table.ts'
import { sha256 } from './sha256.ts'
import { readNode, type UnixfsLink, type UnixfsNode } from './unixfs.ts'
import { type GetBlock, verifyBlock } from './verify.ts'

/** The position of each leaf of a file, from verified inner nodes. Memory: 32 bytes per leaf. */
export interface FileLayout {
  root: Cid
  /** Bytes of the file. */
  size: number
  /** Bytes of every leaf but the last; 0 if they differ, as with other chunkers. */
  leafSize: number
  leafCount: number
  /** The leaf at an index. Throws RangeError outside 0 … leafCount - 1. */
  leafAt(index: number): { cid: Cid; offset: number; size: number }
  /** The first index of a leaf. */
  leafOf(cid: Cid): number | undefined
}

export interface ReadLayoutOptions {
  signal?: AbortSignal
  /** More leaves are refused as 'too-large'. Default 4194304: 1 TiB with default leaves, 128 MiB of memory. */
  maxLeaves?: number
}

const MAX_DEPTH = 32
/** Inner nodes to prefetch, to hide network latency. */
const AHEAD = 8

/**
 * Reads and verifies the inner nodes of a file and checks that declared sizes add up. `size`, if given, must match the file's. A raw root
 * of unknown size is fetched. Throws ContentError 'bad-dag', 'mismatch' or 'too-large', and errors of `getInner`.
 */
export async function readFileLayout(
  root: Cid,
  size: number | undefined,
  getInner: GetBlock,
  options: ReadLayoutOptions = {},
): Promise<FileLayout> {
  const { signal, maxLeaves = 4_194_304 } = options
  const table = createLeafTable()
  let visited = 0

  async function read(cid: Cid): Promise<UnixfsNode> {
    signal?.throwIfAborted()
    const bytes = await getInner(cid)
    await verifyBlock(cid, bytes)
    return readNode(cid, bytes)
  }

  async function visit(node: UnixfsNode, declared: number | undefined, depth: number): Promise<void> {
    checkInner(node, declared, depth)
    // If every node has at least two links, there are fewer nodes than leaves; otherwise the tree is an attack.
    if (++visited > table.count() + 2 * MAX_DEPTH) throw new ContentError('bad-dag', 'a file of more nodes than leaves')
    const nodes = readAhead(
      node.links.filter((link) => link.cid.code !== RAW),
      read,
    )
    for (const [index, link] of node.links.entries()) {
      const part = node.blockSizes[index]!
      if (link.cid.code !== RAW) {
        await visit(await nodes.next(), part, depth + 1)
        continue
      }
      if (part === 0) throw new ContentError('bad-dag', 'an empty leaf among others')
      if (part > MAX_BLOCK_SIZE) throw new ContentError('bad-dag', `a leaf of ${part} bytes is too large`)
      if (table.count() >= maxLeaves) throw new ContentError('too-large', `a file of more than ${maxLeaves} leaves`)
      table.add(link.cid.multihash.digest, part)
    }
  }

  if (root.code === RAW) {
    const length = size ?? (await read(root)).fileSize
    if (length > MAX_BLOCK_SIZE) throw new ContentError('bad-dag', `a leaf of ${length} bytes is too large`)
    table.add(root.multihash.digest, length)
    return layoutOf(root, length, table)
  }
  const node = await read(root)
  if (size !== undefined && node.fileSize !== size) {
    throw new ContentError('bad-dag', `the file has ${node.fileSize} bytes, not ${size}`)
  }
  await visit(node, undefined, 0)
  return layoutOf(root, node.fileSize, table)
}

function checkInner(node: UnixfsNode, declared: number | undefined, depth: number): void {
  if (node.kind !== 'file') throw new ContentError('bad-dag', `expected an inner node of a file, found ${node.kind}`)
  if (node.data.length > 0) throw new ContentError('bad-dag', 'only files with raw leaves have a layout')
  if (depth >= MAX_DEPTH) throw new ContentError('bad-dag', 'the file is a tree of too many levels')
  if (declared === undefined) return
  if (node.fileSize !== declared) {
    throw new ContentError('bad-dag', `a part of ${node.fileSize} bytes was declared to have ${declared}`)
  }
  // Empty parts could repeat without end and never fill the file.
  if (node.links.length === 0) throw new ContentError('bad-dag', 'an inner node without parts')
}

function readAhead(links: UnixfsLink[], read: (cid: Cid) => Promise<UnixfsNode>) {
  const started: Promise<UnixfsNode>[] = []
  let next = 0
  return {
    next(): Promise<UnixfsNode> {
      while (next < links.length && started.length < AHEAD) {
        const promise = read(links[next++]!.cid)
        // Avoid an unhandled rejection: the error is thrown when this node is awaited.
        promise.catch(() => {})
        started.push(promise)
      }
      return started.shift()!
    },
  }
}

function layoutOf(root: Cid, size: number, table: LeafTable): FileLayout {
  const leafCount = table.count()
  return {
    root,
    size,
    leafSize: table.uniformSize(),
    leafCount,
    leafAt(index) {
      if (!Number.isInteger(index) || index < 0 || index >= leafCount) throw new RangeError(`no leaf ${index}`)
      return { cid: cidOfDigest(RAW, table.digest(index)), ...table.place(index, size) }
    },
    leafOf: (cid) => (cid.code === RAW ? table.find(cid.multihash.digest) : undefined),
  }
}

/** True if `bytes` are the leaf at `index`. */
export async function verifyLeaf(layout: FileLayout, index: number, bytes: Uint8Array): Promise<boolean> {
  const { cid, size } = layout.leafAt(index)
  return bytes.length === size && sameBytes(await sha256(bytes), cid.multihash.digest)
}

/** Leaves of a byte range: `first` and `count`, and the range rounded to whole leaves as `start` (inclusive) and `end` (exclusive). */
export interface LeafRange {
  first: number
  count: number
  start: number
  end: number
}

/** Rounds the bytes [start, end), limited to the file, to whole leaves; an empty range has count 0. */
export function leavesOfRange(layout: FileLayout, start: number, end: number): LeafRange {
  const from = Math.max(0, start)
  const to = Math.min(end, layout.size)
  if (!(from < to)) return { first: 0, count: 0, start: from, end: from }
  const first = leafHolding(layout, from)
  const last = leafHolding(layout, to - 1)
  const lastLeaf = layout.leafAt(last)
  return { first, count: last - first + 1, start: layout.leafAt(first).offset, end: lastLeaf.offset + lastLeaf.size }
}

function leafHolding(layout: FileLayout, at: number): number {
  if (layout.leafSize > 0) return Math.floor(at / layout.leafSize)
  let low = 0
  let high = layout.leafCount - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (layout.leafAt(middle).offset <= at) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * The dag-pb nodes of a file, each once, the root first and every node before its children; none for a raw root. Verifies hashes. Throws
 * ContentError 'bad-dag' or 'mismatch'.
 */
export async function* innerOf(
  root: Cid,
  getBlock: GetBlock,
  options: { signal?: AbortSignal } = {},
): AsyncIterable<Block> {
  const seen = new Set<string>()
  const waiting = [{ cid: root, depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { cid, depth } = next
    if (cid.code === RAW || seen.has(cidText(cid))) continue
    if (depth >= MAX_DEPTH) throw new ContentError('bad-dag', 'the file is a tree of too many levels')
    options.signal?.throwIfAborted()
    seen.add(cidText(cid))
    const bytes = await getBlock(cid)
    await verifyBlock(cid, bytes)
    const node = readNode(cid, bytes)
    if (node.kind !== 'file' && node.kind !== 'raw') {
      throw new ContentError('bad-dag', `expected a node of a file, found ${node.kind}`)
    }
    yield { cid, bytes }
    for (const link of node.links.toReversed()) waiting.push({ cid: link.cid, depth: depth + 1 })
  }
}

/**
 * Reads the inner nodes of a file, root first. Each must be referenced by an earlier one and none may repeat, which bounds their number.
 * Throws ContentError 'bad-car' otherwise, 'mismatch', and 'wrapped' at the first node that has bytes of the file: its inner nodes would be
 * all of it.
 */
export async function innerBlocks(root: Cid, body: AsyncIterable<Uint8Array>): Promise<Map<string, Uint8Array>> {
  const blocks = new Map<string, Uint8Array>()
  const wanted = new Set([root.toString()])
  for await (const { cid, bytes } of readCar(body).blocks) {
    const name = cid.toString()
    if (!wanted.delete(name)) throw new ContentError('bad-car', 'a block that is no inner node of the file')
    await verifyBlock(cid, bytes)
    const node = readNode(cid, bytes)
    if (node.data.length > 0) throw new ContentError('wrapped', 'a file without raw leaves')
    blocks.set(name, bytes)
    for (const link of node.links)
      if (link.cid.code !== RAW && !blocks.has(link.cid.toString())) wanted.add(link.cid.toString())
  }
  return blocks
}
