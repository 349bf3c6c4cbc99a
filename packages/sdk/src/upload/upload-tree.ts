import type { TraceDetail } from '@tidenet/contract'
import { UPLOAD_RETRIES } from '@tidenet/contract/constants'
import type { PathedSource } from '../bytes.ts'
import { type Core, settle } from '../core.ts'
import { withLinkedAbort } from '../linked-abort.ts'
import { noResumeStore } from '../platform/resume-store.ts'
import { createSpeedometer, percent, throttled } from '../progress.ts'
import { reportTransfer } from '../report.ts'
import { type Failure, need, type Result, Stop, success } from '../result.ts'
import { addAttempts } from './attempts.ts'
import { openInput } from './inputs.ts'
import { sealFor } from './seal-for.ts'
import { grantedFiles } from './tree-batches.ts'
import { type Bundle, sendBundle } from './tree-bundle.ts'
import { sendFile } from './tree-file.ts'
import { createLister } from './tree-lister.ts'
import type {
  FolderUploadOptions,
  FolderUploadProgress,
  FolderUploadTask,
  UploadedFile,
  UploadedFolder,
} from './tree-types.ts'
import type { Granted, TreeUpload } from './tree-upload.ts'
import type { UploadInput } from './types.ts'

const CONCURRENCY = 8
const FAILURES_KEPT = 1000

/** Starts the upload of a folder, file by file. The task always resolves. */
export function startFolderUpload(
  core: Core,
  input: UploadInput,
  options: FolderUploadOptions = {},
  onProgress?: (progress: FolderUploadProgress) => void,
): FolderUploadTask {
  const stop = new AbortController()
  let paused = false
  const running = settle(
    core,
    () => withLinkedAbort(options?.signal, stop, () => run(core, input, options, onProgress, stop, () => paused)),
    (error) => core.toFailure('uploadError', { data: { reason: String(error) } }),
  )
  return Object.assign(running, {
    async cancel() {
      stop.abort()
      await running
    },
    async pause() {
      paused = !stop.signal.aborted
      stop.abort()
      await running
    },
  })
}

async function run(
  core: Core,
  input: UploadInput,
  options: FolderUploadOptions,
  onProgress: ((progress: FolderUploadProgress) => void) | undefined,
  stop: AbortController,
  paused: () => boolean,
): Promise<Result<UploadedFolder>> {
  const { toFailure, check } = core
  check.options(options, 'folderUpload')
  if (options.encrypt !== undefined) check.options(options.encrypt, 'encrypt', 'encrypt.')
  const { parent = 0, onConflict = 'replace', concurrency = CONCURRENCY } = options
  check.parent(parent)
  check.areas(options.areaId)
  if (!['skip', 'replace', 'keep_both'].includes(onConflict)) return toFailure('optionsInvalid')
  if (!Number.isInteger(concurrency) || concurrency < 1) return toFailure('optionsInvalid')
  if (options.signal?.aborted) return toFailure('cancelled', { data: { abort: true } })

  const opened = await openInput(core, input)
  const files = opened.kind === 'folder' ? opened.files : undefined
  if (!files) throw new Stop(toFailure('assetTypeInvalid'))
  const name = options.name ?? (opened.kind === 'folder' ? opened.name : '')
  const seal = options.encrypt ? await sealFor(core, options.encrypt) : undefined
  const store = options.resume === false ? noResumeStore : (options.resume ?? core.resume)
  const tally = createTally(onProgress, options.onFile)
  // The listing of a stream cannot be repeated; its total grows with the files that are announced. Without a listener, nothing is counted ahead.
  const again = onProgress !== undefined && opened.kind === 'folder' && !opened.stream
  const counting = again ? tally.count(files(), stop.signal) : undefined
  const fingerprint = ['folder', core.api.url, parent, name].join('|')
  const unfinished = await store.get(fingerprint).catch(() => undefined)
  const upload: TreeUpload = {
    core,
    name: name || toFailure('uploadError', { phrase: 'treeName' }).msg,
    areas: options.areaId ?? [],
    conflict: onConflict,
    allowEmpty: options.allowEmpty ?? false,
    retries: Math.max(1, options.retryCount ?? UPLOAD_RETRIES),
    seal,
    // Ciphertext differs each time, so there is nothing to resume.
    store: seal ? noResumeStore : store,
    signal: stop.signal,
    paused,
    traceId: unfinished?.traceId ?? '',
    next: 0,
    created: 0,
    done: tally.done,
  }
  const attempts: TraceDetail[] = []
  const began = Date.now()
  const lister = createLister(upload)
  let root = { id: parent, created: false }
  let failure: Failure | undefined
  try {
    if (name !== '') {
      check.name(name)
      const asked = { parent, paths: [name.trim()] }
      const { list } = need(await core.api.call('folderUploads.folders', asked, { signal: stop.signal }))
      root = list[0] ?? root
      if (root.created) upload.created += 1
    }
    await sendAll(upload, root, tally.found(files(), !again), {
      concurrency,
      lister,
      attempts,
      tally,
      store,
      fingerprint,
    })
  } catch (error) {
    failure = error instanceof Stop ? error.failure : toFailure('uploadError', { data: { reason: String(error) } })
  }
  // What was sent completely is kept, also if the upload was cancelled.
  await lister.finish()
  await counting
  if (stop.signal.aborted)
    failure = toFailure('cancelled', { data: { abort: true, ...(paused() && { paused: true }) } })
  await finish(upload, tally, { failure, attempts, began, paused: stop.signal.aborted && paused(), store, fingerprint })
  if (failure) return { ...failure, data: { ...failure.data, ...tally.counts(), trace_id: upload.traceId } }
  if (tally.counts().files === 0 && upload.created === 0 && !root.created && name === '') return toFailure('sizeError')
  const { files: _, ...counts } = tally.counts()
  const { created: folders, traceId } = upload
  return success({ id: root.id, name, folders, ...counts, failures: tally.failures, traceId }, core.api.lang)
}

/** Sends the files, several at a time. Throws Stop when no file can be sent any more. */
async function sendAll(
  upload: TreeUpload,
  root: { id: number; created: boolean },
  files: AsyncIterable<PathedSource>,
  {
    concurrency,
    lister,
    attempts,
    tally,
    store,
    fingerprint,
  }: {
    concurrency: number
    lister: ReturnType<typeof createLister>
    attempts: TraceDetail[]
    tally: ReturnType<typeof createTally>
    store: TreeUpload['store']
    fingerprint: string
  },
): Promise<void> {
  const granted = grantedFiles(upload, root, files)
  let remembered = ''
  const remember = async () => {
    if (remembered === upload.traceId) return
    remembered = upload.traceId
    const mark = { location: '', nodeId: '', token: '', traceId: upload.traceId, begun: Date.now() }
    await store.set(fingerprint, mark).catch(() => {})
  }
  const one = async (file: Granted) => {
    const tried: TraceDetail[] = []
    try {
      lister.add(await sendFile(upload, file, tried, (bytes) => tally.sent(file.file.path, bytes)))
    } catch (error) {
      if (upload.signal.aborted) throw error
      if (error instanceof Stop && error.failure.code === 401) throw error
      const failure =
        error instanceof Stop
          ? error.failure
          : upload.core.toFailure('uploadError', { data: { reason: String(error) } })
      const { path, size } = file.file
      upload.done({ path, size, state: 'failed', cid: '', failure })
    } finally {
      addAttempts(attempts, tried)
    }
  }
  const several = async (bundle: Bundle): Promise<Granted[]> => {
    if (bundle.length === 1) return bundle
    const tried: TraceDetail[] = []
    const { stored, rest } = await sendBundle(upload, bundle, tried, tally.sent)
    for (const file of stored) lister.add(file)
    addAttempts(attempts, tried)
    return rest
  }
  let broken: unknown
  const worker = async () => {
    while (broken === undefined) {
      const { value, done } = await granted.next()
      if (done) return
      await remember()
      for (const file of await several(value)) await one(file)
    }
  }
  await Promise.all(
    Array.from({ length: concurrency }, () =>
      worker().catch((error: unknown) => {
        broken ??= error
      }),
    ),
  )
  if (broken !== undefined) throw broken
}

/** Reports the transfer, and releases the quota of files that were not sent. */
async function finish(
  upload: TreeUpload,
  tally: ReturnType<typeof createTally>,
  {
    failure,
    attempts,
    began,
    paused,
    store,
    fingerprint,
  }: {
    failure: Failure | undefined
    attempts: TraceDetail[]
    began: number
    paused: boolean
    store: TreeUpload['store']
    fingerprint: string
  },
): Promise<void> {
  tally.flush()
  const { core, traceId } = upload
  // A paused upload continues with its trace.
  if (paused || traceId === '') return
  await store.delete(fingerprint).catch(() => {})
  const { failed, size } = tally.counts()
  if (failure || failed > 0) await core.api.call('uploads.cancel', { trace_id: traceId })
  const nodes = new Set(attempts.map(({ node_id }) => node_id)).size
  await reportTransfer(core.api, core.toFailure, {
    traceId,
    cid: '',
    type: 'upload',
    ok: !failure && failed === 0,
    size,
    began,
    ended: Date.now(),
    firstByte: 0,
    details: attempts,
    availableNodes: nodes,
    addresses: nodes,
    error: failure?.msg ?? tally.failures[0]?.failure?.msg ?? '',
  })
}

/** Counts files and bytes, and shows progress. */
function createTally(
  onProgress: ((progress: FolderUploadProgress) => void) | undefined,
  onFile: ((file: UploadedFile) => void) | undefined,
) {
  const meter = createSpeedometer()
  const listener = throttled(onProgress)
  const counts = { uploaded: 0, same: 0, skipped: 0, failed: 0, size: 0, files: 0 }
  const failures: UploadedFile[] = []
  /** Bytes of the files that are being sent. */
  const sending = new Map<string, number>()
  let [total, filesTotal, finished, underway, counted] = [0, 0, 0, 0, false]
  const show = (now = false) => {
    const loaded = finished + underway
    const progress = { loaded, total, counted, percent: percent(loaded, total), speed: meter.speed }
    listener.update({ ...progress, files: counts.files, filesTotal, failed: counts.failed }, now)
  }
  const add = ({ path, source }: PathedSource) => {
    if (path.endsWith('/')) return
    filesTotal += 1
    total += source.size
  }
  return {
    failures,
    counts: () => ({ ...counts }),
    flush: () => show(true),
    /** Counts all files before they are sent. */
    async count(files: AsyncIterable<PathedSource>, signal: AbortSignal): Promise<void> {
      try {
        for await (const file of files) {
          if (signal.aborted) return
          add(file)
        }
        counted = true
        show()
      } catch {
        // The listing that sends the files fails in the same way, and says why.
      }
    },
    async *found(files: AsyncIterable<PathedSource>, counts: boolean): AsyncIterable<PathedSource> {
      for await (const file of files) {
        if (counts) add(file)
        yield file
      }
      if (counts) counted = true
    },
    sent(path: string, bytes: number): void {
      const before = sending.get(path) ?? 0
      sending.set(path, bytes)
      underway += bytes - before
      if (bytes > before) meter.add(bytes - before)
      show()
    },
    done(file: UploadedFile): void {
      underway -= sending.get(file.path) ?? 0
      sending.delete(file.path)
      finished += file.size
      counts[file.state] += 1
      counts.files += 1
      if (file.state === 'uploaded') counts.size += file.size
      if (file.state === 'failed' && failures.length < FAILURES_KEPT) failures.push(file)
      try {
        onFile?.(file)
      } catch {}
      show()
    },
  }
}
