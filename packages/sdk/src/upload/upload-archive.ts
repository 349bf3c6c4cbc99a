import type { AssetType, CandidateSlot, TraceDetail } from '@tidenet/contract'
import { TEMP_FILE_MAX } from '@tidenet/contract/constants'
import type { ByteSource } from '../bytes.ts'
import { isSuccess, need, type Result, Stop, success } from '../result.ts'
import { findName, findUploaded } from './find-uploaded.ts'
import { sendToNodes } from './send-to-nodes.ts'
import type { UploadedAsset } from './types.ts'
import { reportUpload, type Upload } from './upload-file.ts'

/** Content that is sent as a CAR. */
export interface Archive {
  /** CID of its root. */
  cid: string
  /** The CAR. */
  source: ByteSource
  /** Quota to reserve: bytes of the CAR, or of the file in it if that is more. */
  reserved: number
  /** Bytes of the files in it. */
  size: number
  assetType: AssetType
}

/**
 * Registers content by its CID, which names the nodes, and sends it to one of them as an archive.
 * @param prepare may throw Stop
 * @param explain the result of other errors of `prepare` and of reading `source`, if there is a better one than their message
 */
export async function uploadArchive(
  upload: Upload,
  prepare: () => Promise<Archive>,
  explain: (error: unknown) => Result<UploadedAsset> | undefined,
): Promise<Result<UploadedAsset>> {
  const { core, signal, name } = upload
  const { toFailure, api } = core
  const began = Date.now()
  const attempts: TraceDetail[] = []
  let archive: Archive | undefined
  let slots: CandidateSlot[] = []
  let registered = false
  const finish = (result: Result<UploadedAsset>) => {
    const [slot] = slots
    if (!slot) return result
    const info = { TraceID: slot.TraceID, available_nodes: slots.length, List: slots }
    return reportUpload(upload, result, { info, attempts, began, size: archive?.source.size ?? 0 })
  }
  try {
    archive = await prepare()
    const { cid, source } = archive
    if (upload.temporary && archive.reserved > TEMP_FILE_MAX)
      return toFailure('sizeError', { phrase: 'uploadTooLarge' })
    const made = await register(upload, archive)
    const exists = made.code !== 0 && (made.data as { err?: number }).err === 1017
    if (!exists) slots = need(made)
    registered = slots.length > 0
    let nodeId = ''
    let receipt = ''
    if (slots.length > 0) {
      const stored = await sendToNodes(
        {
          platform: core.platform,
          source,
          name: source.name,
          lang: core.api.lang,
          toFailure,
          signal,
          pause: core.pause,
          idleTimeout: core.limits.upload,
          probeAfter: core.limits.firstByte,
          retries: upload.retries,
          outage: core.limits.outage,
          transport: upload.transport,
          expected: async () => cid,
          onState: upload.onState,
          paused: upload.paused,
          attempts,
          resume: {
            store: upload.resume,
            fingerprint: [api.url, upload.groupId, cid, source.size].join('|'),
            traceId: slots[0]?.TraceID ?? '',
          },
        },
        slots.map((slot) => ({
          NodeID: slot.NodeID,
          UploadURL: slot.CandidateAddr,
          ResumeURL: slot.ResumeURL,
          Token: slot.Token,
        })),
      )
      nodeId = stored.nodeId
      receipt = stored.receipt
    }
    upload.onState('finishing', { node: nodeId, attempt: 0, loaded: source.size })
    const asset: UploadedAsset = {
      cid,
      url: '',
      receipt_id: null,
      name,
      size: archive.size,
      assetType: archive.assetType,
      isFastUpload: nodeId === '',
      isAlreadyExist: exists,
      encrypted: upload.encrypted,
      nodeId,
      traceId: slots[0]?.TraceID ?? '',
    }
    const [found] = await Promise.all([findUploaded(upload, cid), finish(success(asset, api.lang))])
    if (found.url === '' && receipt !== '' && !upload.temporary) {
      const listed = await deliver(upload, archive, receipt)
      if (listed) return listed
    }
    return success({ ...asset, ...found, name: await findName(upload, cid) }, api.lang)
  } catch (error) {
    let result: Result<UploadedAsset> = toFailure('uploadError', { data: { reason: String(error) } })
    if (error instanceof Stop) result = error.failure
    else result = explain(error) ?? result
    if (signal.aborted)
      result = toFailure('cancelled', { data: { abort: true, ...(upload.paused() && { paused: true }) } })
    // The content was registered before its bytes were sent: remove it and release the quota.
    if (registered && archive && !upload.temporary && !(signal.aborted && upload.paused()))
      await api.call('uploads.cancel', { trace_id: slots[0]?.TraceID ?? '', asset_cid: archive.cid })
    return finish(result)
  }
}

/**
 * Delivers a node's receipt, for a node that could not. If the server refuses the receipt, the content is not stored.
 * @returns the refusal
 */
async function deliver(upload: Upload, archive: Archive, receipt: string): Promise<Result<never> | undefined> {
  const result = await upload.core.api.call('assets.create', {
    ...entryOf(upload, archive),
    asset_type: archive.assetType,
    need_trace: false,
    group_id: upload.groupId,
    receipt,
  })
  const exists = !isSuccess(result) && (result.data as { err?: number }).err === 1017
  return isSuccess(result) || exists ? undefined : (result as Result<never>)
}

/** Registers the content; the answer names nodes for the archive, or none if the network has it. */
function register(upload: Upload, archive: Archive): Promise<Result<CandidateSlot[]>> {
  const { core, areas, groupId, extraId, onConflict } = upload
  const common = { ...entryOf(upload, archive), asset_type: 'folder' as const, need_trace: true }
  if (upload.temporary) return core.api.call('tempFiles.create', { ...common, area_ids: areas })
  return core.api
    .call('assets.create', {
      ...common,
      group_id: groupId,
      area_id: areas,
      extra_id: extraId,
      ...(onConflict && { on_conflict: onConflict }),
    })
    .then((result) => (isSuccess(result) && !Array.isArray(result.data) ? { ...result, data: [] } : result))
}

const entryOf = ({ name, encrypted }: Upload, { cid, reserved }: Archive) => ({
  asset_name: name,
  asset_cid: cid,
  asset_size: reserved,
  encrypted,
})
