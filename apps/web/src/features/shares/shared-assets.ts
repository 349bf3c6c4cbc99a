import type { DownloadInfo } from '@tidenet/contract'
import { query, useQuery } from '../../lib/queries.ts'
import type { SharedRef } from '../preview/shared-info.ts'
import type { DownloadRequest } from '../transfers/download-request.ts'

const REFRESH_MS = 15_000

/** Replicas and terms of a shared asset, polled. */
export function useReplicas({ cid, owner, shareToken, folder }: SharedRef) {
  return useQuery({
    ...query('assets.detail', {
      user_id: owner,
      cid,
      ...(shareToken && { ticket: shareToken }),
      ...(folder !== undefined && { group_id: folder }),
    }),
    refetchInterval: REFRESH_MS,
  })
}

/** A download of a shared asset. */
export const downloadRequestFor = (ref: SharedRef, info: DownloadInfo): DownloadRequest => ({
  cid: ref.cid,
  name: info.file_name,
  size: info.size,
  assetType: info.asset_type,
  encrypted: info.encrypted,
  shared: {
    userId: ref.owner,
    ...(ref.shareToken && { shareToken: ref.shareToken }),
    ...(ref.password && { password: ref.password }),
    ...(ref.folder !== undefined && { groupId: ref.folder }),
    ...(ref.areas.length > 0 && { areas: [...ref.areas] }),
  },
})

/** The folder number, or undefined for a CID. */
export const folderNumber = (cid: string | number | undefined): string | undefined =>
  cid !== undefined && /^\d+$/.test(String(cid)) ? String(cid) : undefined
