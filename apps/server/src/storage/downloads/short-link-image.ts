import { AppError } from '@tidenet/contract'
import type { Context } from '../context.ts'
import { requireImage } from '../shares/opening.ts'
import { openDownload } from './service.ts'

/**
 * The address of the image of a short link on a node. Its bytes count as traffic, but not as a download.
 * @throws AppError notFound, also if no node can send it now; tooManyRequests
 */
export async function imageAddress(
  context: Context,
  token: string,
  from: { ip: string; agent: string },
): Promise<string> {
  const { uid, cid, assetId, ticket } = await requireImage(context, token, from.ip)
  try {
    const { url } = await openDownload(context, { kind: 'visitor' }, from, {
      user_id: uid,
      asset_cid: cid,
      asset_id: assetId,
      ticket,
      preview: true,
      need_trace: false,
      area_id: undefined,
    })
    if (url[0]) return url[0]
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  throw new AppError('notFound')
}
