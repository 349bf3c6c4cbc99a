import type { DownloadInfo } from '@tidenet/contract'
import { query, useQuery } from '../../lib/queries.ts'
import type { SharedRef } from '../preview/shared-info.ts'
import type { DownloadWish } from '../transfers/wish.ts'

const REFRESH_MS = 15_000

/** Where its copies are and on which terms others see it, looked at again and again. */
export function useSharedPlaces({ cid, owner, ticket, folder }: SharedRef) {
  return useQuery({
    ...query('assets.detail', {
      user_id: owner,
      cid,
      ...(ticket && { ticket }),
      ...(folder !== undefined && { group_id: folder }),
    }),
    refetchInterval: REFRESH_MS,
  })
}

/** A download of it. */
export const wishFor = (ref: SharedRef, info: DownloadInfo): DownloadWish => ({
  cid: ref.cid,
  name: info.file_name,
  size: info.size,
  assetType: info.asset_type,
  encrypted: info.encrypted,
  shared: {
    userId: ref.owner,
    ...(ref.ticket && { ticket: ref.ticket }),
    ...(ref.folder !== undefined && { groupId: ref.folder }),
    ...(ref.areas.length > 0 && { areas: [...ref.areas] }),
  },
})

/** Only numbers name folders. */
export const folderNumber = (cid: string | number | undefined): string | undefined =>
  cid !== undefined && /^\d+$/.test(String(cid)) ? String(cid) : undefined
