import { createHash, randomBytes } from 'node:crypto'
import { closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fittingIn, SAFE_NAME_SIZE, safeName } from '@tidenet/content/names'
import { type ByteSource, emptyFolder, type PathedSource } from '../bytes.ts'
import { giveTurn } from './give-turn.node.ts'
import type { OpenedPath, Target } from './platform.ts'

const { O_CREAT, O_NOFOLLOW, O_RDWR } = constants

const READ = 1 << 20
/**
 * Up to this size a range is read at once: handing the work to a thread of the pool and back, three times for each file, takes many times
 * longer than the work.
 */
const AT_ONCE = 64 << 10

/** A file on disk, read in pieces of 1 MiB with one read ahead. */
export function fileSource(path: string, name: string, size: number, modified: number): ByteSource {
  return {
    name,
    size,
    modified,
    path,
    async *read(start, end, { transient = false } = {}) {
      if (end <= start) return
      if (end - start <= AT_ONCE) {
        await giveTurn()
        yield readAtOnce(path, start, end - start)
        return
      }
      const file = await open(path, 'r')
      // Reuse two buffers: allocating and collecting one per read takes a third of the upload time.
      const two = transient ? [Buffer.allocUnsafeSlow(READ), Buffer.allocUnsafeSlow(READ)] : []
      let turn = 0
      const readAt = async (position: number, length: number) => {
        const buffer = two[turn++ % 2] ?? Buffer.allocUnsafeSlow(length)
        const { bytesRead } = await file.read(buffer, 0, length, position)
        return buffer.subarray(0, bytesRead)
      }
      let ahead = readAt(start, Math.min(READ, end - start))
      try {
        for (let at = start; at < end; ) {
          const chunk = await ahead
          if (chunk.length === 0) throw new Error('the file has become shorter')
          at += chunk.length
          if (at < end) ahead = readAt(at, Math.min(READ, end - at))
          yield chunk
        }
      } finally {
        await ahead.catch(() => {})
        await file.close()
      }
    },
  }
}

/** Small reads are cut from buffers of 1 MiB: one for each read would have the garbage collector run for a fifth of the time. */
let slab = Buffer.alloc(0)

function allocate(length: number): Buffer {
  if (slab.length < length) slab = Buffer.allocUnsafeSlow(READ)
  const bytes = slab.subarray(0, length)
  slab = slab.subarray(length)
  return bytes
}

function readAtOnce(path: string, start: number, length: number): Buffer {
  const bytes = allocate(length)
  const file = openSync(path, 'r')
  try {
    let filled = 0
    while (filled < length) {
      const count = readSync(file, bytes, filled, length - filled, start + filled)
      if (count === 0) throw new Error('the file has become shorter')
      filled += count
    }
  } finally {
    closeSync(file)
  }
  return bytes
}

/** Opens a path: a file, or a folder whose files are listed lazily. */
export async function openPath(path: string): Promise<OpenedPath> {
  const full = resolve(path)
  const found = await stat(full)
  if (found.isDirectory()) return { kind: 'folder', name: basename(full), files: () => walk(full, '') }
  if (!found.isFile()) throw new Error('neither a file nor a folder')
  return { kind: 'file', source: fileSource(full, basename(full), found.size, Math.round(found.mtimeMs)) }
}

/** Files and empty folders below a folder, sorted by name; links and devices are skipped. */
async function* walk(root: string, below: string): AsyncIterable<PathedSource> {
  const found = await readdir(join(root, below), { withFileTypes: true })
  const entries = found.filter((entry) => entry.isDirectory() || entry.isFile())
  if (entries.length === 0 && below !== '') yield emptyFolder(below)
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) yield* walk(root, path)
    else {
      const full = join(root, path)
      await giveTurn()
      const { size, mtimeMs } = statSync(full)
      yield { path, source: fileSource(full, entry.name, size, Math.round(mtimeMs)) }
    }
  }
}

/** Writes to a temporary file next to the path and renames it on commit. With `keep` the file stays if the download is interrupted. */
export async function openFile(path: string, size: number | undefined, options: { keep: boolean }): Promise<Target> {
  const full = resolve(path)
  const part = join(dirname(full), options.keep ? resumablePart(basename(full)) : temporaryPart(basename(full)))
  // The name of a kept part is predictable: do not follow a symbolic link that somebody else put there.
  const file = await open(part, options.keep ? O_RDWR | O_CREAT | (O_NOFOLLOW ?? 0) : 'wx+')
  const writing = new Set<Promise<void>>()
  let closed = false
  const close = async () => {
    if (closed) return
    closed = true
    await Promise.allSettled(writing)
    await file.close()
  }
  const found = options.keep && (await file.stat()).size > 0
  if (size !== undefined && options.keep) await file.truncate(size)
  return {
    buffersReusable: true,
    write(pieces, position) {
      const flight: Promise<void> = writeAll(file, pieces, position).finally(() => writing.delete(flight))
      writing.add(flight)
      return flight
    },
    ...(found && {
      async read(position: number, length: number) {
        const buffer = Buffer.allocUnsafeSlow(length)
        const { bytesRead } = await file.read(buffer, 0, length, position)
        return buffer.subarray(0, bytesRead)
      },
    }),
    async commit(final) {
      await Promise.all(writing)
      await file.truncate(final)
      await close()
      await rename(part, full)
    },
    async abort() {
      await close()
      if (!options.keep) await rm(part, { force: true })
    },
  }
}

const PART = '.part'

/** A stable name, so that the part is found again. Names that would be too long are shortened and get a hash. */
function resumablePart(name: string): string {
  if (Buffer.byteLength(name) + PART.length <= SAFE_NAME_SIZE) return name + PART
  const mark = `.${createHash('sha256').update(name).digest('hex').slice(0, 12)}${PART}`
  return fittingIn(name, SAFE_NAME_SIZE - mark.length) + mark
}

function temporaryPart(name: string): string {
  const mark = `.${randomBytes(6).toString('hex')}${PART}`
  return `.${fittingIn(name, SAFE_NAME_SIZE - mark.length - 1)}${mark}`
}

async function writeAll(file: FileHandle, pieces: Uint8Array[], position: number): Promise<void> {
  let rest = pieces
  let at = position
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest, at)
    at += bytesWritten
    rest = afterShortWrite(rest, bytesWritten)
  }
}

/** The pieces left after a short write. */
function afterShortWrite(pieces: Uint8Array[], written: number): Uint8Array[] {
  let skip = written
  for (const [index, piece] of pieces.entries()) {
    if (skip < piece.length) return [piece.subarray(skip), ...pieces.slice(index + 1)]
    skip -= piece.length
  }
  return []
}

/** The path, or `name` below it if the path is a folder. Only the base name is used: the name is untrusted. */
export async function filePath(path: string, name: string): Promise<string> {
  const full = resolve(path)
  const found = await stat(full).catch(() => undefined)
  if (!found?.isDirectory()) return full
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are dropped
  const plain = basename(name.replaceAll('\\', '/')).replace(/[\u0000-\u001f\u007f]/g, '')
  return join(full, safeName(plain, 'download'))
}
