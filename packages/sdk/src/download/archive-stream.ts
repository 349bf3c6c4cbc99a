import { readTar } from '@tidenet/content/tar'
import type { Core } from '../core.ts'
import { type Decryption, openOrKeep } from '../encryption.ts'
import { isSuccess, type Result, Stop, success } from '../result.ts'
import type { ArchiveAccess } from './archive-access.ts'
import { encryptedPath } from './archive-paths.ts'
import type { ArchiveEntry } from './archive-types.ts'
import type { ArchiveWriter } from './archive-writer.ts'
import { startDownload } from './download.ts'
import { pieceQueue } from './ordered-target.ts'

export interface StreamDeps {
  core: Core
  archive: ArchiveWriter
  access: ArchiveAccess
  decrypt: Decryption | undefined
  signal: AbortSignal
}

/**
 * Streams a large file, or the entries of a stored folder's tar, into the archive. Throws Stop.
 * @returns traffic by node; a failure if nothing of it arrived, so that it can be left out
 */
export async function streamEntry(
  { core, archive, access, decrypt, signal }: StreamDeps,
  entry: ArchiveEntry,
  onBytes: () => void,
): Promise<Result<{ node_id: string; bytes: number }[]>> {
  const { outlet, stream, stop } = createPipe()
  const isFolder = entry.assetType === 'folder'
  const task = startDownload(core, {
    assetCid: entry.cid ?? '',
    assetType: isFolder ? 'folder' : 'file',
    ...access.source,
    ...(access.renewTicket && { renewTicket: access.renewTicket }),
    to: { stream },
    name: 'top',
    signal,
  })
  // If the download fails before it opens its target, end the reader, which would otherwise wait for bytes.
  void task.then((result) => {
    if (!isSuccess(result)) stop(new Error(result.msg))
  })
  const pieces = await started(outlet)
  if (!pieces) {
    const result = await task
    if (!isSuccess(result) && !signal.aborted && !isCancelled(result)) return result
  }
  const writing = isFolder
    ? writeFolder(archive, entry.path, pieces ?? outlet, onBytes)
    : writeSealed(core, archive, decrypt, entry, pieces ?? outlet, onBytes)
  // If writing fails, cancel the download, which would otherwise wait for its reader.
  writing.catch(() => void task.cancel())
  const [written, result] = await Promise.allSettled([writing, task])
  if (result.status === 'fulfilled' && !isSuccess(result.value) && !(signal.aborted || isCancelled(result.value)))
    throw new Stop({ ...result.value, msg: `${entry.path}: ${result.value.msg}` })
  if (written.status === 'rejected') throw written.reason
  if (result.status === 'rejected') throw result.reason
  return success(isSuccess(result.value) ? result.value.data.nodes : [], core.api.lang)
}

/** The pieces, once the first has arrived; undefined if there is none. */
async function started(outlet: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array> | undefined> {
  const iterator = outlet[Symbol.asyncIterator]()
  const first = await iterator.next().catch(() => ({ done: true as const, value: undefined }))
  if (first.done) return undefined
  async function* all(piece: Uint8Array) {
    try {
      yield piece
      yield* { [Symbol.asyncIterator]: () => iterator }
    } finally {
      await iterator.return?.()
    }
  }
  return all(first.value)
}

const isCancelled = (result: Result<unknown>): boolean => result.code === 10028

/** A stream with a writable and an async-iterable side. */
function createPipe() {
  const over = pieceQueue()
  const stream = new WritableStream<Uint8Array>({
    write: (piece) => over.write(piece),
    close: () => over.close(),
    abort: (reason) => over.abort(reason instanceof Error ? reason : new Error('stopped')),
  })
  return { outlet: over.pieces, stream, stop: over.abort }
}

/** Streams a large file, decrypted if it is encrypted and the key fits. */
async function writeSealed(
  { platform }: Core,
  archive: ArchiveWriter,
  decrypt: Decryption | undefined,
  { path, size = 0, encrypted }: ArchiveEntry,
  pieces: AsyncIterable<Uint8Array>,
  onBytes: () => void,
): Promise<void> {
  if (!encrypted) return archive.file(path, size, pieces, onBytes)
  if (!decrypt) return archive.file(encryptedPath(path), size, pieces, onBytes)
  const { opened, kept } = await openOrKeep(platform.ciphers, decrypt, pieces)
  if (opened) return archive.file(path, opened.size(size), opened.pieces, onBytes)
  return archive.file(encryptedPath(path), size, kept ?? pieces, onBytes)
}

async function writeFolder(
  archive: ArchiveWriter,
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  onBytes: () => void,
): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]()
  try {
    // The tar reader stops before the last record, so the rest is read here.
    const kept = { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) }
    for await (const { name, kind, size, body } of readTar(kept)) {
      if (kind === 'other') throw new Error('the folder holds something that is neither file nor folder')
      const slash = name.indexOf('/')
      const below = slash < 0 ? '' : name.slice(slash)
      if (kind === 'directory') await archive.folder(`${path}${below}`.replace(/\/$/, ''))
      else await archive.file(`${path}${below || '/'}`, size, body, onBytes)
    }
    while (!(await iterator.next()).done);
  } catch (error) {
    await iterator.return?.()
    throw error
  }
}
