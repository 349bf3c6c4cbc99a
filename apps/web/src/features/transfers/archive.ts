import type { ArchiveProgress, ArchiveTask, Result, Storage } from '@tidenet/storage'
import { isShortLink, proofOfShortLink, tokenOfShortLink } from '../../lib/opened-links.ts'
import { useVault } from '../vault/store.ts'
import { type ArchiveRequest, type DownloadRequest, savedName } from './download-request.ts'

/**
 * Downloads several files and folders of the account or of a share as one tar or ZIP. Files of encrypted folders are decrypted if their key is unlocked;
 * other encrypted files are as they are stored, with `.age` after their names.
 */
export function downloadArchive(
  sdk: Storage,
  request: ArchiveRequest,
  onProgress: (progress: ArchiveProgress) => void,
): ArchiveTask {
  const identity = useVault.getState().key?.identity
  const { format, entries = [], ...items } = request.archive
  const { shared } = request
  return sdk.downloadArchive(
    {
      ...(shared
        ? {
            shared: {
              userId: shared.userId,
              groupId: shared.groupId ?? 0,
              ...(shared.shareToken && { ticket: shared.shareToken, renewTicket: () => openAgain(sdk, shared) }),
              folders: items.folders,
              entries,
            },
          }
        : { items }),
      format,
      name: savedName(request),
      ...(request.handle && { to: { handle: request.handle } }),
      ...(identity && { decrypt: { identities: [identity] } }),
    },
    onProgress,
  )
}

/** A new share token: the link opens as it did, unless its owner changed that. */
function openAgain(
  sdk: Storage,
  { userId, groupId = 0, password = '' }: NonNullable<DownloadRequest['shared']>,
): Promise<Result<{ ticket: string }>> {
  if (!isShortLink(userId)) return sdk.api.call('shares.check', { cid: String(groupId), username: userId, password })
  const token = tokenOfShortLink(userId) ?? ''
  const proof = proofOfShortLink(token)
  return sdk.api.call('shortLinks.open', { token, password, ...(proof !== undefined && { proof }) })
}
