import { sha256 } from '@tidenet/content'
import type { OnConflict, TraceDetail } from '@tidenet/contract'
import { TEMP_FILE_MAX } from '@tidenet/contract/constants'
import type { Answer } from '../api.ts'
import { type ByteSource, readRange } from '../bytes.ts'
import type { Core } from '../core.ts'
import type { ContentDigest } from '../platform/platform.ts'
import { reportTransfer } from '../report.ts'
import { isSuccess, need, type Result, Stop, success } from '../result.ts'
import { findName, findUploaded } from './find-uploaded.ts'
import { type SendDeps, type Stored, sendToNodes } from './send-to-nodes.ts'
import type { UploadedAsset } from './types.ts'
import { addByLink, addStoredByLink, linkOf } from './upload-by-link.ts'
import { uploadedAs } from './uploaded-as.ts'

/** An upload with parsed and validated options. */
export interface Upload {
  core: Core
  name: string
  groupId: number
  areas: string[]
  extraId: string
  onConflict: OnConflict | undefined
  encrypted: boolean
  /** Uploads by a link into a folder of its owner. */
  ticket: string | undefined
  /** Anonymous: no account, or requested. */
  temporary: boolean
  md5: string | false | undefined
  allowEmpty: boolean
  retries: number
  transport: SendDeps['transport']
  resume: SendDeps['resume']['store']
  signal: AbortSignal
  /** Whether the upload was paused instead of cancelled. */
  paused: () => boolean
  onState: SendDeps['onState']
  onHashed: (bytes: number) => void
}

type Info = Answer<'uploads.info'>

/** Uploads one file: without sending bytes if the network has it, otherwise to a node. */
export async function uploadFile(upload: Upload, source: ByteSource): Promise<Result<UploadedAsset>> {
  const { core, signal, name } = upload
  const { toFailure } = core
  if (source.size <= 0 && !upload.allowEmpty) return toFailure('sizeError')
  if (upload.temporary && source.size > TEMP_FILE_MAX) return toFailure('sizeError', { phrase: 'uploadTooLarge' })
  const began = Date.now()
  const attempts: TraceDetail[] = []
  let info: Info | undefined
  const digest = core.platform.digest(source, {
    md5: upload.md5 === undefined && !upload.encrypted && upload.ticket === undefined,
    signal,
    onHashed: upload.onHashed,
  })
  /** Traces of queries for which nothing was sent. */
  const unusedTraces: string[] = []
  const finish = async (result: Result<UploadedAsset>) => {
    if (!info) return result
    const [told] = await Promise.all([
      reportUpload(upload, result, { info, attempts, began, size: source.size }),
      ...unusedTraces.map((traceId) => closeTrace(upload, traceId)),
    ])
    return told
  }
  try {
    const key = fingerprint(upload, source)
    const unfinished = await upload.resume.get(key).catch(() => undefined)
    const added = await addStoredByLink(upload, source.size, { key, unfinished, digest })
    if (added) return added
    info = need(
      await requestNodes(upload, source.size, { traceId: unfinished?.stored ? undefined : unfinished?.traceId }),
    )
    const instant = upload.encrypted ? undefined : await uploadInstantly(upload, source, digest, info, unusedTraces)
    if (instant) return await finish(instant)
    const { traceId, ...stored } = await sendToNodes(
      {
        platform: core.platform,
        source,
        name,
        lang: core.api.lang,
        toFailure,
        signal,
        pause: core.pause,
        idleTimeout: core.limits.upload,
        probeAfter: core.limits.firstByte,
        retries: upload.retries,
        outage: core.limits.outage,
        transport: upload.transport,
        observe: digest.observe,
        expected: async () => (await digest.finish()).cid,
        onState: upload.onState,
        paused: upload.paused,
        attempts,
        resume: { store: upload.resume, fingerprint: key, traceId: info.TraceID },
      },
      info.List,
    )
    if (upload.ticket !== undefined) {
      // Its receipt names the trace with which it began, maybe before this page was opened.
      if (traceId !== info.TraceID) unusedTraces.push(info.TraceID)
      info = { ...info, TraceID: traceId }
      return await finish(await addByLink(upload, source.size, { key, traceId, stored }))
    }
    return await finish(await createAsset(upload, source.size, info, stored, await md5Of(upload, digest)))
  } catch (error) {
    digest.stop()
    const failure =
      error instanceof Stop ? error.failure : toFailure('uploadError', { data: { reason: String(error) } })
    if (signal.aborted && upload.paused())
      return finish(toFailure('cancelled', { data: { abort: true, paused: true } }))
    const result = signal.aborted ? toFailure('cancelled', { data: { abort: true } }) : failure
    // Releases the reserved quota; uploads without an account have none.
    if (info && !upload.temporary && upload.ticket === undefined)
      await core.api.call('uploads.cancel', { trace_id: info.TraceID })
    return finish(result)
  }
}

/** Key of an unfinished upload: same account, folder and file; or same link and file. */
function fingerprint(upload: Upload, source: ByteSource): string {
  const { api } = upload.core
  const place = upload.ticket === undefined ? upload.groupId : `link ${linkOf(upload.ticket)}`
  return [api.url, place, source.path ?? upload.name, source.size, source.modified].join('|')
}

async function md5Of(upload: Upload, digest: ContentDigest): Promise<string> {
  if (upload.encrypted || upload.md5 === false) return ''
  return upload.md5 ?? (await digest.finish()).md5
}

/** @param again an earlier answer for the same upload, so that quota is reserved only once */
async function requestNodes(
  upload: Upload,
  size: number,
  again: { traceId?: string | undefined; md5?: string },
): Promise<Result<Info>> {
  const { core, areas, signal } = upload
  const asked = {
    t: String(Date.now()),
    need_trace: true,
    size,
    asset_name: upload.name,
    ...(again.md5 && { md5: again.md5 }),
    ...(areas.length > 0 && { area_id: areas }),
  }
  if (upload.ticket !== undefined) {
    const begun = await core.api.call(
      'uploadLinks.begin',
      { ticket: upload.ticket, size, ...(again.traceId && { trace_id: again.traceId }) },
      { signal },
    )
    if (!isSuccess(begun)) return begun
    return { ...begun, data: { AlreadyExists: false, CID: '', Log: '', SizeKnown: false, Proof: null, ...begun.data } }
  }
  if (!upload.temporary) {
    const same = again.traceId ? { trace_id: again.traceId } : {}
    // A folder that refuses the file does so before bytes are sent.
    const place = {
      ...(upload.groupId > 0 && { group_id: upload.groupId }),
      ...(upload.encrypted && { encrypted: true }),
      ...(upload.allowEmpty && { allow_empty: true }),
    }
    return core.api.call('uploads.info', { ...asked, ...same, ...place, proof: true }, { signal })
  }
  const result = await core.api.call('tempFiles.uploadInfo', asked, { signal })
  return isSuccess(result) ? { ...result, data: { SizeKnown: false, Proof: null, ...result.data } } : result
}

/**
 * Instant upload: if the network has content of this size, hashes first and queries by MD5. The server may ask for a piece of the file as
 * proof of possession. Undefined if the bytes have to be sent.
 */
async function uploadInstantly(
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
    const known = await requestNodes(upload, source.size, { md5: upload.md5 || md5, traceId: first.TraceID })
    if (!isSuccess(known)) return undefined
    info = known.data
    if (info.TraceID !== '' && info.TraceID !== first.TraceID) questions.push(info.TraceID)
  }
  if (info.Proof) {
    const { id, offset, length } = info.Proof
    const { cid } = await digest.finish()
    const piece = await readRange(source, offset, Math.min(offset + length, source.size))
    const proved = await core.api.call('uploads.prove', { id, cid, sha256: hex(await sha256(piece)) }, { signal })
    if (!isSuccess(proved) || !proved.data.AlreadyExists) return undefined
    return tryCreate(upload, source.size, first, cid, { md5: await md5Of(upload, digest), proof: proved.data.proof })
  }
  if (!info.AlreadyExists) return undefined
  // MD5 may collide: only the same CID counts.
  const { cid } = await digest.finish()
  if (info.CID !== cid) return undefined
  return tryCreate(upload, source.size, first, cid, { md5: await md5Of(upload, digest) })
}

/** Registers existing content; undefined if the server refuses, and then the bytes are sent. */
async function tryCreate(
  upload: Upload,
  size: number,
  info: Info,
  cid: string,
  more: { md5: string; proof?: string },
): Promise<Result<UploadedAsset> | undefined> {
  const result = await createAsset(upload, size, info, { cid, receipt: '', nodeId: '' }, more.md5, more.proof)
  return isSuccess(result) ? result : undefined
}

/** Adds stored content to the account. Cannot be cancelled: the server may have processed it already. */
async function createAsset(
  upload: Upload,
  size: number,
  info: Info,
  stored: Stored,
  md5: string,
  proof?: string,
): Promise<Result<UploadedAsset>> {
  const { core, areas } = upload
  upload.onState('finishing', { node: stored.nodeId, attempt: 0, loaded: size })
  const common = {
    asset_name: upload.name,
    asset_cid: stored.cid,
    asset_size: size,
    node_id: stored.nodeId,
    need_trace: true,
    encrypted: upload.encrypted,
    ...(stored.receipt && { receipt: stored.receipt }),
  }
  // If the response was lost and the request repeated, an existing file is this upload.
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
          ...(upload.allowEmpty && { allow_empty: true }),
          ...(upload.onConflict && { on_conflict: upload.onConflict }),
          ...(proof && { proof }),
          // Without a receipt nothing was sent: the server closes the trace at once.
          ...(!stored.receipt && info.TraceID && { trace_id: info.TraceID }),
        },
        call,
      )
  const exists = result.code !== 0 && (result.data as { err?: number }).err === 1017
  if (!isSuccess(result) && !exists) return result
  const direct = exists ? (result.data as { assetDirectUrl?: unknown }).assetDirectUrl : undefined
  const [name, { url, receipt_id }] = await Promise.all([
    findName(upload, stored.cid),
    findUploaded(upload, stored.cid),
  ])
  return success(
    {
      ...uploadedAs(upload, size, info.TraceID, stored),
      name,
      url: url || (typeof direct === 'string' ? direct : ''),
      isAlreadyExist: exists && !repeated,
      receipt_id,
    },
    core.api.lang,
  )
}

/** Closes a trace for which nothing was sent. */
const closeTrace = ({ core }: Upload, traceId: string): Promise<unknown> =>
  reportTransfer(core.api, core.toFailure, {
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

/** Sends the transfer report, then returns the result. */
export async function reportUpload(
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
  await reportTransfer(upload.core.api, upload.core.toFailure, {
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
