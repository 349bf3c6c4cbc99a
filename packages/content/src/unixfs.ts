import { decode, type PBLink } from '@ipld/dag-pb'
import { type Block, type Cid, cidOfDigest, DAG_PB, MAX_BLOCK_SIZE, RAW, supportedCid } from './cid.ts'
import { ContentError, isContentError } from './errors.ts'
import { sha256 } from './sha256.ts'
import { readVarint, varintSize, writeVarint } from './varint.ts'

/** The supported kinds of UnixFS nodes. */
export type UnixfsKind = 'raw' | 'directory' | 'file' | 'symlink' | 'shard'

/** A decoded block; a raw leaf has kind 'raw', its bytes as `data` and no links. */
export interface UnixfsNode {
  kind: UnixfsKind
  /** Bytes stored in the node itself: a leaf's content, or a shard's bit field. */
  data: Uint8Array
  /** Bytes of the file at and below this node; 0 for directories. */
  fileSize: number
  /** File bytes below each link; empty for directories. */
  blockSizes: number[]
  /** Children of a shard; 0 for other kinds. */
  fanout: number
  links: UnixfsLink[]
}

export interface UnixfsLink {
  cid: Cid
  name: string
  /** Declared bytes of the whole DAG below the link; not verified. */
  cumulativeSize: number
}

const KINDS: (UnixfsKind | undefined)[] = ['raw', 'directory', 'file', undefined, 'symlink', 'shard']
const MURMUR3_X64_64 = 0x22
const NO_BYTES = new Uint8Array(0)

/** Decodes a block. Throws ContentError 'bad-dag' unless it is a well-formed UnixFS node. */
export function readNode(cid: Cid, bytes: Uint8Array): UnixfsNode {
  if (bytes.length > MAX_BLOCK_SIZE) throw new ContentError('bad-dag', `a block of ${bytes.length} bytes is too large`)
  if (cid.code === RAW) {
    return { kind: 'raw', data: bytes, fileSize: bytes.length, blockSizes: [], fanout: 0, links: [] }
  }
  let data: Uint8Array | undefined
  let links: UnixfsLink[]
  try {
    const node = decode(bytes)
    data = node.Data
    links = node.Links.map(readLink)
  } catch (error) {
    if (isContentError(error) && error.code === 'unsupported') throw error
    throw new ContentError('bad-dag', 'not a dag-pb node', { cause: error })
  }
  if (!data) throw new ContentError('bad-dag', 'a dag-pb node without UnixFS data')
  const node = { ...readData(data), links }
  if (node.kind === 'shard') checkShard(node)
  else if (node.kind !== 'directory' && node.blockSizes.length !== links.length) {
    throw new ContentError('bad-dag', 'a file node must give one size for each link')
  }
  return node
}

function readLink(link: PBLink): UnixfsLink {
  return { cid: supportedCid(link.Hash), name: link.Name ?? '', cumulativeSize: link.Tsize ?? 0 }
}

function checkShard(node: Omit<UnixfsNode, 'links'>): void {
  const { fanout } = node
  if (fanout < 8 || fanout > 1024 || (fanout & (fanout - 1)) !== 0) {
    throw new ContentError('bad-dag', `a shard cannot have ${fanout} children`)
  }
}

/** The protobuf message `Data` of UnixFS; unknown fields (mode, mtime) are ignored. */
function readData(bytes: Uint8Array): Omit<UnixfsNode, 'links'> {
  let kind: UnixfsKind | undefined
  let data: Uint8Array = NO_BYTES
  let fileSize: number | undefined
  let fanout = 0
  let hashType = MURMUR3_X64_64
  const blockSizes: number[] = []
  let at = 0

  function number(): number {
    const read = readVarint(bytes, at)
    if (!read) throw new ContentError('bad-dag', 'UnixFS data is truncated')
    at = read.next
    return read.value
  }
  function slice(): Uint8Array {
    const length = number()
    if (length > bytes.length - at) throw new ContentError('bad-dag', 'UnixFS data is truncated')
    at += length
    return bytes.subarray(at - length, at)
  }

  while (at < bytes.length) {
    const tag = number()
    if (tag === 0x08) kind = KINDS[number()]
    else if (tag === 0x12) data = slice()
    else if (tag === 0x18) fileSize = number()
    else if (tag === 0x20) blockSizes.push(number())
    else if (tag === 0x22) {
      const end = at + number()
      while (at < end) blockSizes.push(number())
    } else if (tag === 0x28) hashType = number()
    else if (tag === 0x30) fanout = number()
    else skip(tag & 7)
  }
  function skip(wireType: number): void {
    if (wireType === 0) number()
    else if (wireType === 2) slice()
    else if (wireType === 5) at += 4
    else if (wireType === 1) at += 8
    else throw new ContentError('bad-dag', 'UnixFS data has a field of unknown type')
  }

  if (at > bytes.length) throw new ContentError('bad-dag', 'UnixFS data is truncated')
  if (!kind) throw new ContentError('bad-dag', 'UnixFS data of unknown kind')
  if (kind === 'shard' && hashType !== MURMUR3_X64_64)
    throw new ContentError('bad-dag', 'a shard with an unknown hash function')
  const holdsFile = kind === 'file' || kind === 'raw'
  const sum = blockSizes.reduce((total, size) => total + size, holdsFile ? data.length : 0)
  if (holdsFile && fileSize !== undefined && fileSize !== sum) {
    throw new ContentError('bad-dag', `a file of ${fileSize} bytes whose parts have ${sum}`)
  }
  if (!Number.isSafeInteger(sum)) throw new ContentError('bad-dag', 'the file size is too large')
  return { kind, data, fileSize: holdsFile ? sum : 0, blockSizes, fanout }
}

/** A link to write; its size is that of the whole DAG below it, in bytes. */
export interface LinkToWrite {
  cidBytes: Uint8Array
  name: string
  cumulativeSize: number
}

/** Data of an inner node of a file: `08 02 18 filesize (20 blocksize)*`. */
export function fileData(blockSizes: readonly number[]): Uint8Array {
  let fileSize = 0
  let length = 2
  for (const size of blockSizes) {
    fileSize += size
    length += 1 + varintSize(size)
  }
  const data = new Uint8Array(length + 1 + varintSize(fileSize))
  data.set([0x08, 2, 0x18])
  let at = writeVarint(data, 3, fileSize)
  for (const size of blockSizes) {
    data[at++] = 0x20
    at = writeVarint(data, at, size)
  }
  return data
}

/** Data of a directory: only its kind. */
export function directoryData(): Uint8Array {
  return Uint8Array.of(0x08, 1)
}

/** Data of a HAMT shard; `bitField` is big-endian without leading zeros. */
export function shardData(bitField: Uint8Array, fanout: number): Uint8Array {
  const head = 3 + varintSize(bitField.length) + bitField.length
  const data = new Uint8Array(head + 3 + varintSize(fanout))
  data.set([0x08, 5, 0x12])
  const at = writeVarint(data, 3, bitField.length)
  data.set(bitField, at)
  data.set([0x28, MURMUR3_X64_64, 0x30], head)
  writeVarint(data, head + 3, fanout)
  return data
}

const encoder = new TextEncoder()

/** A dag-pb node: links first, then data, as Kubo writes it. Links must be sorted. */
export function dagPbBytes(links: readonly LinkToWrite[], data: Uint8Array): Uint8Array {
  const names = links.map((link) => (link.name === '' ? NO_BYTES : encoder.encode(link.name)))
  const bodies = links.map((link, index) => linkSize(link, names[index]!.length))
  const length = bodies.reduce((total, body) => total + 1 + varintSize(body) + body, 0)
  const bytes = new Uint8Array(length + 1 + varintSize(data.length) + data.length)
  let at = 0
  links.forEach((link, index) => {
    const name = names[index]!
    bytes[at++] = 0x12
    at = writeVarint(bytes, at, bodies[index]!)
    bytes[at++] = 0x0a
    at = writeVarint(bytes, at, link.cidBytes.length)
    bytes.set(link.cidBytes, at)
    at += link.cidBytes.length
    bytes[at++] = 0x12
    at = writeVarint(bytes, at, name.length)
    bytes.set(name, at)
    at += name.length
    bytes[at++] = 0x18
    at = writeVarint(bytes, at, link.cumulativeSize)
  })
  bytes[at++] = 0x0a
  at = writeVarint(bytes, at, data.length)
  bytes.set(data, at)
  return bytes
}

/** A dag-pb node as a block. */
export async function dagPbBlock(links: readonly LinkToWrite[], data: Uint8Array): Promise<Block> {
  const bytes = dagPbBytes(links, data)
  return { cid: cidOfDigest(DAG_PB, await sha256(bytes)), bytes }
}

/** A folder of one entry. */
export const folderOfOne = (name: string, cid: Cid, cumulativeSize: number): Promise<Block> =>
  dagPbBlock([{ name, cidBytes: cid.toV1().bytes, cumulativeSize }], directoryData())

function linkSize(link: LinkToWrite, nameLength: number): number {
  const hash = 1 + varintSize(link.cidBytes.length) + link.cidBytes.length
  return hash + 1 + varintSize(nameLength) + nameLength + 1 + varintSize(link.cumulativeSize)
}
