import { UPLOAD_RETRIES } from '@tidenet/contract/constants'
import { type ByteSource, blobSource, bytesSource, type PathedSource } from '../bytes.ts'
import { type Core, settle } from '../core.ts'
import { createSpeedometer, percent, throttled } from '../progress.ts'
import { type Result, Stop } from '../result.ts'
import { noResumeStore } from './resume-store.ts'
import type { PathedFile, UploadedAsset, UploadInput, UploadOptions, UploadProgress, UploadTask } from './types.ts'
import { type Upload, uploadFile } from './upload-file.ts'

/** What the caller gave, opened. */
export type Opened =
  | { kind: 'file'; source: ByteSource }
  | { kind: 'folder'; name: string; files: () => AsyncIterable<PathedSource> | Iterable<PathedSource> }

/** Starts an upload at once. The task always resolves. */
export function startUpload(
  core: Core,
  input: UploadInput,
  options: UploadOptions = {},
  onProgress?: (progress: UploadProgress) => void,
): UploadTask {
  const stop = new AbortController()
  const running = settle(
    core,
    () => run(core, input, options, onProgress, stop),
    (error) => core.say('uploadError', { data: { reason: String(error) } }),
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
  input: UploadInput,
  options: UploadOptions,
  onProgress: ((progress: UploadProgress) => void) | undefined,
  stop: AbortController,
): Promise<Result<UploadedAsset>> {
  const { say, check } = core
  check.options(options)
  const groupId = options.groupId ?? options.group_id ?? 0
  const areas = options.areaId ?? options.area_id ?? options.area_ids
  const assetType = options.assetType ?? options.asset_type
  check.group(groupId)
  check.areas(areas)
  if (assetType !== undefined) check.assetType(assetType)
  if (options.signal?.aborted) return say('cancelled', { data: { abort: true } })
  options.signal?.addEventListener('abort', () => stop.abort(), { signal: stop.signal })

  const opened = await open(core, input)
  const asFolder = assetType === 1 || assetType === 'folder'
  if (assetType !== undefined && asFolder !== (opened.kind === 'folder')) throw new Stop(say('assetTypeInvalid'))
  const name = options.name ?? options.asset_name ?? (opened.kind === 'file' ? opened.source.name : opened.name)
  check.name(name)

  let total = opened.kind === 'file' ? opened.source.size : 0
  let last: UploadProgress | undefined
  let counted = 0
  const meter = createSpeedometer()
  const listener = throttled(onProgress)
  const show = (next: Omit<UploadProgress, 'percent' | 'speed' | 'total'>) => {
    const progress = { ...next, total, percent: percent(next.loaded, total), speed: meter.speed }
    listener.tell(progress, last?.state !== next.state || last.node !== next.node)
    last = progress
  }
  const upload: Upload = {
    core,
    name,
    groupId,
    areas: areas ?? [],
    extraId: options.extraId ?? options.extra_id ?? '',
    encrypted: options.encrypt !== undefined,
    temporary: groupId === -1 || core.api.anonymous,
    md5: options.md5,
    retries: Math.max(1, options.retryCount ?? UPLOAD_RETRIES),
    transport: options.transport ?? 'auto',
    // Ciphertext is new each time: there is nothing to resume.
    resume: options.encrypt || options.resume === false ? noResumeStore : (options.resume ?? core.resume),
    signal: stop.signal,
    onState(state, at) {
      if (state === 'uploading' && at.loaded > counted) meter.add(at.loaded - counted)
      counted = at.loaded
      show({ state, ...at })
    },
    onHashed(bytes) {
      if (last?.state === 'hashing') show({ state: 'hashing', loaded: bytes, node: '', attempt: 0 })
    },
  }
  const result = opened.kind === 'file' ? await uploadFile(upload, opened.source) : say('assetTypeInvalid')
  total ||= 0
  listener.flush()
  return result
}

/** Finds out what was given. Throws Stop when it is nothing that can be uploaded. */
async function open(core: Core, input: UploadInput): Promise<Opened> {
  const { say, platform } = core
  if (typeof input === 'string') {
    if (!platform.openPath || input === '') throw new Stop(say('optionsInvalid'))
    const opened = await platform.openPath(input).catch((error: Error) => {
      throw new Stop(say('uploadError', { phrase: 'uploadFailed', fill: [error.message] }))
    })
    return opened
  }
  if (input instanceof Blob) return { kind: 'file', source: blobSource(input) }
  if (input instanceof Uint8Array) return { kind: 'file', source: bytesSource(input) }
  if (input instanceof ArrayBuffer) return { kind: 'file', source: bytesSource(new Uint8Array(input)) }
  throw new Stop(say('optionsInvalid'))
}

export type { PathedFile }
