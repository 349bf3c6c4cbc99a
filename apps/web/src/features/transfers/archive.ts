import type { ArchiveProgress, ArchiveTask, Storage } from '@tidenet/storage'
import { useVault } from '../vault/store.ts'
import { type ArchiveRequest, savedName } from './download-request.ts'
import { ticketOf } from './share-ticket.ts'

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
              ...ticketOf(sdk, request.cid, shared),
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
