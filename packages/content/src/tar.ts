import { type Cid, MAX_BLOCK_SIZE, sameBytes } from './cid.ts'
import { concat } from './concat.ts'
import { isFile, readBlock } from './dag.ts'
import { ContentError } from './errors.ts'
import { catNode, type DirectoryEntry, listNode } from './graph.ts'
import { checkName, MAX_FOLDER_ENTRIES, MAX_NAME_SIZE, MAX_SEGMENTS } from './names.ts'
import { type ByteSource, piecesOf } from './pieces.ts'
import { isZeroRecord, RECORD, readTarHeader, tarHeader, tarPadding } from './tar-header.ts'
import type { GetBlock } from './verify.ts'

const MAX_DEPTH = 256
/** Minimum bytes of a directory link: the declared size of a folder must cover this for each entry. */
export const LINK_BYTES = 40
/** In exact mode, longer attributes than the longest path needs are refused. */
const MAX_EXACT_TEXT = (MAX_SEGMENTS + 1) * (MAX_NAME_SIZE + 1) + 1024

export interface TarOptions {
  signal?: AbortSignal
  /** Most files and folders. Default MAX_FOLDER_ENTRIES. */
  maxEntries?: number
  /** Most bytes of all files and links together, since a folder may repeat the same entry without end. Default: no limit. */
  maxBytes?: number
}

/**
 * A file or folder as a tar stream whose top entry is `name`. The same root always produces the same bytes: entries in link order, time 0,
 * no owner, modes 644 and 755. Memory: one block and the open directories. Throws ContentError 'bad-dag' (malformed nodes, symlinks, names
 * such as `..`), 'bad-path' for `name`, 'too-large' beyond the limits, and errors of `getBlock`.
 */
export async function* tarFolder(
  root: Cid,
  name: string,
  getBlock: GetBlock,
  options: TarOptions = {},
): AsyncIterable<Uint8Array> {
  const { signal } = options
  checkName(name)
  const count = folderLimits(options)
  const open: { path: string; entries: AsyncIterator<DirectoryEntry> }[] = []

  async function* write(cid: Cid, path: string): AsyncIterable<Uint8Array> {
    signal?.throwIfAborted()
    const { node } = await readBlock(cid, getBlock)
    count(isFile(node) ? node.fileSize : 0)
    if (isFile(node)) {
      yield tarHeader({ name: path, kind: 'file', size: node.fileSize })
      yield* catNode(node, getBlock, { signal })
      yield tarPadding(node.fileSize)
      return
    }
    if (open.length >= MAX_DEPTH) throw new ContentError('bad-dag', 'the folder is too deep')
    open.push({ path: `${path}/`, entries: listNode(node, getBlock, signal)[Symbol.asyncIterator]() })
    yield tarHeader({ name: `${path}/`, kind: 'directory', size: 0 })
  }

  yield* write(root, name)
  for (let folder = open[open.length - 1]; folder; folder = open[open.length - 1]) {
    const next = await folder.entries.next()
    if (next.done) {
      open.pop()
      continue
    }
    try {
      checkName(next.value.name)
    } catch (error) {
      throw new ContentError('bad-dag', 'a folder contains an invalid name', { cause: error })
    }
    yield* write(next.value.cid, folder.path + next.value.name)
  }
  yield new Uint8Array(2 * RECORD)
}

/** Counts the entries of a folder; throws ContentError 'too-large' above the limits. */
export function folderLimits(limits: Pick<TarOptions, 'maxEntries' | 'maxBytes'> = {}): (size: number) => void {
  const { maxEntries = MAX_FOLDER_ENTRIES, maxBytes = Number.POSITIVE_INFINITY } = limits
  let entries = 0
  let bytes = 0
  return (size) => {
    // The top folder has no link.
    bytes += size + (entries++ === 0 ? 0 : LINK_BYTES)
    if (entries - 1 > maxEntries) throw new ContentError('too-large', `a folder of more than ${maxEntries} entries`)
    if (bytes > maxBytes)
      throw new ContentError('too-large', `a folder of more than the ${maxBytes} bytes that it declares`)
  }
}

/** An entry of a tar. Read `body` before requesting the next entry; the unread rest is skipped. */
export interface TarEntry {
  /** The name in the archive; folders have a trailing slash. Not validated: see `checkName` before writing to disk. */
  name: string
  kind: 'file' | 'directory' | 'other'
  size: number
  body: AsyncIterable<Uint8Array>
}

export interface ReadTarOptions {
  /**
   * Accepts only the exact bytes that `tarFolder` writes: its headers, zero padding, and two zero records at the end of the stream. The
   * entries then determine every byte. Default: any tar.
   */
  exact?: boolean
}

/**
 * Reads ustar, pax and GNU long names from a stream. Reads to the end of the stream, so that a caller that passes the bytes on gets all of
 * them. Throws ContentError 'bad-tar'.
 */
export async function* readTar(source: ByteSource, { exact = false }: ReadTarOptions = {}): AsyncIterable<TarEntry> {
  const input = createInput(
    piecesOf(() => source),
    exact,
  )
  let attributes = new Map<string, string>()
  /** Raw header bytes since the last entry. */
  let raw: Uint8Array[] = []
  try {
    for (;;) {
      const header = await input.record()
      if (isZeroRecord(header)) {
        if (exact && (raw.length > 0 || !isZeroRecord(await input.record()))) throw notCanonical()
        await input.end()
        return
      }
      const { type, ...fields } = readTarHeader(header)
      if (exact) raw.push(header)
      if (type === 'x' || type === 'L' || type === 'g' || type === 'K') {
        if (exact && (type !== 'x' || raw.length > 1)) throw notCanonical()
        const record = await input.text(fields.size)
        if (exact) raw.push(record)
        const text = new TextDecoder().decode(record.subarray(0, fields.size))
        if (type === 'x') attributes = readAttributes(text)
        else if (type === 'L') attributes.set('path', text.replace(/\0.*$/s, ''))
        continue
      }
      const name = attributes.get('path') ?? fields.name
      const size = sizeOf(attributes.get('size')) ?? fields.size
      attributes = new Map()
      const body = input.body(size)
      const kind = type === '5' ? 'directory' : type === '0' || type === '\0' || type === '7' ? 'file' : 'other'
      if (exact && (kind === 'other' || !sameBytes(concat(raw), tarHeader({ name, kind, size })))) throw notCanonical()
      raw = []
      yield { name, kind, size, body }
      for await (const _ of body);
    }
  } finally {
    await input.close()
  }
}

const notCanonical = (): ContentError => new ContentError('bad-tar', 'not the canonical tar of a folder')

function sizeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new ContentError('bad-tar', 'an entry with an invalid size')
  return Number(text)
}

/** `LENGTH KEY=VALUE\n`; the length includes itself, in bytes. */
function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>()
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; ) {
    const head = /^(\d{1,10}) /.exec(new TextDecoder('latin1').decode(bytes.subarray(at, at + 12)))
    const length = Number(head?.[1])
    if (!head || length <= head[0].length || at + length > bytes.length) {
      throw new ContentError('bad-tar', 'malformed attributes')
    }
    const pair = new TextDecoder().decode(bytes.subarray(at + head[0].length, at + length - 1))
    const equals = pair.indexOf('=')
    if (equals < 0) throw new ContentError('bad-tar', 'malformed attributes')
    attributes.set(pair.slice(0, equals), pair.slice(equals + 1))
    at += length
  }
  return attributes
}

function createInput(source: AsyncIterable<Uint8Array>, exact: boolean) {
  const iterator = source[Symbol.asyncIterator]()
  let piece = new Uint8Array(0)
  let open = true

  /** Between one and `most` bytes; throws at the end of the stream. */
  async function readSome(most: number): Promise<Uint8Array> {
    while (piece.length === 0) {
      const next = await iterator.next()
      if (next.done) {
        open = false
        throw new ContentError('bad-tar', 'the archive is truncated')
      }
      piece = next.value as Uint8Array<ArrayBuffer>
    }
    const part = piece.subarray(0, most)
    piece = piece.subarray(part.length)
    return part
  }

  async function readExactly(size: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(size)
    for (let filled = 0; filled < size; ) {
      const part = await readSome(size - filled)
      bytes.set(part, filled)
      filled += part.length
    }
    return bytes
  }

  async function padding(size: number): Promise<void> {
    const filling = await readExactly(tarPadding(size).length)
    if (exact && !isZeroRecord(filling)) throw notCanonical()
  }

  return {
    record: (): Promise<Uint8Array> => readExactly(RECORD),
    /** Attributes and their padding. */
    async text(size: number): Promise<Uint8Array> {
      if (size > (exact ? MAX_EXACT_TEXT : MAX_BLOCK_SIZE)) {
        throw new ContentError('bad-tar', 'attributes are too large')
      }
      return readExactly(size + tarPadding(size).length)
    },
    /** Reads to the end of the stream. */
    async end(): Promise<void> {
      let more = piece.length > 0
      piece = new Uint8Array(0)
      for (;;) {
        if (more && exact) throw notCanonical()
        const next = await iterator.next()
        if (next.done) break
        more = next.value.length > 0
      }
      open = false
    },
    /** The bytes of an entry; a second iteration continues where the first stopped. */
    body(size: number): AsyncIterable<Uint8Array> {
      let left = size
      let padded = false
      const parts = {
        async next(): Promise<IteratorResult<Uint8Array, undefined>> {
          if (left > 0) {
            const value = await readSome(left)
            left -= value.length
            return { done: false, value }
          }
          if (!padded) await padding(size)
          padded = true
          return { done: true, value: undefined }
        },
      }
      return { [Symbol.asyncIterator]: () => parts }
    },
    async close(): Promise<void> {
      if (open) await iterator.return?.()
      open = false
    },
  }
}
