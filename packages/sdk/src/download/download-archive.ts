import { concat } from '@tidenet/content/concat'
import { readTar } from '@tidenet/content/tar'
import { MiB } from '@tidenet/contract/constants'
import { type Core, settle } from '../core.ts'
import { type Decryption, openOrKeep } from '../encryption.ts'
import { withLinkedAbort } from '../linked-abort.ts'
import { createSpeedometer, percent, throttled } from '../progress.ts'
import { type Failure, isSuccess, type Result, Stop, success } from '../result.ts'
import { listEntries } from './archive-entries.ts'
import { archivePaths, encryptedPath } from './archive-paths.ts'
import { listShared, withinRateLimit } from './archive-shared.ts'
import type {
  ArchiveEntry,
  ArchiveOptions,
  ArchiveProgress,
  ArchiveTask,
  DownloadedArchive,
  SharedItems,
} from './archive-types.ts'
import { type ArchiveWriter, createArchiveWriter } from './archive-writer.ts'
import { getAddresses, startDownload } from './download.ts'
import { pieceQueue } from './ordered-target.ts'
import { createSequentialWriter } from './sequential-writer.ts'
import { checkTarget, openTarget, targetFailed } from './targets.ts'

/** Files up to this size are fetched completely before their header is written, so that a failed one can be left out. */
const PREFETCH_SIZE_MAX = 4 * MiB
const PREFETCH_COUNT = 3

/** Starts downloading an archive. The task always resolves. */
export function startArchive(
  core: Core,
  options: ArchiveOptions,
  onProgress?: (progress: ArchiveProgress) => void,
): ArchiveTask {
  const stop = new AbortController()
  const aborted = () => core.toFailure('aborted', { phrase: 'downloadAbort', data: { abort: true } })
  const running = settle(
    core,
    async () => {
      core.check.options(options, 'archive')
      const { items, shared } = options
      const entries = shared ? shared.entries : options.entries
      if (shared && (items ?? options.entries) !== undefined) return core.toFailure('optionsInvalid')
      if (shared) core.check.options(shared, 'archiveShared', 'shared.')
      if (items !== undefined) core.check.options(items, 'archiveItems', 'items.')
      else if (!shared?.folders?.length && !entries?.length) return core.toFailure('optionsInvalid')
      for (const entry of entries ?? []) core.check.options(entry, 'archiveEntry', 'entries.')
      if (options.decrypt !== undefined) core.check.options(options.decrypt, 'decrypt', 'decrypt.')
      if (!['tar', 'zip'].includes(options.format ?? 'tar')) return core.toFailure('optionsInvalid')
      checkTarget(core, options.to)
      if (options.signal?.aborted) return aborted()
      try {
        return await withLinkedAbort(options.signal, stop, () => run(core, options, onProgress, stop.signal))
      } catch (error) {
        if (stop.signal.aborted) return aborted()
        throw error
      }
    },
    (error) => core.toFailure('downloadError', { data: { reason: String(error) } }),
  )
  return Object.assign(running, {
    async cancel() {
      stop.abort()
      await running
    },
  })
}

type Fetched = { bytes: Uint8Array } | { code: number; msg: string }

async function run(
  core: Core,
  options: ArchiveOptions,
  onProgress: ((progress: ArchiveProgress) => void) | undefined,
  signal: AbortSignal,
): Promise<Result<DownloadedArchive>> {
  const { toFailure } = core
  const { shared } = options
  const listed = shared
    ? await listShared(core, shared, signal)
    : options.items
      ? await listEntries(core, options.items, signal)
      : (options.entries ?? [])
  if (listed.length === 0) return toFailure('sizeError')
  const entries = archivePaths(listed)
  const known = entries.reduce((sum, { size = 0 }) => sum + size, 0)
  const { target, finish } = await openTarget(core, options.to, { name: options.name, size: undefined, resume: false })
  const sequence = createSequentialWriter(target, targetFailed(toFailure))
  const archive = createArchiveWriter(options.format ?? 'tar', sequence)
  const meter = createSpeedometer()
  const listener = throttled(onProgress)
  const failed: DownloadedArchive['failed'] = []
  const bytesByNode = new Map<string, number>()
  /** Cancels prefetched files when the archive fails. */
  const cancelPrefetch = new AbortController()
  const needed = AbortSignal.any([signal, cancelPrefetch.signal])
  let done = 0
  let counted = 0
  const show = (path: string, more = 0) => {
    const loaded = sequence.size + more
    meter.add(Math.max(0, loaded - counted))
    counted = Math.max(counted, loaded)
    const total = Math.max(known + entries.length * 512, loaded)
    listener.update({
      loaded,
      total,
      percent: percent(loaded, total),
      speed: meter.speed,
      path,
      done,
      count: entries.length,
    })
  }
  const countBytes = (nodes: readonly { node_id: string; bytes: number }[]) => {
    for (const { node_id, bytes } of nodes) bytesByNode.set(node_id, (bytesByNode.get(node_id) ?? 0) + bytes)
  }
  const fetchWhole = async ({ cid = '' }: ArchiveEntry): Promise<Fetched> => {
    const result = await withinRateLimit(core, needed, () =>
      startDownload(core, { assetCid: cid, assetType: 'file', ...sourceOf(shared), to: 'blob', signal: needed }),
    )
    if (!isSuccess(result)) return result
    countBytes(result.data.nodes)
    return { bytes: new Uint8Array((await result.data.blob?.arrayBuffer()) ?? new ArrayBuffer(0)) }
  }
  /** Prefetched files by entry index. */
  const prefetched = new Map<number, Promise<Fetched>>()
  const isSmall = (entry: ArchiveEntry | undefined) =>
    entry?.cid !== undefined &&
    entry.assetType !== 'folder' &&
    entry.size !== undefined &&
    entry.size <= PREFETCH_SIZE_MAX
  const prefetch = (from: number) => {
    for (let place = from; place < entries.length && prefetched.size < PREFETCH_COUNT; place++) {
      const entry = entries[place]
      // A large file gets the whole bandwidth.
      if (!entry || !isSmall(entry)) return
      if (!prefetched.has(place)) prefetched.set(place, fetchWhole(entry))
    }
  }

  try {
    for (const [place, given] of entries.entries()) {
      signal.throwIfAborted()
      prefetch(place)
      show(given.path)
      const entry = await withSize(core, options, given, signal)
      if ('code' in entry) failed.push({ path: given.path, code: entry.code, msg: entry.msg })
      else if (entry.cid === undefined) await archive.folder(entry.path)
      else if (isSmall(entry)) {
        const fetched = await (prefetched.get(place) ?? fetchWhole(entry))
        prefetched.delete(place)
        signal.throwIfAborted()
        if ('bytes' in fetched) await writeFile(archive, await opened(core, options, entry, fetched.bytes))
        else failed.push({ path: entry.path, code: fetched.code, msg: fetched.msg })
      } else {
        const streamed = await withinRateLimit(core, signal, () =>
          streamEntry(core, archive, options, entry, signal, () => show(entry.path)),
        )
        if (isSuccess(streamed)) countBytes(streamed.data)
        else failed.push({ path: entry.path, code: streamed.code, msg: streamed.msg })
      }
      done += 1
      show(given.path)
    }
    if (failed.length === entries.length)
      throw new Stop(toFailure('downloadError', { msg: failed[0]?.msg ?? '', data: { failed } }))
    await archive.end()
    await sequence.flush()
    signal.throwIfAborted()
    const more = await finish(sequence.size).catch((error: Error) => {
      throw targetFailed(toFailure)(error)
    })
    listener.flush()
    return success(
      {
        name: options.name,
        size: sequence.size,
        count: entries.length - failed.length,
        failed,
        verified: true,
        nodes: [...bytesByNode].map(([node_id, bytes]) => ({ node_id, bytes })),
        ...more,
      },
      core.api.lang,
    )
  } catch (error) {
    await target.abort().catch(() => {})
    throw error
  } finally {
    cancelPrefetch.abort()
    await Promise.allSettled(prefetched.values())
  }
}

/** What grants access to the files. */
const sourceOf = (shared: SharedItems | undefined) =>
  shared
    ? {
        source: 'open' as const,
        userId: shared.userId,
        groupId: shared.groupId,
        ...(shared.ticket && { ticket: shared.ticket }),
      }
    : { source: 'own' as const }

/** The entry with its size: the header of a file in an archive needs it. */
async function withSize(
  core: Core,
  { shared }: ArchiveOptions,
  entry: ArchiveEntry,
  signal: AbortSignal,
): Promise<ArchiveEntry | Failure> {
  if (entry.cid === undefined || entry.assetType === 'folder' || entry.size !== undefined) return entry
  const addresses = await getAddresses(core, { assetCid: entry.cid, ...sourceOf(shared), preview: true, signal })
  signal.throwIfAborted()
  if (!isSuccess(addresses)) return addresses
  return { ...entry, size: addresses.data.size, assetType: entry.assetType ?? addresses.data.asset_type }
}

/** A small file, decrypted if it is encrypted and the key fits. */
async function opened(
  { platform }: Core,
  { decrypt }: ArchiveOptions,
  { path, encrypted }: ArchiveEntry,
  bytes: Uint8Array,
): Promise<{ path: string; bytes: Uint8Array }> {
  if (!encrypted) return { path, bytes }
  async function* whole() {
    yield bytes
  }
  const { opened } = decrypt ? await openOrKeep(platform.ciphers, decrypt, whole()) : {}
  if (!opened) return { path: encryptedPath(path), bytes }
  const plain: Uint8Array[] = []
  for await (const piece of opened.pieces) plain.push(piece)
  return { path, bytes: concat(plain) }
}

async function writeFile(archive: ArchiveWriter, { path, bytes }: { path: string; bytes: Uint8Array }): Promise<void> {
  async function* whole() {
    yield bytes
  }
  await archive.file(path, bytes.length, whole(), () => {})
}

/**
 * Streams a large file, or the entries of a stored folder's tar, into the archive. Throws Stop.
 * @returns traffic by node; a failure if the share gave nothing of it, so that it can be left out
 */
async function streamEntry(
  core: Core,
  archive: ArchiveWriter,
  { decrypt, shared }: ArchiveOptions,
  entry: ArchiveEntry,
  signal: AbortSignal,
  onBytes: () => void,
): Promise<Result<{ node_id: string; bytes: number }[]>> {
  const { outlet, stream, stop } = createPipe()
  const isFolder = entry.assetType === 'folder'
  const task = startDownload(core, {
    assetCid: entry.cid ?? '',
    assetType: isFolder ? 'folder' : 'file',
    ...sourceOf(shared),
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
    if (shared && !isSuccess(result) && !signal.aborted && !isCancelled(result)) return result
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
