import { CarBufferReader } from '@ipld/car/buffer-reader'
import * as CarBufferWriter from '@ipld/car/buffer-writer'
import { CID } from 'multiformats/cid'
import { type Block, type Cid, decodeCid, MAX_BLOCK_SIZE, SHA2_256, sameBytes } from './cid.ts'
import { ContentError, isContentError } from './errors.ts'
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
  /** After `roots`: where the CARv1 begins in the source; not 0 in a CARv2. */
  start(): number
  /** After `blocks`: where the last block ends. What follows in the source is the index of a CARv2. */
  end(): number
}

const MAX_HEADER_SIZE = 65_536
/** Bytes of the pragma and the header of a CARv2. */
const V2_HEADER_SIZE = 51
/** Most bytes between the header of a CARv2 and its data; writers in use leave none, or round to a page. */
const MAX_PADDING = 1 << 20
/** How a CARv2 begins: a header of version 2 without roots. */
const PRAGMA = Uint8Array.of(0x0a, 0xa1, 0x67, 0x76, 0x65, 0x72, 0x73, 0x69, 0x6f, 0x6e, 0x02)
/** The longest supported CID has 36 bytes. */
const MAX_CID_SIZE = 36

/**
 * Reads a CARv1 or CARv2 stream; holds one block in memory. The index of a CARv2 is skipped, as every block is read anyway. Throws ContentError
 * 'bad-car' (truncated, invalid varints or offsets, blocks over 2 MiB, another version), 'unsupported' (another hash or codec) and 'mismatch' (a
 * block does not match its CID).
 * @param options.transient bytes and CID of a block are valid only until the next one is read: nothing is allocated per block
 */
export function readCar(source: ByteSource, options: { signal?: AbortSignal; transient?: boolean } = {}): CarReading {
  const input = createInput(piecesOf(() => source, options.signal))
  const takeFrame = options.transient ? input.borrow : input.take
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
        yield await readFrame(input, length, takeFrame)
      }
      await input.discardRest()
    } finally {
      await input.close()
    }
  }
  return { roots, blocks: blocks(), start: input.start, end: input.position }
}

async function readHeader(input: Input): Promise<Cid[]> {
  const { version, roots } = await readVersioned(input)
  if (version === 1) return roots
  if (version !== 2) throw new ContentError('bad-car', `a CAR of version ${version}`)
  await enterData(input)
  const inner = await readVersioned(input)
  if (inner.version !== 1) throw new ContentError('bad-car', `a CARv2 around version ${inner.version}`)
  return inner.roots
}

/** Skips to the CARv1 in a CARv2, and ends the input where it ends. */
async function enterData(input: Input): Promise<void> {
  const fields = await input.take(V2_HEADER_SIZE - input.position())
  const view = new DataView(fields.buffer, fields.byteOffset, fields.byteLength)
  // 16 bytes of characteristics, then the offset and size of the data, and the offset of the index.
  const offset = Number(view.getBigUint64(16, true))
  const size = Number(view.getBigUint64(24, true))
  const padding = offset - V2_HEADER_SIZE
  if (!(padding >= 0 && padding <= MAX_PADDING) || !(size > 0) || !Number.isSafeInteger(offset + size))
    throw new ContentError('bad-car', `data of ${size} bytes at ${offset}`)
  await input.take(padding)
  input.isData(offset, offset + size)
}

async function readVersioned(input: Input): Promise<{ version: number; roots: Cid[] }> {
  const length = await input.varint()
  if (length === undefined) throw new ContentError('bad-car', 'the CAR is empty')
  if (length === 0 || length > MAX_HEADER_SIZE) throw new ContentError('bad-car', `a header of ${length} bytes`)
  const body = await input.take(length)
  const bytes = new Uint8Array(varintSize(length) + length)
  bytes.set(body, writeVarint(bytes, 0, length))
  if (sameBytes(bytes, PRAGMA)) return { version: 2, roots: [] }
  let roots: CID[]
  try {
    const reader = CarBufferReader.fromBytes(bytes)
    if (reader.version !== 1) throw new Error(`version ${reader.version}`)
    roots = reader.getRoots()
  } catch (error) {
    throw new ContentError('bad-car', 'not the header of a CAR', { cause: error })
  }
  return { version: 1, roots: roots.map((root) => decodeCid(root.bytes).cid) }
}

async function readFrame(input: Input, length: number, take: Input['take']): Promise<CarBlock> {
  if (length > MAX_BLOCK_SIZE + MAX_CID_SIZE)
    throw new ContentError('bad-car', `a block of ${length} bytes is too large`)
  const start = input.position()
  const frame = await take(length)
  let decoded: ReturnType<typeof decodeCid>
  try {
    decoded = decodeCid(frame.subarray(0, MAX_CID_SIZE))
  } catch (error) {
    if (isContentError(error) && error.code === 'unsupported') throw error
    if (isForeign(frame)) throw new ContentError('unsupported', 'a block of another hash', { cause: error })
    throw new ContentError('bad-car', 'a block without a CID', { cause: error })
  }
  const bytes = frame.subarray(decoded.length)
  await verifyBlock(decoded.cid, bytes)
  return { cid: decoded.cid, bytes, offset: start + decoded.length }
}

/** Whether a block begins with a CID of another hash, such as `identity`, which is as long as its data. */
function isForeign(frame: Uint8Array): boolean {
  try {
    return CID.inspectBytes(frame).multihashCode !== SHA2_256
  } catch {
    return false
  }
}

type Input = ReturnType<typeof createInput>

/**
 * Reads exact numbers of bytes from a stream of pieces. `take` copies each byte once, so callers may reuse their buffers; what `borrow` returns
 * is valid until the next call of anything.
 */
function createInput(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]()
  let piece = new Uint8Array(0)
  let at = 0
  let position = 0
  let open = true
  let start = 0
  /** Where the blocks end, if the source goes on behind them. */
  let end = Number.POSITIVE_INFINITY
  let borrowed = new Uint8Array(0)

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

  async function fill(bytes: Uint8Array): Promise<void> {
    if (position + bytes.length > end) throw new ContentError('bad-car', 'a block goes beyond the data')
    for (let filled = 0; filled < bytes.length; ) {
      if (!(await more())) throw new ContentError('bad-car', 'the CAR is truncated')
      const part = piece.subarray(at, at + bytes.length - filled)
      bytes.set(part, filled)
      filled += part.length
      at += part.length
    }
    position += bytes.length
  }

  return {
    position: () => position,
    start: () => start,
    isData(from: number, to: number): void {
      start = from
      end = to
    },
    async take(length: number): Promise<Uint8Array> {
      const bytes = new Uint8Array(length)
      await fill(bytes)
      return bytes
    },
    async borrow(length: number): Promise<Uint8Array> {
      if (length <= piece.length - at && position + length <= end) {
        at += length
        position += length
        return piece.subarray(at - length, at)
      }
      if (borrowed.length < length) borrowed = new Uint8Array(length)
      const bytes = borrowed.subarray(0, length)
      await fill(bytes)
      return bytes
    },
    /** The next varint; undefined at the end of the stream. */
    async varint(): Promise<number | undefined> {
      const bytes = new Uint8Array(8)
      for (let length = 0; length < bytes.length; length++) {
        if (position === end) {
          if (length === 0) return undefined
          throw new ContentError('bad-car', 'a block goes beyond the data')
        }
        if (!(await more())) {
          if (end !== Number.POSITIVE_INFINITY) throw new ContentError('bad-car', 'the CAR is truncated')
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
    /** Reads the source to its end, so that its sender can finish. */
    async discardRest(): Promise<void> {
      while (open) {
        at = piece.length
        await more()
      }
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
