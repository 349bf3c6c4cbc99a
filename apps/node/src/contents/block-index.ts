import { type FileHandle, open } from 'node:fs/promises'

/** Position of a block: in the archive; or for a file in its data (raw leaves) or its inner nodes (dag-pb). */
export interface BlockPlace {
  /** Number of the record in the index, used as a bitmap position. */
  record: number
  codec: number
  offset: number
  length: number
}

/** SHA-256 (32) · codec (4) · length (4) · offset (8), little-endian, sorted by digest. */
const RECORD = 48
/** Indexes up to this size are read into memory; in larger ones a lookup reads about 20 records. */
const IN_MEMORY = 1 << 20

/** Collects the positions of blocks; of duplicates the first is kept. */
export function createIndexBuilder() {
  let bytes = Buffer.allocUnsafe(RECORD * 64)
  let count = 0
  return {
    add(digest: Uint8Array, codec: number, offset: number, length: number): void {
      if ((count + 1) * RECORD > bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2)
      const at = count * RECORD
      bytes.set(digest, at)
      bytes.writeUInt32LE(codec, at + 32)
      bytes.writeUInt32LE(length, at + 36)
      bytes.writeBigUInt64LE(BigInt(offset), at + 40)
      count += 1
    },
    /** The index in its disk format. */
    finish(): Buffer {
      const keys = new Float64Array(count)
      for (let i = 0; i < count; i += 1) keys[i] = bytes.readUIntBE(i * RECORD, 6)
      const compare = (a: number, b: number) =>
        keys[a]! - keys[b]! || bytes.compare(bytes, b * RECORD, b * RECORD + 36, a * RECORD, a * RECORD + 36) || a - b
      const order = Uint32Array.from({ length: count }, (_, i) => i).sort(compare)
      const sorted = Buffer.allocUnsafe(count * RECORD)
      let kept = 0
      for (const i of order) {
        const at = kept * RECORD
        bytes.copy(sorted, at, i * RECORD, (i + 1) * RECORD)
        if (kept > 0 && sorted.compare(sorted, at - RECORD, at - RECORD + 36, at, at + 36) === 0) continue
        kept += 1
      }
      return sorted.subarray(0, kept * RECORD)
    },
  }
}

/** A completed index, opened for lookups. */
export interface BlockIndex {
  readonly count: number
  find(digest: Uint8Array, codec: number): Promise<BlockPlace | undefined>
  at(record: number): Promise<BlockPlace & { digest: Uint8Array }>
  close(): Promise<void>
}

export async function openBlockIndex(path: string): Promise<BlockIndex> {
  const file = await open(path, 'r')
  const { size } = await file.stat()
  if (size > IN_MEMORY) return blockIndex(size, readingFrom(file), () => file.close())
  try {
    return indexInMemory(await file.readFile())
  } finally {
    await file.close()
  }
}

export function indexInMemory(bytes: Buffer): BlockIndex {
  return blockIndex(
    bytes.length,
    (record) => bytes.subarray(record * RECORD, (record + 1) * RECORD),
    async () => {},
  )
}

type Read = (record: number) => Buffer | Promise<Buffer>

function readingFrom(file: FileHandle): Read {
  return async (record) => {
    const buffer = Buffer.allocUnsafe(RECORD)
    await file.read(buffer, 0, RECORD, record * RECORD)
    return buffer
  }
}

function blockIndex(size: number, read: Read, close: () => Promise<void>): BlockIndex {
  const count = Math.floor(size / RECORD)
  return {
    count,
    close,
    async find(digest, codec) {
      const key = Buffer.allocUnsafe(36)
      key.set(digest)
      key.writeUInt32LE(codec, 32)
      let low = 0
      let high = count - 1
      while (low <= high) {
        const middle = (low + high) >>> 1
        const found = read(middle)
        const record = found instanceof Promise ? await found : found
        const order = record.compare(key, 0, 36, 0, 36)
        if (order === 0) return place(record, middle)
        if (order < 0) low = middle + 1
        else high = middle - 1
      }
      return undefined
    },
    async at(number) {
      const record = await read(number)
      return { ...place(record, number), digest: record.subarray(0, 32) }
    },
  }
}

function place(record: Buffer, number: number): BlockPlace {
  return {
    record: number,
    codec: record.readUInt32LE(32),
    length: record.readUInt32LE(36),
    offset: Number(record.readBigUInt64LE(40)),
  }
}
