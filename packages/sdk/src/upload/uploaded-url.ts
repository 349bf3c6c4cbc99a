import { UPLOAD_URL_WAIT } from '@tidenet/contract/constants'
import type { Core } from '../core.ts'
import { isSuccess } from '../result.ts'

/** Waits between questions, ms; the last one makes them as long as the specification says. */
const SHORT_WAITS = [100, 200, 300, 600]
const WAITS = [...SHORT_WAITS, UPLOAD_URL_WAIT - SHORT_WAITS.reduce((sum, wait) => sum + wait, 0)]

/** Where fresh content can be fetched: asked until a node answers for it, for two seconds at most. Empty when none does. */
export async function uploadedUrl(
  { core, signal, temporary, areas }: { core: Core; signal: AbortSignal; temporary: boolean; areas: string[] },
  cid: string,
): Promise<string> {
  for (const wait of [...WAITS, 0]) {
    if (temporary) {
      // Asking for the address of an anonymous file would count as one of its few downloads.
      const result = await core.api.call('tempFiles.info', { cid })
      if (isSuccess(result)) return result.data.share_url
    } else {
      const result = await core.api.call('downloads.own', {
        asset_cid: cid,
        ...(areas.length > 0 && { area_id: areas }),
      })
      if (isSuccess(result) && result.data.url[0]) return result.data.url[0]
      // Asking again helps only while the network has not yet heard of it.
      if (!isSuccess(result) && result.code !== -1) return ''
    }
    if (wait > 0) await core.pause(wait, signal).catch(() => {})
  }
  return ''
}
