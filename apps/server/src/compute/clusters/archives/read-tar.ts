import { type NoteKey, noteOf } from '../notes.ts'

/** Reads tar archives of strangers as a stream: ustar, and the long names of GNU and pax. Memory does not grow with the archive. */

/** What is wrong with an archive, as a note for its owner. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
  constructor(key: NoteKey, ...details: string[]) {
    super(noteOf(key, ...details))
  }
}

export interface TarHeader {
  path: string
  /** `0` file, `1` hard link, `2` symbolic link, `5` folder, others as in POSIX. */
  type: string
  size: number
  /** Target of a link. */
  target: string
  /** Where its content begins in the archive, in bytes. */
  offset: number
  /** Of a file: to be read once, before the next entry, or not at all. */
  content: AsyncIterable<Uint8Array>
}

const BLOCK = 512
/** Long names and pax records. Longer ones are refused, because they are held in memory. */
const META_MAX_BYTES = 1024 * 1024

/** The entries of an archive, in order. Content that is not read is skipped. @throws ArchiveError */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarHeader> {
  const input = bytesOf(source)
  let long: Extended = {}
  for (;;) {
    const block = await input.read(BLOCK)
    if (block.length === 0) throw new ArchiveError('noEnd')
    if (block.length < BLOCK) throw new ArchiveError('cutOff')
    if (block.every((byte) => byte === 0)) break
    const header = parseHeader(block, input.position())
    if (header.type === 'x' || header.type === 'g' || header.type === 'L' || header.type === 'K') {
      if (header.size > META_MAX_BYTES) throw new ArchiveError('nameLong')
      const content = await input.read(padded(header.size))
      if (content.length < padded(header.size)) throw new ArchiveError('cutOff')
      const text = content.subarray(0, header.size)
      if (header.type === 'L') long = merged(long, { path: cString(text) })
      else if (header.type === 'K') long = merged(long, { target: cString(text) })
      else if (header.type === 'x') long = merged(long, parsePax(text))
      continue
    }
    const entry = { ...header, ...long }
    long = {}
    // Others read such a file as a folder, and its content as the next entries.
    if (entry.type === '0' && entry.path.endsWith('/')) {
      if (entry.size > 0) throw new ArchiveError('folderContent')
      entry.type = '5'
    }
    // Only files have content; others may state a size by mistake.
    if (entry.type !== '0') entry.size = 0
    let left = entry.size
    async function* content(): AsyncGenerator<Uint8Array> {
      while (left > 0) {
        const part = await input.some(left)
        left -= part.length
        yield part
      }
    }
    yield { ...entry, content: content() }
    await input.skip(left + padded(entry.size) - entry.size)
  }
  // What follows the end is not read as entries, but must be read so that hashes cover it.
  await input.drain()
}

/** What precedes a header in entries of their own. */
interface Extended {
  path?: string
  target?: string
  size?: number
}

/** Programs disagree on which of two names counts. */
function merged(before: Extended, more: Extended): Extended {
  if (Object.keys(more).some((key) => key in before)) throw new ArchiveError('entryTwice')
  return { ...before, ...more }
}

const padded = (size: number): number => Math.ceil(size / BLOCK) * BLOCK

function parseHeader(block: Buffer, offset: number): Omit<TarHeader, 'content'> {
  let sum = 0
  for (let index = 0; index < BLOCK; index++) sum += index >= 148 && index < 156 ? 32 : (block[index] as number)
  if (sum !== Number.parseInt(field(block, 148, 8).trim(), 8)) throw new ArchiveError('noTar')
  const isUstar = block.toString('latin1', 257, 263) === 'ustar\0'
  // Old star has a shorter prefix.
  if (isUstar && block.toString('latin1', 508, 512) === 'tar\0') throw new ArchiveError('oldFormat')
  const prefix = isUstar ? field(block, 345, 155) : ''
  const name = field(block, 0, 100)
  const type = block[156] === 0 ? '0' : String.fromCharCode(block[156] as number)
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    type: type === '7' ? '0' : type,
    size: parseSize(block.subarray(124, 136)),
    target: field(block, 157, 100),
    offset,
  }
}

const field = (block: Buffer, start: number, length: number): string => cString(block.subarray(start, start + length))

const cString = (bytes: Buffer): string => {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end)
}

/** Octal, or binary for 8 GiB and more. */
function parseSize(bytes: Buffer): number {
  const binary = ((bytes[0] as number) & 0x80) !== 0
  const size = binary ? Number(bytes.readBigUInt64BE(4)) : Number.parseInt(cString(bytes).trim() || '0', 8)
  if (!Number.isSafeInteger(size) || size < 0 || (binary && bytes.subarray(1, 4).some((byte) => byte !== 0)))
    throw new ArchiveError('size')
  return size
}

function parsePax(text: Buffer): Extended {
  const found: Extended = {}
  for (let start = 0; start < text.length; ) {
    const space = text.indexOf(32, start)
    const length = Number(text.toString('latin1', start, space < 0 ? start : space))
    if (!Number.isInteger(length) || length <= 0 || start + length > text.length) throw new ArchiveError('pax')
    const record = text.toString('utf8', space + 1, start + length - 1)
    const equals = record.indexOf('=')
    const [key, value] = [record.slice(0, equals), record.slice(equals + 1)]
    start += length
    // An empty value leaves that of the header.
    if (value === '') continue
    if (key === 'path') found.path = value
    else if (key === 'linkpath') found.target = value
    else if (key === 'size') {
      found.size = Number(value)
      if (!/^\d{1,15}$/.test(value)) throw new ArchiveError('size')
    } else if (key.startsWith('GNU.sparse')) throw new ArchiveError('sparse')
  }
  return found
}

/** Reads exact numbers of bytes from chunks of any size. */
function bytesOf(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  let position = 0
  async function pull(): Promise<boolean> {
    const { done, value } = await iterator.next()
    if (done) return false
    rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    return true
  }
  return {
    position: () => position,
    /** Fewer bytes at the end. */
    async read(length: number): Promise<Buffer> {
      const parts: Buffer[] = []
      let missing = length
      while (missing > 0) {
        if (rest.length === 0 && !(await pull())) break
        const part = rest.subarray(0, missing)
        parts.push(part)
        rest = rest.subarray(part.length)
        missing -= part.length
      }
      position += length - missing
      return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
    },
    /** At least one byte. */
    async some(max: number): Promise<Buffer> {
      if (rest.length === 0 && !(await pull())) throw new ArchiveError('cutOff')
      const part = rest.subarray(0, max)
      rest = rest.subarray(part.length)
      position += part.length
      return part
    },
    async skip(length: number): Promise<void> {
      let missing = length
      while (missing > 0) {
        if (rest.length === 0 && !(await pull())) throw new ArchiveError('cutOff')
        const part = Math.min(missing, rest.length)
        rest = rest.subarray(part)
        missing -= part
      }
      position += length
    },
    async drain(): Promise<void> {
      while (await pull());
      rest = Buffer.alloc(0)
    },
  }
}
