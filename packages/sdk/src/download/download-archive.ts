import { readTar } from '@tidenet/content/tar'
import { tarHeader, tarPadding } from '@tidenet/content/tar-header'
import { MiB } from '@tidenet/contract/constants'
import { type Core, settle } from '../core.ts'
import { following } from '../following.ts'
import { createSpeedometer, percent, throttled } from '../progress.ts'
import { type Failure, isSuccess, type Result, Stop, success } from '../result.ts'
import { archivePaths } from './archive-paths.ts'
import type { ArchiveEntry, ArchiveOptions, ArchiveProgress, ArchiveTask, DownloadedArchive } from './archive-types.ts'
import { getAddresses, startDownload } from './download.ts'
import { handOver } from './ordered-target.ts'
import { createSequence, type Sequence } from './sequence.ts'
import { checkTarget, openTarget, targetFailed } from './targets.ts'

/** Files up to this size are fetched before their header is written, so many at a time: one that cannot be had costs nothing then. */
const WHOLE = 4 * MiB
const AHEAD = 3

/** Starts the download of an archive at once. The task always resolves. */
export function startArchive(
  core: Core,
  options: ArchiveOptions,
  onProgress?: (progress: ArchiveProgress) => void,
): ArchiveTask {
  const stop = new AbortController()
  const aborted = () => core.say('aborted', { phrase: 'downloadAbort', data: { abort: true } })
  const running = settle(
    core,
    async () => {
      core.check.options(options, 'archive')
      if (!Array.isArray(options.entries) || options.entries.length === 0) return core.say('optionsInvalid')
      for (const entry of options.entries) core.check.options(entry, 'archiveEntry', 'entries.')
      checkTarget(core, options.to)
      if (options.signal?.aborted) return aborted()
      try {
        return await following(options.signal, stop, () => run(core, options, onProgress, stop.signal))
      } catch (error) {
        if (stop.signal.aborted) return aborted()
        throw error
      }
    },
    (error) => core.say('downloadError', { data: { reason: String(error) } }),
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
  const { say } = core
  const entries = archivePaths(options.entries)
  const known = entries.reduce((sum, { size = 0 }) => sum + size, 0)
  const { target, finish } = await openTarget(core, options.to, { name: options.name, size: undefined, resume: false })
  const sequence = createSequence(target, targetFailed(say))
  const meter = createSpeedometer()
  const listener = throttled(onProgress)
  const failed: DownloadedArchive['failed'] = []
  const senders = new Map<string, number>()
  /** Ends what was fetched ahead when nobody will take it any more. */
  const over = new AbortController()
  const needed = AbortSignal.any([signal, over.signal])
  let done = 0
  let counted = 0
  const show = (path: string, more = 0) => {
    const loaded = sequence.size + more
    meter.add(Math.max(0, loaded - counted))
    counted = Math.max(counted, loaded)
    const total = Math.max(known + entries.length * 512, loaded)
    listener.tell({
      loaded,
      total,
      percent: percent(loaded, total),
      speed: meter.speed,
      path,
      done,
      count: entries.length,
    })
  }
  const sent = (nodes: readonly { node_id: string; bytes: number }[]) => {
    for (const { node_id, bytes } of nodes) senders.set(node_id, (senders.get(node_id) ?? 0) + bytes)
  }
  const whole = async ({ cid = '' }: ArchiveEntry): Promise<Fetched> => {
    const result = await startDownload(core, {
      assetCid: cid,
      assetType: 'file',
      source: 'own',
      to: 'blob',
      signal: needed,
    })
    if (!isSuccess(result)) return result
    sent(result.data.nodes)
    return { bytes: new Uint8Array((await result.data.blob?.arrayBuffer()) ?? new ArrayBuffer(0)) }
  }
  /** Fetched ahead of their turn, by their place. */
  const ahead = new Map<number, Promise<Fetched>>()
  const isSmall = (entry: ArchiveEntry | undefined) =>
    entry?.cid !== undefined && entry.assetType !== 'folder' && entry.size !== undefined && entry.size <= WHOLE
  const fetchAhead = (from: number) => {
    for (let place = from; place < entries.length && ahead.size < AHEAD; place++) {
      const entry = entries[place]
      // What is large has the way for itself.
      if (!entry || !isSmall(entry)) return
      if (!ahead.has(place)) ahead.set(place, whole(entry))
    }
  }

  try {
    for (const [place, given] of entries.entries()) {
      signal.throwIfAborted()
      fetchAhead(place)
      show(given.path)
      const entry = await sized(core, given, signal)
      if ('code' in entry) failed.push({ path: given.path, code: entry.code, msg: entry.msg })
      else if (entry.cid === undefined)
        await sequence.write(tarHeader({ name: `${entry.path}/`, kind: 'directory', size: 0 }))
      else if (isSmall(entry)) {
        const fetched = await (ahead.get(place) ?? whole(entry))
        ahead.delete(place)
        signal.throwIfAborted()
        if ('bytes' in fetched) await writeFile(sequence, entry.path, fetched.bytes)
        else failed.push({ path: entry.path, code: fetched.code, msg: fetched.msg })
      } else sent(await streamed(core, sequence, entry, signal, () => show(entry.path)))
      done += 1
      show(given.path)
    }
    if (failed.length === entries.length)
      throw new Stop(say('downloadError', { msg: failed[0]?.msg ?? '', data: { failed } }))
    await sequence.write(new Uint8Array(1024))
    await sequence.flush()
    signal.throwIfAborted()
    const more = await finish(sequence.size).catch((error: Error) => {
      throw targetFailed(say)(error)
    })
    listener.flush()
    return success(
      {
        name: options.name,
        size: sequence.size,
        count: entries.length - failed.length,
        failed,
        verified: true,
        nodes: [...senders].map(([node_id, bytes]) => ({ node_id, bytes })),
        ...more,
      },
      core.api.lang,
    )
  } catch (error) {
    await target.abort().catch(() => {})
    throw error
  } finally {
    over.abort()
    await Promise.allSettled(ahead.values())
  }
}

/** The entry with its size, without which a file has no header and may not be held whole. */
async function sized(core: Core, entry: ArchiveEntry, signal: AbortSignal): Promise<ArchiveEntry | Failure> {
  if (entry.cid === undefined || entry.assetType === 'folder' || entry.size !== undefined) return entry
  const asked = await getAddresses(core, { assetCid: entry.cid, source: 'own', preview: true, signal })
  signal.throwIfAborted()
  if (!isSuccess(asked)) return asked
  return { ...entry, size: asked.data.size, assetType: entry.assetType ?? asked.data.asset_type }
}

async function writeFile(sequence: Sequence, path: string, bytes: Uint8Array): Promise<void> {
  await sequence.write(tarHeader({ name: path, kind: 'file', size: bytes.length }))
  await sequence.write(bytes)
  await sequence.write(tarPadding(bytes.length))
}

/** A large file goes through as it comes; a stored folder comes as a tar, whose entries get their place in this one. */
async function streamed(
  core: Core,
  sequence: Sequence,
  entry: ArchiveEntry,
  signal: AbortSignal,
  onBytes: () => void,
): Promise<{ node_id: string; bytes: number }[]> {
  const { outlet, stream, stop } = passage()
  const isFolder = entry.assetType === 'folder'
  const task = startDownload(core, {
    assetCid: entry.cid ?? '',
    assetType: isFolder ? 'folder' : 'file',
    source: 'own',
    to: { stream },
    name: 'top',
    signal,
  })
  const writing = isFolder
    ? writeFolder(sequence, entry.path, outlet, onBytes)
    : writeStream(sequence, entry.path, entry.size ?? 0, outlet, onBytes)
  // What cannot be written must not leave the download waiting for somebody to take its bytes.
  writing.catch(() => void task.cancel())
  // And a download that ends before it has opened its target must not leave the archive waiting for bytes.
  void task.then((result) => {
    if (!isSuccess(result)) stop(new Error(result.msg))
  })
  const [written, result] = await Promise.allSettled([writing, task])
  if (result.status === 'fulfilled' && !isSuccess(result.value) && !(signal.aborted || isCancelled(result.value)))
    throw new Stop({ ...result.value, msg: `${entry.path}: ${result.value.msg}` })
  if (written.status === 'rejected') throw written.reason
  if (result.status === 'rejected') throw result.reason
  return isSuccess(result.value) ? result.value.data.nodes : []
}

const isCancelled = (result: Result<unknown>): boolean => result.code === 10028

/** A stream that is written here and read there, piece by piece. */
function passage() {
  const over = handOver()
  const stream = new WritableStream<Uint8Array>({
    write: (piece) => over.write(piece),
    close: () => over.close(),
    abort: (reason) => over.abort(reason instanceof Error ? reason : new Error('stopped')),
  })
  return { outlet: over.pieces, stream, stop: over.abort }
}

async function writeStream(
  sequence: Sequence,
  path: string,
  size: number,
  pieces: AsyncIterable<Uint8Array>,
  onBytes: () => void,
): Promise<void> {
  await sequence.write(tarHeader({ name: path, kind: 'file', size }))
  let left = size
  for await (const piece of pieces) {
    left -= piece.length
    if (left < 0) throw new Error('the file is larger than the portal says')
    await sequence.write(piece)
    onBytes()
  }
  if (left !== 0) throw new Error('the file is not as large as the portal says')
  await sequence.write(tarPadding(size))
}

async function writeFolder(
  sequence: Sequence,
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  onBytes: () => void,
): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]()
  try {
    // Reading a tar ends before its last record, which has to be taken all the same.
    const kept = { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) }
    for await (const { name, kind, size, body } of readTar(kept)) {
      if (kind === 'other') throw new Error('the folder holds something that is neither file nor folder')
      const slash = name.indexOf('/')
      const below = slash < 0 ? '' : name.slice(slash)
      await sequence.write(tarHeader({ name: `${path}${below || '/'}`, kind, size }))
      for await (const piece of body) {
        await sequence.write(piece)
        onBytes()
      }
      await sequence.write(tarPadding(size))
    }
    while (!(await iterator.next()).done);
  } catch (error) {
    await iterator.return?.()
    throw error
  }
}
