import { type Cid, MAX_BLOCK_SIZE } from './cid.ts'
import { isFile, readBlock } from './dag.ts'
import { ContentError } from './errors.ts'
import { catNode, type DirectoryEntry, listNode } from './graph.ts'
import { checkName } from './names.ts'
import { type ByteSource, piecesOf } from './pieces.ts'
import { isZeroRecord, RECORD, readTarHeader, tarHeader, tarPadding } from './tar-header.ts'
import type { GetBlock } from './verify.ts'

const MAX_DEPTH = 256

/**
 * A file or folder as a tar stream whose top entry is `name`. The same root always gives the same bytes: entries in the order of
 * the directory's links, time 0, no owner, modes 644 and 755. Memory: one block and the open directories.
 * Throws ContentError 'bad-dag' (malformed nodes, symlinks, names such as `..`), 'bad-path' for `name`, and what `getBlock` throws.
 */
export async function* tarFolder(
  root: Cid,
  name: string,
  getBlock: GetBlock,
  options: { signal?: AbortSignal } = {},
): AsyncIterable<Uint8Array> {
  const { signal } = options
  checkName(name)
  const open: { path: string; entries: AsyncIterator<DirectoryEntry> }[] = []

  async function* write(cid: Cid, path: string): AsyncIterable<Uint8Array> {
    signal?.throwIfAborted()
    const { node } = await readBlock(cid, getBlock)
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
      throw new ContentError('bad-dag', 'a folder holds a name that is not one', { cause: error })
    }
    yield* write(next.value.cid, folder.path + next.value.name)
  }
  yield new Uint8Array(2 * RECORD)
}

/** An entry of a tar; `body` is read before the next entry is asked for, what is left of it is passed over. */
export interface TarEntry {
  /** As it stands in the archive; folders end in a slash. Nothing is checked: see `checkName` before writing to a disk. */
  name: string
  kind: 'file' | 'directory' | 'other'
  size: number
  body: AsyncIterable<Uint8Array>
}

/** Reads ustar, pax and GNU long names as the stream arrives. Throws ContentError 'bad-tar'. */
export async function* readTar(source: ByteSource): AsyncIterable<TarEntry> {
  const input = createInput(piecesOf(() => source))
  let attributes = new Map<string, string>()
  try {
    for (let header = await input.record(); header; header = await input.record()) {
      if (isZeroRecord(header)) return
      const { type, ...fields } = readTarHeader(header)
      if (type === 'x' || type === 'L' || type === 'g' || type === 'K') {
        const text = await input.text(fields.size)
        if (type === 'x') attributes = readAttributes(text)
        else if (type === 'L') attributes.set('path', text.replace(/\0.*$/s, ''))
        continue
      }
      const name = attributes.get('path') ?? fields.name
      const size = sizeOf(attributes.get('size')) ?? fields.size
      attributes = new Map()
      const body = input.body(size)
      const kind = type === '5' ? 'directory' : type === '0' || type === '\0' || type === '7' ? 'file' : 'other'
      yield { name, kind, size, body }
      for await (const _ of body);
    }
    throw new ContentError('bad-tar', 'the archive is cut off')
  } finally {
    await input.close()
  }
}

function sizeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new ContentError('bad-tar', 'an entry of no known size')
  return Number(text)
}

/** `LENGTH KEY=VALUE\n`, the length counting itself, in bytes. */
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

function createInput(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]()
  let piece = new Uint8Array(0)
  let open = true

  /** Up to `most` bytes, at least one; throws when the stream ends first. */
  async function some(most: number): Promise<Uint8Array> {
    while (piece.length === 0) {
      const next = await iterator.next()
      if (next.done) {
        open = false
        throw new ContentError('bad-tar', 'the archive is cut off')
      }
      piece = next.value as Uint8Array<ArrayBuffer>
    }
    const part = piece.subarray(0, most)
    piece = piece.subarray(part.length)
    return part
  }

  async function exactly(size: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(size)
    for (let filled = 0; filled < size; ) {
      const part = await some(size - filled)
      bytes.set(part, filled)
      filled += part.length
    }
    return bytes
  }

  return {
    record: (): Promise<Uint8Array> => exactly(RECORD),
    async text(size: number): Promise<string> {
      if (size > MAX_BLOCK_SIZE) throw new ContentError('bad-tar', 'attributes are too large')
      const bytes = await exactly(size)
      await exactly(tarPadding(size).length)
      return new TextDecoder().decode(bytes)
    },
    /** The bytes of an entry, once; iterating again goes on where it was left. */
    body(size: number): AsyncIterable<Uint8Array> {
      let left = size
      let padded = false
      const parts = {
        async next(): Promise<IteratorResult<Uint8Array, undefined>> {
          if (left > 0) {
            const value = await some(left)
            left -= value.length
            return { done: false, value }
          }
          if (!padded) await exactly(tarPadding(size).length)
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
