import type { OnConflict } from '@tidenet/contract'
import { UPLOAD_URL_WAIT } from '@tidenet/contract/constants'
import { nameGiven } from '@tidenet/contract/name-given'
import type { Core } from '../core.ts'
import { isSuccess } from '../result.ts'

/** Waits between queries, ms; together they last as long as the specification says. */
const SHORT_WAITS = [100, 200, 300, 600]
const WAITS = [...SHORT_WAITS, UPLOAD_URL_WAIT - SHORT_WAITS.reduce((sum, wait) => sum + wait, 0)]

/** Where fresh content can be read, and the receipt of its upload. */
interface Uploaded {
  /** Empty if no node serves it yet. */
  url: string
  receipt_id: number | null
}

const NONE: Uploaded = { url: '', receipt_id: null }

/** Queries until a node serves fresh content, for at most two seconds. */
export async function findUploaded(
  { core, signal, temporary, areas }: { core: Core; signal: AbortSignal; temporary: boolean; areas: string[] },
  cid: string,
): Promise<Uploaded> {
  for (const wait of [...WAITS, 0]) {
    if (temporary) {
      // Querying the download address of an anonymous file would count as one of its few downloads.
      const result = await core.api.call('tempFiles.info', { cid })
      if (isSuccess(result)) return { ...NONE, url: result.data.share_url }
    } else {
      const result = await core.api.call('downloads.own', {
        asset_cid: cid,
        ...(areas.length > 0 && { area_id: areas }),
      })
      if (isSuccess(result) && result.data.url[0])
        return { url: result.data.url[0], receipt_id: result.data.receipt_id ?? null }
      // A retry helps only while no node has reported the content yet.
      if (!isSuccess(result) && result.code !== -1) return NONE
    }
    if (wait > 0) await core.pause(wait, signal).catch(() => {})
  }
  return NONE
}

/** The name that a file got; that which was asked for if the API key cannot list the folder. */
export async function findName(
  upload: { core: Core; name: string; groupId: number; temporary: boolean; onConflict: OnConflict | undefined },
  cid: string,
): Promise<string> {
  if (upload.onConflict !== 'keep_both' || upload.temporary) return upload.name
  const result = await upload.core.api.call('folders.contents', { parent: Math.max(0, upload.groupId), cid })
  return isSuccess(result) ? nameGiven(upload.name, result.data.list) : upload.name
}
