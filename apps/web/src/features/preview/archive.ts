import { decode, guessEncoding } from './decode.ts'

/** An entry of a zip or tar, as the archive describes it. */
export interface ArchiveEntry {
  /** As written in the archive; may be hostile, so it is only shown. */
  name: string
  folder: boolean
  /** Unpacked bytes, as declared. */
  size: number
  encrypted?: boolean
}

export interface ArchiveListing {
  entries: ArchiveEntry[]
  /** There are more entries than were read. */
  cut: boolean
}

/** Reads the bytes [start, end) of a file. */
export type ReadPart = (start: number, end: number) => Promise<Uint8Array>

/** The file is not the archive that its name says, or it is damaged. */
export class NotAnArchive extends Error {}

export const ENTRIES_MAX = 50_000
/** Bytes of the directory of a zip, and bytes read or unpacked to list a tar. */
const DIRECTORY_MAX = 32 << 20
const TAR_READ_MAX = 64 << 20
const UNPACKED_MAX = 256 << 20
/** Bytes per read of a tar: small files are skipped without another request. */
const WINDOW = 256 << 10

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Lists a zip from the directory at its end (APPNOTE 6.3, zip64 included). Unpacks nothing. @throws NotAnArchive */
export async function listZip(size: number, read: ReadPart): Promise<ArchiveListing> {
  // The last record has 22 bytes and a comment of up to 65,535.
  const tailStart = Math.max(0, size - 22 - 65_535 - 20)
  const tail = await read(tailStart, size)
  const at = findEnd(tail)
  const last = view(tail)
  let count = last.getUint16(at + 10, true)
  let length = last.getUint32(at + 12, true)
  let start = last.getUint32(at + 16, true)
  if (count === 0xffff || length === 0xffffffff || start === 0xffffffff) {
    if (at < 20 || last.getUint32(at - 20, true) !== 0x07064b50) throw new NotAnArchive('no zip64 locator')
    const record = number(last.getBigUint64(at - 12, true))
    if (record + 56 > size) throw new NotAnArchive('the zip64 record is outside the file')
    const end = view(await read(record, record + 56))
    if (end.getUint32(0, true) !== 0x06064b50) throw new NotAnArchive('no zip64 record')
    count = number(end.getBigUint64(32, true))
    length = number(end.getBigUint64(40, true))
    start = number(end.getBigUint64(48, true))
  }
  if (start + length > size || count * 46 > length) throw new NotAnArchive('the directory is outside the file')
  const bytes = await read(start, start + Math.min(length, DIRECTORY_MAX))
  const entries = entriesOfZip(bytes, Math.min(count, ENTRIES_MAX), length > bytes.length)
  return { entries, cut: entries.length < count }
}

/** The place of the record that ends a zip. */
function findEnd(tail: Uint8Array): number {
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail[at] !== 0x50 || tail[at + 1] !== 0x4b || tail[at + 2] !== 5 || tail[at + 3] !== 6) continue
    if (at + 22 + view(tail).getUint16(at + 20, true) <= tail.length) return at
  }
  throw new NotAnArchive('no end of the directory')
}

/** @param cut the directory continues after these bytes */
function entriesOfZip(bytes: Uint8Array, count: number, cut: boolean): ArchiveEntry[] {
  const data = view(bytes)
  const entries: ArchiveEntry[] = []
  let at = 0
  while (entries.length < count) {
    if (at + 46 > bytes.length) break
    if (data.getUint32(at, true) !== 0x02014b50) throw new NotAnArchive('no entry where one should be')
    const flags = data.getUint16(at + 8, true)
    const nameEnd = at + 46 + data.getUint16(at + 28, true)
    const extraEnd = nameEnd + data.getUint16(at + 30, true)
    if (extraEnd > bytes.length) break
    const raw = bytes.subarray(at + 46, nameEnd)
    const name = decode(raw, flags & 0x800 ? 'utf-8' : guessEncoding(raw))
    const declared = data.getUint32(at + 24, true)
    const size = declared === 0xffffffff ? zip64Size(bytes.subarray(nameEnd, extraEnd)) : declared
    entries.push({ name, folder: /[/\\]$/.test(name), size, encrypted: (flags & 1) !== 0 })
    at = extraEnd + data.getUint16(at + 32, true)
  }
  if (entries.length < count && !cut) throw new NotAnArchive('the directory ends too early')
  return entries
}

/** The unpacked size in the zip64 extra field, which has it first. */
function zip64Size(extra: Uint8Array): number {
  const data = view(extra)
  for (let at = 0; at + 4 <= extra.length; at += 4 + data.getUint16(at + 2, true))
    if (data.getUint16(at, true) === 1 && at + 12 <= extra.length) return number(data.getBigUint64(at + 4, true))
  throw new NotAnArchive('a size is missing')
}

function number(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new NotAnArchive('a number is too large')
  return Number(value)
}

/** Bytes of a tar in order; `skip` need not read what it skips. */
interface TarInput {
  /** The next bytes, fewer at the end. */
  take(length: number): Promise<Uint8Array>
  skip(length: number): Promise<void>
  /** Whether more was read than a preview may. */
  spent(): boolean
}

/** Lists a tar from the headers of its entries, without reading large files in it. @throws NotAnArchive */
export function listTar(size: number, read: ReadPart): Promise<ArchiveListing> {
  let at = 0
  let window = { start: 0, bytes: new Uint8Array(0) }
  let loaded = 0
  return readTar({
    async take(length) {
      // The last file is cut off.
      if (at >= size) return new Uint8Array(0)
      const end = Math.min(at + length, size)
      if (at < window.start || end > window.start + window.bytes.length) {
        const bytes = await read(at, Math.min(size, Math.max(end, at + WINDOW)))
        loaded += bytes.length
        window = { start: at, bytes: bytes as Uint8Array<ArrayBuffer> }
      }
      const taken = window.bytes.subarray(at - window.start, end - window.start)
      at = end
      return taken
    },
    async skip(length) {
      at += length
    },
    spent: () => loaded > TAR_READ_MAX,
  })
}

/** Lists a compressed tar by unpacking it from the start, up to a limit. @throws NotAnArchive */
export async function listTarGz(size: number, read: ReadPart): Promise<ArchiveListing> {
  let at = 0
  let unpacked = 0
  let unread: unknown
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const end = Math.min(size, at + WINDOW)
      const part = await read(at, end).catch((error: unknown) => {
        unread = error
        throw error
      })
      if (at < end) controller.enqueue(part as Uint8Array<ArrayBuffer>)
      at = end
      if (at >= size) controller.close()
    },
  })
  const reader = packed.pipeThrough(new DecompressionStream('gzip')).getReader()
  let rest = new Uint8Array(0)
  const next = async (): Promise<boolean> => {
    const { done, value } = await reader.read().catch((error: unknown) => {
      // Other errors are those of decompression.
      throw unread ?? new NotAnArchive('not compressed with gzip', { cause: error })
    })
    if (done) return false
    unpacked += value.length
    rest = value as Uint8Array<ArrayBuffer>
    return true
  }
  try {
    return await readTar({
      async take(length) {
        const bytes = new Uint8Array(length)
        let filled = 0
        while (filled < length) {
          if (rest.length === 0 && !(await next())) break
          const part = rest.subarray(0, length - filled)
          bytes.set(part, filled)
          filled += part.length
          rest = rest.subarray(part.length)
        }
        return bytes.subarray(0, filled)
      },
      async skip(length) {
        let left = length
        while (left > 0 && unpacked <= UNPACKED_MAX) {
          if (rest.length === 0 && !(await next())) return
          const part = Math.min(rest.length, left)
          rest = rest.subarray(part)
          left -= part
        }
      },
      spent: () => unpacked > UNPACKED_MAX || at > TAR_READ_MAX,
    })
  } finally {
    await reader.cancel().catch(() => {})
  }
}

const BLOCK = 512
/** Bytes of a long name or of extended attributes. */
const NAME_MAX = 64 << 10

async function readTar(input: TarInput): Promise<ArchiveListing> {
  const entries: ArchiveEntry[] = []
  let named: { name?: string; size?: number } = {}
  for (;;) {
    if (entries.length >= ENTRIES_MAX || input.spent()) return { entries, cut: true }
    const header = await input.take(BLOCK)
    if (input.spent()) return { entries, cut: true }
    if (header.length < BLOCK) {
      // Some programs leave out the zeros at the end.
      if (entries.length === 0) throw new NotAnArchive('no header')
      return { entries, cut: false }
    }
    if (header.every((byte) => byte === 0)) return { entries, cut: false }
    if (!isChecked(header)) throw new NotAnArchive('a header with a wrong checksum')
    const type = String.fromCharCode(header[156] ?? 0)
    const size = named.size ?? numberOf(header.subarray(124, 136))
    const padded = Math.ceil(size / BLOCK) * BLOCK
    if (type === 'x' || type === 'g' || type === 'L' || type === 'K') {
      if (size > NAME_MAX) throw new NotAnArchive('attributes of too many bytes')
      const body = (await input.take(padded)).subarray(0, size)
      if (type === 'x') named = { ...named, ...attributesOf(body) }
      if (type === 'L') named = { ...named, name: textOf(body) }
      continue
    }
    const folder = type === '5'
    const prefix = textOf(header.subarray(257, 262)) === 'ustar' ? textOf(header.subarray(345, 500)) : ''
    const short = textOf(header.subarray(0, 100))
    const name = named.name ?? (prefix === '' ? short : `${prefix}/${short}`)
    entries.push({ name, folder: folder || name.endsWith('/'), size: folder ? 0 : size })
    named = {}
    await input.skip(padded)
  }
}

/** Whether the sum of a header is right: of its bytes, with spaces in place of the sum. */
function isChecked(header: Uint8Array): boolean {
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  return sum === Number.parseInt(textOf(header.subarray(148, 156)).trim(), 8)
}

/** Octal digits, or base 256 for sizes of 8 GiB and more. */
function numberOf(field: Uint8Array): number {
  const first = field[0] ?? 0
  const value =
    first & 0x80
      ? field.subarray(1).reduce((total, byte) => total * 256 + byte, first & 0x7f)
      : Number.parseInt(textOf(field).trim() || '0', 8)
  if (!Number.isSafeInteger(value) || value < 0) throw new NotAnArchive('a number is too large')
  return value
}

function textOf(field: Uint8Array): string {
  const end = field.indexOf(0)
  const bytes = end < 0 ? field : field.subarray(0, end)
  return decode(bytes, guessEncoding(bytes))
}

/** Name and size of PAX attributes: lines of `length key=value`. */
function attributesOf(body: Uint8Array): { name?: string; size?: number } {
  const found: { name?: string; size?: number } = {}
  for (let at = 0; at < body.length; ) {
    const length = Number.parseInt(new TextDecoder('latin1').decode(body.subarray(at, at + 12)), 10)
    if (!(length > 4)) break
    const line = new TextDecoder().decode(body.subarray(at, at + length - 1))
    const [, key, value = ''] = /^\d+ ([^=]+)=([\s\S]*)$/.exec(line) ?? []
    if (key === 'path') found.name = value
    if (key === 'size' && /^\d{1,15}$/.test(value)) found.size = Number(value)
    at += length
  }
  return found
}

/** How to list an archive of this name. */
export function listerOf(name: string): (size: number, read: ReadPart) => Promise<ArchiveListing> {
  if (/\.tar$/i.test(name)) return listTar
  return /\.(tgz|tar\.gz)$/i.test(name) ? listTarGz : listZip
}
