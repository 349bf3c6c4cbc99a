import type { Result, Storage } from '@tidenet/storage'
import { isShortLink, openingOf, tokenOfShortLink } from '../../lib/opened-links.ts'
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
  return sdk.api.call('shortLinks.open', openingOf(tokenOfShortLink(userId) ?? '', password))
}
