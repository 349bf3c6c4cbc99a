import { sha256 } from '@tidenet/content'
import type { TraceDetail } from '@tidenet/contract'
import { TEMP_FILE_MAX } from '@tidenet/contract/constants'
import type { Answer } from '../api.ts'
import { type ByteSource, gather } from '../bytes.ts'
import type { Core } from '../core.ts'
import type { ContentDigest } from '../platform/platform.ts'
import { reportTransfer } from '../report.ts'
import { isSuccess, need, type Result, Stop, success } from '../result.ts'
import { type Sending, type Stored, sendToNodes } from './send-to-nodes.ts'
import type { UploadedAsset } from './types.ts'
import { uploadedUrl } from './uploaded-url.ts'

/** One upload with its options read and checked. */
export interface Upload {
  core: Core
  name: string
  groupId: number
  areas: string[]
  extraId: string
  encrypted: boolean
  /** No account, or asked to be anonymous. */
  temporary: boolean
  md5: string | false | undefined
  retries: number
  transport: Sending['transport']
  resume: Sending['resume']['store']
  signal: AbortSignal
  /** Whether it was stopped to be taken up again. */
  paused: () => boolean
  onState: Sending['onState']
  onHashed: (bytes: number) => void
}

type Info = Answer<'uploads.info'>

/** Uploads one file: by proof when the network has it, otherwise byte by byte. */
export async function uploadFile(upload: Upload, source: ByteSource): Promise<Result<UploadedAsset>> {
  const { core, signal, name } = upload
  const { say } = core
  if (source.size <= 0) return say('sizeError')
  if (upload.temporary && source.size > TEMP_FILE_MAX) return say('sizeError', { phrase: 'uploadTooLarge' })
  const began = Date.now()
  const attempts: TraceDetail[] = []
  let info: Info | undefined
  const digest = core.platform.digest(source, {
    md5: upload.md5 === undefined && !upload.encrypted,
    signal,
    onHashed: upload.onHashed,
  })
  /** Traces of questions that nothing was sent for. */
  const questions: string[] = []
  const finish = async (result: Result<UploadedAsset>) => {
    if (!info) return result
    const [told] = await Promise.all([
      reported(upload, result, { info, attempts, began, size: source.size }),
      ...questions.map((traceId) => closed(upload, traceId)),
    ])
    return told
  }
  try {
    const unfinished = await upload.resume.get(fingerprint(upload, source)).catch(() => undefined)
    info = need(await askForNodes(upload, source.size, { traceId: unfinished?.traceId }))
    const instant = upload.encrypted ? undefined : await withoutSending(upload, source, digest, info, questions)
    if (instant) return await finish(instant)
    const stored = await sendToNodes(
      {
        platform: core.platform,
        source,
        name,
        lang: core.api.lang,
        say,
        signal,
        pause: core.pause,
        patience: core.limits.upload,
        quiet: core.limits.firstByte,
        retries: upload.retries,
        transport: upload.transport,
        observe: digest.observe,
        expected: async () => (await digest.finish()).cid,
        onState: upload.onState,
        paused: upload.paused,
        attempts,
        resume: { store: upload.resume, fingerprint: fingerprint(upload, source), traceId: info.TraceID },
      },
      info.List,
    )
    return await finish(await create(upload, source.size, info, stored, await md5Of(upload, digest)))
  } catch (error) {
    digest.stop()
    const failure = error instanceof Stop ? error.failure : say('uploadError', { data: { reason: String(error) } })
    if (signal.aborted && upload.paused()) return finish(say('cancelled', { data: { abort: true, paused: true } }))
    const result = signal.aborted ? say('cancelled', { data: { abort: true } }) : failure
    // Gives back the room that was set aside, without an account there is none.
    if (info && !upload.temporary) await core.api.call('uploads.cancel', { trace_id: info.TraceID })
    return finish(result)
  }
}

/** The same file of the same account resumes where it was broken off. */
function fingerprint(upload: Upload, source: ByteSource): string {
  const { api } = upload.core
  return [api.url, upload.groupId, source.path ?? upload.name, source.size, source.modified].join('|')
}

async function md5Of(upload: Upload, digest: ContentDigest): Promise<string> {
  if (upload.encrypted || upload.md5 === false) return ''
  return upload.md5 ?? (await digest.finish()).md5
}

/** @param again of an earlier answer for the same upload, which then takes the room of the account only once */
async function askForNodes(
  upload: Upload,
  size: number,
  again: { traceId?: string | undefined; md5?: string },
): Promise<Result<Info>> {
  const { core, areas, signal } = upload
  const asked = {
    t: String(Date.now()),
    need_trace: true,
    size,
    ...(again.md5 && { md5: again.md5 }),
    ...(areas.length > 0 && { area_id: areas }),
  }
  if (!upload.temporary) {
    const same = again.traceId ? { trace_id: again.traceId } : {}
    return core.api.call('uploads.info', { ...asked, ...same, proof: true }, { signal })
  }
  const result = await core.api.call('tempFiles.uploadInfo', asked, { signal })
  return isSuccess(result) ? { ...result, data: { SizeKnown: false, Proof: null, ...result.data } } : result
}

/**
 * The instant upload: when the network has content of this size, hashes first and asks by MD5. A server that wants to know
 * whether we hold the file at all asks for a piece of it. Undefined when the bytes have to be sent.
 */
async function withoutSending(
  upload: Upload,
  source: ByteSource,
  digest: ContentDigest,
  first: Info,
  questions: string[],
): Promise<Result<UploadedAsset> | undefined> {
  const { core, signal } = upload
  let info = first
  if (info.SizeKnown && upload.md5 !== false) {
    upload.onState('hashing', { node: '', attempt: 0, loaded: 0 })
    const { md5 } = await digest.finish()
    if (!upload.md5 && !md5) return undefined
    const known = await askForNodes(upload, source.size, { md5: upload.md5 || md5, traceId: first.TraceID })
    if (!isSuccess(known)) return undefined
    info = known.data
    if (info.TraceID !== '' && info.TraceID !== first.TraceID) questions.push(info.TraceID)
  }
  if (info.Proof) {
    const { id, offset, length } = info.Proof
    const { cid } = await digest.finish()
    const piece = await gather(source, offset, Math.min(offset + length, source.size))
    const proved = await core.api.call('uploads.prove', { id, cid, sha256: hex(await sha256(piece)) }, { signal })
    if (!isSuccess(proved) || !proved.data.AlreadyExists) return undefined
    return created(upload, source.size, first, cid, { md5: await md5Of(upload, digest), proof: proved.data.proof })
  }
  if (!info.AlreadyExists) return undefined
  // The hash may be somebody else's: only the same content counts.
  const { cid } = await digest.finish()
  if (info.CID !== cid) return undefined
  return created(upload, source.size, first, cid, { md5: await md5Of(upload, digest) })
}

/** Without bytes sent; when the server does not agree after all, they are. */
async function created(
  upload: Upload,
  size: number,
  info: Info,
  cid: string,
  more: { md5: string; proof?: string },
): Promise<Result<UploadedAsset> | undefined> {
  const result = await create(upload, size, info, { cid, receipt: '', nodeId: '' }, more.md5, more.proof)
  return isSuccess(result) ? result : undefined
}

/** Puts stored content into the account. Not cancelled any more: the server may have done it already. */
async function create(
  upload: Upload,
  size: number,
  info: Info,
  stored: Stored,
  md5: string,
  proof?: string,
): Promise<Result<UploadedAsset>> {
  const { core, name, areas } = upload
  upload.onState('finishing', { node: stored.nodeId, attempt: 0, loaded: size })
  const common = {
    asset_name: name,
    asset_cid: stored.cid,
    asset_size: size,
    node_id: stored.nodeId,
    need_trace: true,
    encrypted: upload.encrypted,
    ...(stored.receipt && { receipt: stored.receipt }),
  }
  // The portal may have put the file into the account and its answer been lost: what is there then is this upload.
  let repeated = false
  const call = {
    onRepeat: () => {
      repeated = true
    },
  }
  const result = upload.temporary
    ? await core.api.call('tempFiles.create', { ...common, asset_type: 'file', area_ids: areas }, call)
    : await core.api.call(
        'assets.create',
        {
          ...common,
          asset_type: 'file',
          group_id: upload.groupId,
          area_id: areas,
          md5,
          extra_id: upload.extraId,
          ...(proof && { proof }),
        },
        call,
      )
  const exists = result.code !== 0 && (result.data as { err?: number }).err === 1017
  if (!isSuccess(result) && !exists) return result
  const direct = exists ? (result.data as { assetDirectUrl?: unknown }).assetDirectUrl : undefined
  const url = await uploadedUrl(upload, stored.cid)
  return success(
    {
      cid: stored.cid,
      url: url || (typeof direct === 'string' ? direct : ''),
      name,
      size,
      assetType: 'file',
      isFastUpload: stored.nodeId === '',
      isAlreadyExist: exists && !repeated,
      encrypted: upload.encrypted,
      nodeId: stored.nodeId,
      traceId: info.TraceID,
    },
    core.api.lang,
  )
}

/** A trace that nothing was sent for does not stay open. */
const closed = ({ core }: Upload, traceId: string): Promise<unknown> =>
  reportTransfer(core.api, core.say, {
    traceId,
    cid: '',
    type: 'upload',
    ok: true,
    size: 0,
    began: 0,
    ended: 0,
    firstByte: 0,
    details: [],
    availableNodes: 0,
    addresses: 0,
    error: '',
  })

/** Tells the server how it went, then hands the result over. */
export async function reported(
  upload: Upload,
  result: Result<UploadedAsset>,
  transfer: {
    info: Pick<Info, 'TraceID' | 'available_nodes'> & { List: readonly unknown[] }
    attempts: TraceDetail[]
    began: number
    size: number
  },
): Promise<Result<UploadedAsset>> {
  const { info, attempts } = transfer
  const ok = isSuccess(result)
  const sent = attempts.length > 0
  await reportTransfer(upload.core.api, upload.core.say, {
    traceId: info.TraceID,
    cid: ok ? result.data.cid : '',
    type: 'upload',
    ok,
    size: sent && ok ? transfer.size : (attempts.at(-1)?.size ?? 0),
    began: attempts[0]?.start_at ?? transfer.began,
    ended: attempts.at(-1)?.end_at ?? Date.now(),
    firstByte: 0,
    details: attempts,
    availableNodes: info.available_nodes,
    addresses: info.List.length,
    error: ok ? '' : result.msg,
  })
  return ok ? result : { ...result, data: { ...result.data, trace_id: info.TraceID } }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
