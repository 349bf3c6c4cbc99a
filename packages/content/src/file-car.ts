import { carFrameSize, carPrefix } from './car.ts'
import { type Cid, RAW, sameBytes } from './cid.ts'
import { CHUNK_SIZE, type HashedFile, WIDTH } from './file.ts'
import { cutEvenly } from './pieces.ts'
import { sha256 } from './sha256.ts'
import { readNode } from './unixfs.ts'

/** A block of a file in order: a node, or a leaf whose bytes are read from the file. */
type FilePart = { cid: Cid; size: number; bytes?: Uint8Array }

/** Bytes of all blocks of a hashed file in a CAR. */
export function fileCarSize(file: HashedFile): number {
  const nodes = file.inner.reduce((total, { cid, bytes }) => total + carFrameSize(cid, bytes.length), 0)
  const last = file.size - (file.leaves - 1) * CHUNK_SIZE
  // All CIDs in a file have the same length.
  return nodes + (file.leaves - 1) * carFrameSize(file.cid, CHUNK_SIZE) + carFrameSize(file.cid, last)
}

/**
 * The blocks of a file as CAR frames, depth first; the file is read again. `start`: bytes to skip. If the content differs from what was
 * hashed, the stream ends with the error of `onChanged`.
 */
export async function* fileFrames(
  file: HashedFile,
  content: AsyncIterable<Uint8Array>,
  options: { start: number; onChanged: () => Error },
): AsyncIterable<Uint8Array> {
  // Limit the buffer to the file size, since many files are small. A file that has grown yields a second piece, which is refused.
  const leaves = cutEvenly(content, Math.min(CHUNK_SIZE, Math.max(1, file.size)))[Symbol.asyncIterator]()
  let skip = options.start
  try {
    for (const part of partsOf(file)) {
      const frameSize = carFrameSize(part.cid, part.size)
      const bytes = part.bytes ?? (await nextLeaf(leaves, part.size, options.onChanged))
      if (skip >= frameSize) {
        skip -= frameSize
        continue
      }
      if (!part.bytes && !sameBytes(await sha256(bytes), part.cid.multihash.digest)) throw options.onChanged()
      const prefix = carPrefix(part.cid, part.size)
      if (skip < prefix.length) yield prefix.subarray(skip)
      const left = Math.max(0, skip - prefix.length)
      if (left < bytes.length) yield bytes.subarray(left)
      skip = 0
    }
    if (!(await leaves.next()).done) throw options.onChanged()
  } finally {
    await leaves.return?.()
  }
}

async function nextLeaf(leaves: AsyncIterator<Uint8Array>, size: number, onChanged: () => Error): Promise<Uint8Array> {
  if (size === 0) return new Uint8Array(0)
  const next = await leaves.next()
  if (next.done || next.value.length !== size) throw onChanged()
  return next.value
}

/** Nodes and leaves of a file, depth first. `inner` has the lowest level first, each level from left to right. */
function* partsOf(file: HashedFile): Iterable<FilePart> {
  const { inner } = file
  if (inner.length === 0) {
    yield { cid: file.cid, size: file.size }
    return
  }
  const levelStarts: number[] = []
  for (let count = Math.ceil(file.leaves / WIDTH), start = 0; start < inner.length; count = Math.ceil(count / WIDTH)) {
    levelStarts.push(start)
    start += count
  }
  levelStarts.push(inner.length)

  function* node(level: number, index: number): Iterable<FilePart> {
    const { cid, bytes } = inner[levelStarts[level]! + index]!
    yield { cid, bytes, size: bytes.length }
    if (level > 0) {
      const width = levelStarts[level]! - levelStarts[level - 1]!
      for (let child = index * WIDTH; child < Math.min(width, (index + 1) * WIDTH); child++)
        yield* node(level - 1, child)
      return
    }
    const { links, blockSizes } = readNode(cid, bytes)
    for (const [at, link] of links.entries()) {
      if (link.cid.code === RAW) yield { cid: link.cid, size: blockSizes[at]! }
    }
  }
  yield* node(levelStarts.length - 2, 0)
}
