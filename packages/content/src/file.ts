import { createChunkDigester } from '#sha256'
import { type Block, type Cid, cidOfDigest, RAW } from './cid.ts'
import { ContentError } from './errors.ts'
import { dagPbBlock, fileData, type LinkToWrite } from './unixfs.ts'

/** Bytes per leaf; the last leaf of a file may be shorter. */
export const CHUNK_SIZE = 262_144
/** Links per inner node of a file. */
export const WIDTH = 174

/** The hash of a file. Its bytes and `inner` together are the whole DAG. */
export interface HashedFile {
  cid: Cid
  /** Bytes. */
  size: number
  /** Number of leaves; an empty file has one of 0 bytes. */
  leaves: number
  /** The dag-pb nodes, children before parents, the root last; empty for a file of one leaf. */
  inner: Block[]
}

export interface FileHasher {
  /** Hashes the next bytes. Synchronous in Node.js; in browsers the promise must settle before the next call. */
  update(chunk: Uint8Array): void | Promise<void>
  /** Ends the file; the hasher cannot be reused. */
  finish(): Promise<HashedFile>
}

export interface FileHasherOptions {
  /** Bytes per leaf, at most 1 MiB. Default 262144. */
  chunkSize?: number
  /** Links per inner node, 2 or more. Default 174. */
  width?: number
}

/** A completed subtree: a leaf or an inner node. */
interface Part {
  cidBytes: Uint8Array
  /** Bytes of the file in this subtree. */
  size: number
  /** Bytes of all blocks of this subtree. */
  cumulativeSize: number
}

/**
 * Computes the CID that `ipfs add --cid-version=1` produces, from a stream. Bytes are not kept; memory grows by about 50 bytes per leaf.
 * Each level groups `width` children into a node, up to a single root.
 */
export function createFileHasher(options: FileHasherOptions = {}): FileHasher {
  const { chunkSize = CHUNK_SIZE, width = WIDTH } = options
  if (!(chunkSize >= 1 && chunkSize <= 1_048_576))
    throw new ContentError('too-large', `no leaves of ${chunkSize} bytes`)
  if (!(width >= 2 && width <= 1024)) throw new ContentError('too-large', `no nodes of ${width} links`)
  /** Leaves without a parent. Nodes are built in `finish`, since that may be asynchronous. */
  const leaves = createLeafList()
  const digester = createChunkDigester(chunkSize, leaves.add)
  let size = 0
  let finished = false

  return {
    update(chunk) {
      if (finished) throw new Error('the file is already finished')
      size += chunk.length
      return digester.update(chunk)
    },
    async finish() {
      if (finished) throw new Error('the file is already finished')
      finished = true
      await digester.end()
      return treeOf(leaves.digests(), { size, chunkSize, width })
    },
  }
}

/**
 * The file of leaves that were hashed before, as the hasher would make it of their bytes.
 * @param digests 32 bytes per leaf
 * @throws ContentError mismatch if a file of this size has another number of leaves
 */
export async function fileOfLeaves(digests: Uint8Array, size: number): Promise<HashedFile> {
  if (digests.length !== 32 * Math.max(1, Math.ceil(size / CHUNK_SIZE)))
    throw new ContentError('mismatch', `${digests.length} bytes are not the digests of a file of ${size} bytes`)
  return treeOf(digests, { size, chunkSize: CHUNK_SIZE, width: WIDTH })
}

async function treeOf(
  digests: Uint8Array,
  { size, chunkSize, width }: { size: number; chunkSize: number; width: number },
): Promise<HashedFile> {
  const inner: Block[] = []
  const count = digests.length / 32

  async function level(parts: Iterable<Part>): Promise<Part[]> {
    const parents: Part[] = []
    let group: Part[] = []
    for (const part of parts) {
      group.push(part)
      if (group.length === width) {
        parents.push(await parent(group))
        group = []
      }
    }
    if (group.length > 0) parents.push(await parent(group))
    return parents
  }

  async function parent(children: Part[]): Promise<Part> {
    const links: LinkToWrite[] = children.map((child) => ({ ...child, name: '' }))
    const block = await dagPbBlock(links, fileData(children.map((child) => child.size)))
    inner.push(block)
    return {
      cidBytes: block.cid.bytes,
      size: children.reduce((total, child) => total + child.size, 0),
      cumulativeSize: children.reduce((total, child) => total + child.cumulativeSize, block.bytes.length),
    }
  }

  if (count === 1) return { cid: cidOfDigest(RAW, digests.slice(0, 32)), size, leaves: 1, inner }
  let parts = await level(leafParts(digests, size, chunkSize))
  while (parts.length > 1) parts = await level(parts)
  const root = inner[inner.length - 1]
  if (!root) throw new Error('a file of many leaves has a root')
  return { cid: root.cid, size, leaves: count, inner }
}

function* leafParts(digests: Uint8Array, fileSize: number, chunkSize: number): Iterable<Part> {
  for (let index = 0; index * 32 < digests.length; index++) {
    const size = Math.min(chunkSize, fileSize - index * chunkSize)
    const cidBytes = new Uint8Array(36)
    cidBytes.set([1, RAW, 0x12, 32])
    cidBytes.set(digests.subarray(index * 32, index * 32 + 32), 4)
    yield { cidBytes, size, cumulativeSize: size }
  }
}

/** The digests of all leaves in one growing array, 32 bytes each. */
function createLeafList() {
  let digests = new Uint8Array(32 * 64)
  let count = 0

  return {
    add(digest: Uint8Array): void {
      if ((count + 1) * 32 > digests.length) {
        const larger = new Uint8Array(digests.length * 2)
        larger.set(digests)
        digests = larger
      }
      digests.set(digest, count * 32)
      count++
    },
    digests: () => digests.subarray(0, count * 32),
  }
}
