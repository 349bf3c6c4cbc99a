import { CarBufferReader } from '@ipld/car/buffer-reader'
import * as CarBufferWriter from '@ipld/car/buffer-writer'
import { type Block, type Cid, decodeCid, MAX_BLOCK_SIZE } from './cid.ts'
import { ContentError } from './errors.ts'
import { type ByteSource, piecesOf } from './pieces.ts'
import { readVarint, varintSize, writeVarint } from './varint.ts'
import { verifyBlock } from './verify.ts'

/** A block of a CAR; `offset` is the position of the block's bytes from the start of the CAR. */
export type CarBlock = Block & { offset: number }

export interface CarReading {
  /** Settles as soon as the header is read, even if `blocks` is not read yet. */
  roots: Promise<Cid[]>
  /** To be iterated once, to the end; every block's hash is verified. */
  blocks: AsyncIterable<CarBlock>
}

const MAX_HEADER_SIZE = 65_536
/** The longest supported CID has 36 bytes. */
const MAX_CID_SIZE = 36

/**
 * Reads a CARv1 stream; holds one block in memory. Throws ContentError 'bad-car' (truncated, invalid varints, blocks over 2 MiB,
 * unsupported hashes, codecs or version) and 'mismatch' (a block does not match its CID).
 */
export function readCar(source: ByteSource, options: { signal?: AbortSignal } = {}): CarReading {
  const input = createInput(piecesOf(() => source, options.signal))
  const roots = readHeader(input).catch(async (error) => {
    await input.close()
    throw error
  })
  // Avoid an unhandled rejection: iterating `blocks` throws the same error.
  roots.catch(() => {})

  async function* blocks(): AsyncIterable<CarBlock> {
    try {
      await roots
      for (let length = await input.varint(); length !== undefined; length = await input.varint()) {
        yield await readFrame(input, length)
      }
    } finally {
      await input.close()
    }
  }
  return { roots, blocks: blocks() }
}

async function readHeader(input: Input): Promise<Cid[]> {
  const length = await input.varint()
  if (length === undefined) throw new ContentError('bad-car', 'the CAR is empty')
  if (length === 0 || length > MAX_HEADER_SIZE) throw new ContentError('bad-car', `a header of ${length} bytes`)
  const body = await input.take(length)
  const bytes = new Uint8Array(varintSize(length) + length)
  bytes.set(body, writeVarint(bytes, 0, length))
  try {
    const reader = CarBufferReader.fromBytes(bytes)
    if (reader.version !== 1) throw new Error(`version ${reader.version}`)
    return reader.getRoots().map((root) => decodeCid(root.bytes).cid)
  } catch (error) {
    throw new ContentError('bad-car', 'not the header of a CARv1', { cause: error })
  }
}

async function readFrame(input: Input, length: number): Promise<CarBlock> {
  if (length > MAX_BLOCK_SIZE + MAX_CID_SIZE)
    throw new ContentError('bad-car', `a block of ${length} bytes is too large`)
  const start = input.position()
  const frame = await input.take(length)
  let decoded: ReturnType<typeof decodeCid>
  try {
    decoded = decodeCid(frame.subarray(0, MAX_CID_SIZE))
  } catch (error) {
    throw new ContentError('bad-car', 'a block without a supported CID', { cause: error })
  }
  const bytes = frame.subarray(decoded.length)
  await verifyBlock(decoded.cid, bytes)
  return { cid: decoded.cid, bytes, offset: start + decoded.length }
}

type Input = ReturnType<typeof createInput>

/** Reads exact numbers of bytes from a stream of pieces. Each byte is copied once, so callers may reuse their buffers. */
function createInput(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]()
  let piece = new Uint8Array(0)
  let at = 0
  let position = 0
  let open = true

  /** Waits until a byte is available; false at the end of the stream. */
  async function more(): Promise<boolean> {
    while (at === piece.length) {
      const next = open ? await iterator.next() : { done: true as const, value: undefined }
      if (next.done) {
        open = false
        return false
      }
      piece = next.value as Uint8Array<ArrayBuffer>
      at = 0
    }
    return true
  }

  return {
    position: () => position,
    async take(length: number): Promise<Uint8Array> {
      const bytes = new Uint8Array(length)
      let filled = 0
      while (filled < length) {
        if (!(await more())) throw new ContentError('bad-car', 'the CAR is truncated')
        const part = piece.subarray(at, at + length - filled)
        bytes.set(part, filled)
        filled += part.length
        at += part.length
      }
      position += length
      return bytes
    },
    /** The next varint; undefined at the end of the stream. */
    async varint(): Promise<number | undefined> {
      const bytes = new Uint8Array(8)
      for (let length = 0; length < bytes.length; length++) {
        if (!(await more())) {
          if (length === 0) return undefined
          throw new ContentError('bad-car', 'the CAR is truncated')
        }
        const byte = piece[at++]!
        bytes[length] = byte
        position++
        if (byte >= 128) continue
        const value = readVarint(bytes, 0)?.value
        if (value === undefined || varintSize(value) !== length + 1) break
        return value
      }
      throw new ContentError('bad-car', 'invalid varint')
    },
    async close(): Promise<void> {
      if (!open) return
      open = false
      await iterator.return?.()
    },
  }
}

/** The header of a CARv1 with these roots. */
export function carHeader(roots: readonly Cid[]): Uint8Array {
  const writer = CarBufferWriter.createWriter(new ArrayBuffer(CarBufferWriter.headerLength({ roots: [...roots] })), {
    roots: [...roots],
  })
  return writer.close()
}

/** What precedes a block's bytes: the length of the frame and the CID. */
export function carPrefix(cid: Cid, length: number): Uint8Array {
  const body = cid.bytes.length + length
  const bytes = new Uint8Array(varintSize(body) + cid.bytes.length)
  bytes.set(cid.bytes, writeVarint(bytes, 0, body))
  return bytes
}

/** A block as a frame of a CAR. */
export function carFrame(block: Block): Uint8Array {
  const prefix = carPrefix(block.cid, block.bytes.length)
  const frame = new Uint8Array(prefix.length + block.bytes.length)
  frame.set(prefix)
  frame.set(block.bytes, prefix.length)
  return frame
}

/** Bytes that a block of `length` bytes takes in a CAR. */
export function carFrameSize(cid: Cid, length: number): number {
  const body = cid.bytes.length + length
  return varintSize(body) + body
}

/** Writes a CARv1 as blocks arrive. Hashes are not verified. */
export async function* writeCar(
  roots: readonly Cid[],
  blocks: AsyncIterable<Block> | Iterable<Block>,
): AsyncIterable<Uint8Array> {
  yield carHeader(roots)
  for await (const block of blocks) {
    yield carPrefix(block.cid, block.bytes.length)
    yield block.bytes
  }
}
