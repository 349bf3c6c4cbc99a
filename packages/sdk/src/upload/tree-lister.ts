import { UPLOAD_BATCH_MAX } from '@tidenet/contract/constants'
import { isSuccess } from '../result.ts'
import type { Stored, TreeUpload } from './tree-upload.ts'

/** Stored files are listed at the latest after this time, so that an interruption leaves few of them. */
const FLUSH_MS = 1000
/** The server's error for content that the account has already. */
const EXISTS = 1017

/** Lists stored files in the account, in batches, while others are sent. */
export function createLister(upload: TreeUpload) {
  const { core } = upload
  let waiting: Stored[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let last: Promise<void> = Promise.resolve()

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting
    waiting = []
    if (batch.length > 0) last = last.then(() => list(batch))
    return last
  }
  // Cannot be cancelled: the server may have processed it already.
  const list = async (batch: readonly Stored[]): Promise<void> => {
    const answer = await core.api.call('folderUploads.create', {
      trace_id: upload.traceId,
      ...(upload.areas.length > 0 && { area_id: upload.areas }),
      ...(upload.allowEmpty && { allow_empty: true }),
      files: batch.map(({ file, cid, md5, receipt, proof }) => ({
        item: file.item,
        asset_name: file.name,
        asset_cid: cid,
        asset_size: file.size,
        group_id: file.folder,
        md5,
        encrypted: upload.seal !== undefined,
        // The former bytes stay as a version.
        on_conflict: file.replaces === undefined ? ('keep_both' as const) : ('replace' as const),
        ...(receipt && { receipt }),
        ...(proof && { proof }),
      })),
    })
    batch.forEach(({ file, cid }, index) => {
      const { path, size } = file
      if (!isSuccess(answer)) {
        upload.done({ path, size, state: 'failed', cid: '', failure: answer })
        return
      }
      const result = answer.data.results[index]
      if (result?.ok) upload.done({ path, size, state: 'uploaded', cid })
      else if (result?.err === EXISTS) upload.done({ path, size, state: 'same', cid })
      else {
        const data = result?.err === undefined ? {} : { err: result.err }
        const failure = core.toFailure('uploadError', { msg: result?.msg ?? '', data })
        upload.done({ path, size, state: 'failed', cid: '', failure })
      }
    })
  }

  return {
    add(stored: Stored): void {
      waiting.push(stored)
      if (waiting.length >= UPLOAD_BATCH_MAX) void flush()
      else timer ??= setTimeout(() => void flush(), FLUSH_MS)
    },
    /** Lists what is left; resolves when all results are known. */
    finish: flush,
  }
}
