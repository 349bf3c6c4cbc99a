import { UPLOAD_RETRIES } from '@tidenet/contract/constants'
import { assetTypeOf } from '@tidenet/contract/storage-enums'
import type { PathedSource } from '../bytes.ts'
import { type Core, settle } from '../core.ts'
import type { Seal } from '../encryption.ts'
import { withLinkedAbort } from '../linked-abort.ts'
import { noResumeStore } from '../platform/resume-store.ts'
import { createSpeedometer, percent, throttled } from '../progress.ts'
import { type Result, Stop } from '../result.ts'
import { openInput } from './inputs.ts'
import { sealFor } from './seal-for.ts'
import type { UploadedAsset, UploadInput, UploadOptions, UploadProgress, UploadTask } from './types.ts'
import { uploadCar } from './upload-car.ts'
import { type Upload, uploadFile } from './upload-file.ts'
import { uploadFolder } from './upload-folder.ts'

/** Starts an upload. The task always resolves. */
export function startUpload(
  core: Core,
  input: UploadInput,
  options: UploadOptions = {},
  onProgress?: (progress: UploadProgress) => void,
): UploadTask {
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
  options: UploadOptions,
  onProgress: ((progress: UploadProgress) => void) | undefined,
  stop: AbortController,
  paused: () => boolean,
): Promise<Result<UploadedAsset>> {
  const { toFailure, check } = core
  check.options(options, 'upload')
  // An invalid `encrypt` must not upload plaintext.
  if (options.encrypt !== undefined) check.options(options.encrypt, 'encrypt', 'encrypt.')
  const groupId = options.groupId ?? options.group_id ?? 0
  const areas = options.areaId ?? options.area_id ?? options.area_ids
  const assetType = options.assetType ?? options.asset_type
  const onConflict = options.onConflict ?? options.on_conflict
  check.group(groupId, -1)
  // Whoever uploads by a link has no folders to choose, and its owner no key for what the visitor encrypts.
  if (options.ticket !== undefined && (groupId !== 0 || options.encrypt)) return toFailure('optionsInvalid')
  if (onConflict !== undefined) check.onConflict(onConflict)
  check.areas(areas)
  if (assetType !== undefined) check.assetType(assetType)
  if (options.signal?.aborted) return toFailure('cancelled', { data: { abort: true } })

  const opened = await openInput(core, input)
  const asFolder = assetTypeOf(assetType) === 'folder'
  if (assetType !== undefined && asFolder !== (opened.kind === 'folder')) throw new Stop(toFailure('assetTypeInvalid'))
  const isArchive = options.importCar === true
  const given = opened.kind === 'file' ? opened.source.name : opened.name
  const name = options.name ?? options.asset_name ?? (isArchive ? given.replace(/\.car$/i, '') : given)
  check.name(name)
  if (options.ticket !== undefined && opened.kind === 'folder') return toFailure('assetTypeInvalid')

  if (isArchive && (opened.kind !== 'file' || options.encrypt || options.ticket !== undefined))
    return toFailure('optionsInvalid')
  const mayBeEmpty = options.allowEmpty === true && !isArchive && groupId !== -1
  if (opened.kind === 'file' && opened.source.size <= 0 && !mayBeEmpty) return toFailure('sizeError')
  const seal = options.encrypt ? await sealFor(core, options.encrypt) : undefined
  if (opened.kind === 'file' && seal) opened.source = seal(opened.source)

  let total = opened.kind === 'file' ? opened.source.size : 0
  let last: UploadProgress | undefined
  let counted = 0
  const meter = createSpeedometer()
  const listener = throttled(onProgress)
  const show = (next: Omit<UploadProgress, 'percent' | 'speed' | 'total'>) => {
    if (!onProgress) return
    const progress = { ...next, total, percent: percent(next.loaded, total), speed: meter.speed }
    listener.update(progress, last?.state !== next.state || last.node !== next.node)
    last = progress
  }
  const upload: Upload = {
    core,
    name,
    groupId,
    areas: areas ?? [],
    extraId: options.extraId ?? options.extra_id ?? '',
    onConflict,
    encrypted: options.encrypt !== undefined,
    ticket: options.ticket,
    temporary: options.ticket === undefined && (groupId === -1 || core.api.anonymous),
    md5: options.md5,
    allowEmpty: mayBeEmpty,
    retries: Math.max(1, options.retryCount ?? UPLOAD_RETRIES),
    transport: options.transport ?? 'auto',
    // Ciphertext differs each time, so there is nothing to resume.
    resume: options.encrypt || options.resume === false ? noResumeStore : (options.resume ?? core.resume),
    signal: stop.signal,
    paused,
    onState(state, at) {
      // Bytes the node already has arrive at once and do not count for the speed.
      if (state === 'uploading' && counted > 0 && at.loaded > counted) meter.add(at.loaded - counted)
      counted = at.loaded
      show({ state, ...at })
    },
    onHashed(bytes) {
      if (last?.state === 'hashing') show({ state: 'hashing', loaded: bytes, node: '', attempt: 0 })
    },
  }
  const onPacked = (loaded: number, size: number) => {
    total = size || Math.max(loaded, 1)
    show({ state: 'packing', loaded, node: '', attempt: 0 })
  }
  const send = () => {
    if (opened.kind === 'folder')
      return uploadFolder(upload, seal ? () => sealedFiles(opened.files(), seal) : opened.files, onPacked)
    return isArchive ? uploadCar(upload, opened.source, onPacked) : uploadFile(upload, opened.source)
  }
  const result = await send()
  listener.flush()
  return result
}

async function* sealedFiles(files: AsyncIterable<PathedSource>, seal: Seal): AsyncIterable<PathedSource> {
  for await (const { path, source } of files) yield { path, source: path.endsWith('/') ? source : seal(source) }
}
