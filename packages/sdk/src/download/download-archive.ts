import { type Core, settle } from '../core.ts'
import { withLinkedAbort } from '../linked-abort.ts'
import { createSpeedometer, percent, throttled } from '../progress.ts'
import { type Failure, type Result, Stop, success } from '../result.ts'
import { createArchiveAccess } from './archive-access.ts'
import { addAway, isAway, type Missing } from './archive-away.ts'
import { listEntries } from './archive-entries.ts'
import { createArchiveFetcher } from './archive-fetch.ts'
import { archivePaths } from './archive-paths.ts'
import { listShared } from './archive-shared.ts'
import type { ArchiveEntry, ArchiveOptions, ArchiveProgress, ArchiveTask, DownloadedArchive } from './archive-types.ts'
import { createArchiveWriter } from './archive-writer.ts'
import { createSequentialWriter } from './sequential-writer.ts'
import { checkTarget, openTarget, targetFailed } from './targets.ts'

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

async function run(
  core: Core,
  options: ArchiveOptions,
  onProgress: ((progress: ArchiveProgress) => void) | undefined,
  signal: AbortSignal,
): Promise<Result<DownloadedArchive>> {
  const { toFailure } = core
  const { shared, decrypt } = options
  const access = createArchiveAccess(core, shared, signal)
  const listed = shared
    ? await listShared(core, access, shared, signal)
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
  let done = 0
  let counted = 0
  const show = (path: string) => {
    const loaded = sequence.size
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
  const fetcher = createArchiveFetcher({ core, archive, access, decrypt, signal }, entries, show)
  const add = async (entry: ArchiveEntry, place?: number): Promise<Failure | undefined> => {
    show(entry.path)
    const failure = await fetcher.add(entry, place)
    if (!failure || !isAway(failure)) done += 1
    show(entry.path)
    return failure
  }

  try {
    const missing: Missing[] = []
    for (const [place, entry] of entries.entries()) {
      signal.throwIfAborted()
      fetcher.prefetch(place)
      const failure = await add(entry, place)
      if (failure) missing.push({ entry, failure })
    }
    const away = missing.filter(({ failure }) => isAway(failure))
    const refused = missing.filter(({ failure }) => !isAway(failure))
    const failed = [...refused, ...(await addAway(core, away, add, signal))].map(({ entry: { path }, failure }) => ({
      path,
      code: failure.code,
      msg: failure.msg,
    }))
    done = entries.length
    const [first] = failed
    if (first && failed.length === entries.length)
      throw new Stop({ code: first.code, msg: first.msg, data: { failed } })
    await archive.end()
    await sequence.flush()
    signal.throwIfAborted()
    const more = await finish(sequence.size).catch((error: Error) => {
      throw targetFailed(toFailure)(error)
    })
    show(entries.at(-1)?.path ?? '')
    listener.flush()
    return success(
      {
        name: options.name,
        size: sequence.size,
        count: entries.length - failed.length,
        failed,
        verified: true,
        nodes: [...fetcher.bytesByNode].map(([node_id, bytes]) => ({ node_id, bytes })),
        ...more,
      },
      core.api.lang,
    )
  } catch (error) {
    await target.abort().catch(() => {})
    throw error
  } finally {
    await fetcher.end()
  }
}
