import type { Cid } from './cid.ts'
import { ContentError } from './errors.ts'
import { readNode, type UnixfsNode } from './unixfs.ts'
import type { GetBlock } from './verify.ts'

/** A fetched and decoded block. */
export interface ReadBlock {
  cid: Cid
  bytes: Uint8Array
  node: UnixfsNode
}

/** Real files have few levels; deeper trees are an attack. */
export const MAX_FILE_DEPTH = 32
/** Fetches and decodes one block. `getBlock` must verify hashes: see `verifyingGet`. */
export async function readBlock(cid: Cid, getBlock: GetBlock): Promise<ReadBlock> {
  const bytes = await getBlock(cid)
  return { cid, bytes, node: readNode(cid, bytes) }
}

/** The children of a file node with their byte ranges. */
export function fileParts(node: UnixfsNode, offset: number, depth: number) {
  let at = offset + node.data.length
  return node.links.map((link, index) => {
    const size = node.blockSizes[index]!
    at += size
    return { cid: link.cid, offset: at - size, size, depth: depth + 1 }
  })
}

/** Throws ContentError 'bad-dag' unless the node is part of a file and has the size that its parent declared. */
export function checkFilePart(node: UnixfsNode, declared: number, depth: number): void {
  checkFile(node)
  // Empty parts could repeat without end and never fill the file.
  if (declared === 0) throw new ContentError('bad-dag', 'an empty part of a file')
  if (node.fileSize !== declared) {
    throw new ContentError('bad-dag', `a part of ${node.fileSize} bytes was declared to have ${declared}`)
  }
  if (depth >= MAX_FILE_DEPTH) throw new ContentError('bad-dag', 'the file is a tree of too many levels')
}

export function isFile(node: UnixfsNode): boolean {
  return node.kind === 'file' || node.kind === 'raw'
}

/** Throws ContentError 'bad-dag' unless the node is a non-empty shard with the same fanout. */
export function checkChildShard(node: UnixfsNode, fanout: number): void {
  if (node.kind !== 'shard' || node.fanout !== fanout || node.links.length === 0) {
    throw new ContentError('bad-dag', 'a shard links to a block that is not one of its shards')
  }
}

/** The child index of a link in a shard: its leading digits. Throws ContentError 'bad-dag'. */
export function shardIndex(linkName: string, digits: number, fanout: number): number {
  const label = linkName.slice(0, digits)
  const index = Number.parseInt(label, 16)
  if (!(index < fanout) || shardLabel(index, digits) !== label) {
    throw new ContentError('bad-dag', 'a shard link without a valid index')
  }
  return index
}

/** The leading digits of a link in a shard. */
export function shardLabel(index: number, digits: number): string {
  return index.toString(16).toUpperCase().padStart(digits, '0')
}

/** Throws ContentError 'bad-dag' unless the node is a file or part of one. */
export function checkFile(node: UnixfsNode): void {
  if (!isFile(node)) throw new ContentError('bad-dag', `expected a file, found ${node.kind}`)
}

/** Throws ContentError 'bad-dag' unless the node is a directory, plain or sharded. */
export function checkDirectory(node: UnixfsNode): void {
  if (node.kind !== 'directory' && node.kind !== 'shard') {
    throw new ContentError('bad-dag', `expected a directory, found ${node.kind}`)
  }
}
