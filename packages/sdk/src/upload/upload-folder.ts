import { type ContentError, isContentError, MAX_FOLDER_ENTRIES } from '@tidenet/content'
import { type FolderEntry, type FolderPlan, planFolder } from '@tidenet/content/folder'
import type { CandidateSlot, TraceDetail } from '@tidenet/contract'
import { TEMP_FILE_MAX } from '@tidenet/contract/constants'
import type { PathedSource } from '../bytes.ts'
import { type Failure, isSuccess, need, type Result, Stop, success, type ToFailure } from '../result.ts'
import { archiveSource } from './archive-source.ts'
import { findUploaded } from './find-uploaded.ts'
import { sendToNodes } from './send-to-nodes.ts'
import type { UploadedAsset } from './types.ts'
import { reportUpload, type Upload } from './upload-file.ts'

/**
 * Uploads a folder: hashes it to compute its CID, registers it, then reads it again to send it as an archive. Memory grows with the number
 * of files, not with their size.
 */
export async function uploadFolder(
  upload: Upload,
  files: () => AsyncIterable<PathedSource>,
  onPacked: (bytes: number, total: number) => void,
): Promise<Result<UploadedAsset>> {
  const { core, signal, name } = upload
  const { toFailure, api } = core
  const began = Date.now()
  const attempts: TraceDetail[] = []
  let plan: FolderPlan | undefined
  let slots: CandidateSlot[] = []
  let registered = false
  /** Path of the file being read. */
  let path = ''
  const finish = (result: Result<UploadedAsset>) => {
    const [slot] = slots
    if (!slot) return result
    const info = { TraceID: slot.TraceID, available_nodes: slots.length, List: slots }
    return reportUpload(upload, result, { info, attempts, began, size: plan?.carSize ?? 0 })
  }
  try {
    plan = await planFolder(
      entries(files(), (next) => {
        path = next
      }),
      {
        signal,
        onProgress: ({ bytes }) => onPacked(bytes, 0),
      },
    )
    if (plan.files === 0 && plan.folders === 0) return toFailure('sizeError')
    if (upload.temporary && plan.carSize > TEMP_FILE_MAX) return toFailure('sizeError', { phrase: 'uploadTooLarge' })
    onPacked(0, plan.carSize)
    const cid = plan.root.toString()
    const made = await register(upload, cid, plan.carSize)
    const exists = made.code !== 0 && (made.data as { err?: number }).err === 1017
    if (!exists) slots = need(made)
    registered = slots.length > 0
    let nodeId = ''
    if (slots.length > 0) {
      const stored = await sendToNodes(
        {
          platform: core.platform,
          source: archiveSource(plan, `${name}.car`),
          name: `${name}.car`,
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
            fingerprint: [api.url, upload.groupId, cid, plan.carSize].join('|'),
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
    }
    upload.onState('finishing', { node: nodeId, attempt: 0, loaded: plan.carSize })
    return await finish(
      success(
        {
          cid,
          ...(await findUploaded(upload, cid)),
          name,
          size: plan.contentSize,
          assetType: 'folder',
          isFastUpload: nodeId === '',
          isAlreadyExist: exists,
          encrypted: upload.encrypted,
          nodeId,
          traceId: slots[0]?.TraceID ?? '',
        },
        api.lang,
      ),
    )
  } catch (error) {
    let result: Result<UploadedAsset> = toFailure('uploadError', { data: { reason: String(error) } })
    if (error instanceof Stop) result = error.failure
    else if (isContentError(error)) result = contentFailure(toFailure, error, path)
    if (signal.aborted)
      result = toFailure('cancelled', { data: { abort: true, ...(upload.paused() && { paused: true }) } })
    // The folder was registered before its bytes were sent: remove it and release the quota.
    if (registered && plan && !upload.temporary && !(signal.aborted && upload.paused()))
      await api.call('uploads.cancel', { trace_id: slots[0]?.TraceID ?? '', asset_cid: plan.root.toString() })
    return finish(result)
  }
}

/** Why a folder is refused: it could not be downloaded again, or it changed while it was read. */
function contentFailure(toFailure: ToFailure, { code, message }: ContentError, path: string): Failure {
  if (code === 'bad-path')
    return toFailure('uploadError', { phrase: 'folderPath', fill: [JSON.stringify(path.slice(0, 200))] })
  if (code === 'too-large') return toFailure('uploadError', { phrase: 'folderEntries', fill: [MAX_FOLDER_ENTRIES] })
  return toFailure('uploadError', { phrase: 'uploadFailed', fill: [message] })
}

async function* entries(
  files: AsyncIterable<PathedSource>,
  onEntry: (path: string) => void,
): AsyncIterable<FolderEntry> {
  for await (const { path, source } of files) {
    onEntry(path)
    yield { path, size: source.size, open: () => source.read(0, source.size) }
  }
}

/** Registers the folder; the answer names nodes for the archive, or none if the network has it. */
function register(upload: Upload, cid: string, carSize: number): Promise<Result<CandidateSlot[]>> {
  const { core, name, areas, groupId, extraId, onConflict } = upload
  const common = {
    asset_name: name,
    asset_type: 'folder' as const,
    asset_cid: cid,
    asset_size: carSize,
    need_trace: true,
    encrypted: upload.encrypted,
  }
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
