import type { Result, Storage } from '@tidenet/storage'
import { isShortLink, proofOfShortLink, tokenOfShortLink } from '../../lib/opened-links.ts'
import type { DownloadRequest } from './download-request.ts'

type Shared = NonNullable<DownloadRequest['shared']>

/** The share token of a download, and how to get a new one: downloads may take longer than the hour for which it is valid. */
export const ticketOf = (sdk: Storage, cid: string, shared: Shared) =>
  shared.shareToken && { ticket: shared.shareToken, renewTicket: () => openAgain(sdk, cid, shared) }

/** The link opens as it did, unless its owner changed that. */
function openAgain(
  sdk: Storage,
  file: string,
  { userId, groupId, password = '' }: Shared,
): Promise<Result<{ ticket: string }>> {
  const cid = groupId === undefined ? file : String(groupId)
  if (!isShortLink(userId)) return sdk.api.call('shares.check', { cid, username: userId, password })
  const token = tokenOfShortLink(userId) ?? ''
  const proof = proofOfShortLink(token)
  return sdk.api.call('shortLinks.open', { token, password, ...(proof !== undefined && { proof }) })
}
