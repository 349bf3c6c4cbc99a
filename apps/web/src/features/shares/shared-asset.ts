import type { DownloadInfo } from '@tidenet/contract'
import { query, useQuery } from '../../lib/queries.ts'
import type { DownloadWish } from '../transfers/downloads.ts'

/** Somebody's file, and what opens it. */
export interface SharedRef {
  cid: string
  owner: string
  ticket?: string | undefined
  /** The shared folder that it lies in. */
  folder?: number | undefined
  /** Countries that the link is limited to; none: everywhere. */
  areas: readonly string[]
}

const REFRESH_MS = 15_000

/** What it is and who can send it now; the question does not count as a download. */
export function useSharedInfo({ cid, owner, ticket, folder, areas }: SharedRef, enabled = true) {
  return useQuery({
    ...query('downloads.open', {
      user_id: owner,
      asset_cid: cid,
      preview: true,
      need_trace: false,
      ...(ticket && { ticket }),
      ...(folder !== undefined && { group_id: folder }),
      ...(areas.length > 0 && { area_id: [...areas] }),
    }),
    enabled,
    staleTime: 30 * 60_000,
    refetchOnWindowFocus: false,
  })
}

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
