import { concat } from './concat.ts'
import { crc32 } from './crc32.ts'

/** Sizes, offsets and counts from which ZIP64 fields are needed. */
const MAX_32 = 0xffff_ffff
const MAX_16 = 0xffff
/** Bits of the flags: a data descriptor follows the contents; the name is UTF-8. */
const DESCRIPTOR = 1 << 3
const UTF8 = 1 << 11
/** 1 January 1980, the earliest date that ZIP knows: dates are unknown here. */
const DATE = (1 << 5) | 1
/** Version 4.5 has ZIP64. */
const VERSION = 45
const UNIX = 3 << 8

const encoder = new TextEncoder()

/**
 * Writes a ZIP as a stream: entries are stored without compression, so its size is known and nothing has to be held. For each entry, write
 * what `folder` or `file` returns, then the contents, passing each piece to `add`, then what `endFile` returns; at the end what `end` yields.
 */
export interface ZipWriter {
  /** The header of a folder; its path has no `/` at the end. */
  folder(path: string): Uint8Array
  /** The header of a file. @param whole its contents, if they are in memory: then readers that do not seek can read the entry too */
  file(path: string, size: number, whole?: Uint8Array): Uint8Array
  add(piece: Uint8Array): void
  /** @throws Error if the contents do not have the size that was announced */
  endFile(): Uint8Array
  /** The list of entries. */
  end(): Generator<Uint8Array, void>
}

interface Entry {
  name: Uint8Array
  isFolder: boolean
  flags: number
  crc: number
  size: number
  /** Of its header in the archive. */
  offset: number
}

export function createZip(): ZipWriter {
  /** The list of entries: parts of about 64 KiB, because a ZIP can contain a million entries. */
  const listed: Uint8Array[] = []
  let [part, partSize, count, listSize, offset]: [Uint8Array[], number, number, number, number] = [[], 0, 0, 0, 0]
  let open: Entry | undefined
  let received = 0

  const begin = (path: string, entry: Omit<Entry, 'name' | 'offset'>): Uint8Array => {
    const name = encoder.encode(path)
    if (name.length > MAX_16) throw new Error('the path is too long for a ZIP')
    open = { ...entry, name, offset }
    received = 0
    const header = localHeader(open)
    offset += header.length
    return header
  }
  const list = (entry: Entry) => {
    const record = listRecord(entry)
    part.push(record)
    partSize += record.length
    listSize += record.length
    count += 1
    if (partSize < 1 << 16) return
    listed.push(concat(part))
    part = []
    partSize = 0
  }

  return {
    folder(path) {
      const header = begin(`${path}/`, { isFolder: true, flags: UTF8, crc: 0, size: 0 })
      list(open as Entry)
      open = undefined
      return header
    },
    file: (path, size, whole) =>
      begin(path, {
        isFolder: false,
        flags: whole ? UTF8 : UTF8 | DESCRIPTOR,
        crc: whole ? crc32(whole) : 0,
        size,
      }),
    add(piece) {
      if (!open) throw new Error('no file was begun')
      received += piece.length
      if (open.flags & DESCRIPTOR) open.crc = crc32(piece, open.crc)
    },
    endFile() {
      if (!open) throw new Error('no file was begun')
      if (received !== open.size) throw new Error('the contents do not have the announced size')
      const after = open.flags & DESCRIPTOR ? descriptor(open) : new Uint8Array(0)
      offset += received + after.length
      list(open)
      open = undefined
      return after
    },
    *end() {
      const from = offset
      for (const records of [...listed, ...part]) yield records
      yield endRecords({ count, size: listSize, from })
    },
  }
}

const isLarge = ({ size }: Entry): boolean => size >= MAX_32

/** The header before the contents. If a data descriptor follows, it has checksum and sizes. */
function localHeader(entry: Entry): Uint8Array {
  const follows = (entry.flags & DESCRIPTOR) !== 0
  const size = follows ? 0 : entry.size
  const extra = isLarge(entry) ? fields([2, 1], [2, 16], [8, size], [8, size]) : new Uint8Array(0)
  const shown = isLarge(entry) ? MAX_32 : size
  return concat([
    fields(
      [4, 0x0403_4b50],
      [2, VERSION],
      [2, entry.flags],
      [2, 0],
      [2, 0],
      [2, DATE],
      [4, follows ? 0 : entry.crc],
      [4, shown],
      [4, shown],
      [2, entry.name.length],
      [2, extra.length],
    ),
    entry.name,
    extra,
  ])
}

/** Checksum and sizes after the contents. */
function descriptor(entry: Entry): Uint8Array {
  const width = isLarge(entry) ? 8 : 4
  return fields([4, 0x0807_4b50], [4, entry.crc], [width, entry.size], [width, entry.size])
}

/** The entry in the list at the end. */
function listRecord(entry: Entry): Uint8Array {
  const far = entry.offset >= MAX_32
  const large = isLarge(entry)
  const values: [number, number][] = [
    ...(large ? ([8, 8] as const).map((width): [number, number] => [width, entry.size]) : []),
    ...(far ? [[8, entry.offset] as [number, number]] : []),
  ]
  const extra = values.length > 0 ? fields([2, 1], [2, values.length * 8], ...values) : new Uint8Array(0)
  const mode = entry.isFolder ? 0o40755 : 0o100644
  return concat([
    fields(
      [4, 0x0201_4b50],
      [2, UNIX | VERSION],
      [2, VERSION],
      [2, entry.flags],
      [2, 0],
      [2, 0],
      [2, DATE],
      [4, entry.crc],
      [4, large ? MAX_32 : entry.size],
      [4, large ? MAX_32 : entry.size],
      [2, entry.name.length],
      [2, extra.length],
      [2, 0],
      [2, 0],
      [2, 0],
      // 0x10 marks a folder for Windows.
      [4, mode * 0x1_0000 + (entry.isFolder ? 0x10 : 0)],
      [4, far ? MAX_32 : entry.offset],
    ),
    entry.name,
    extra,
  ])
}

/** The end of the archive, which says where the list of entries is. */
function endRecords({ count, size, from }: { count: number; size: number; from: number }): Uint8Array {
  const large = count >= MAX_16 || size >= MAX_32 || from >= MAX_32
  const large64 = fields(
    [4, 0x0606_4b50],
    [8, 44],
    [2, UNIX | VERSION],
    [2, VERSION],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, size],
    [8, from],
    // Where this record is.
    [4, 0x0706_4b50],
    [4, 0],
    [8, from + size],
    [4, 1],
  )
  const end = fields(
    [4, 0x0605_4b50],
    [2, 0],
    [2, 0],
    [2, Math.min(count, MAX_16)],
    [2, Math.min(count, MAX_16)],
    [4, Math.min(size, MAX_32)],
    [4, Math.min(from, MAX_32)],
    [2, 0],
  )
  return large ? concat([large64, end]) : end
}

/** Little-endian numbers of 2, 4 or 8 bytes. */
function fields(...values: readonly (readonly [width: number, value: number])[]): Uint8Array {
  const bytes = new Uint8Array(values.reduce((sum, [width]) => sum + width, 0))
  let at = 0
  for (const [width, value] of values) {
    let rest = value
    for (let byte = 0; byte < width; byte++, rest = Math.floor(rest / 256)) bytes[at + byte] = rest % 256
    at += width
  }
  return bytes
}
