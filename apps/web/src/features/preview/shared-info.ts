import { query, useQuery } from '../../lib/queries.ts'

/** Reference to a shared file, with its share token. */
export interface SharedRef {
  cid: string
  owner: string
  shareToken?: string | undefined
  /** What opened the link, for downloads that outlast the share token. */
  password?: string | undefined
  /** The shared folder that contains it. */
  folder?: number | undefined
  /** Areas that the link is restricted to; empty: all. */
  areas: readonly string[]
}

/** Metadata and download sources of a shared file. Does not count as a download. */
export function useSharedInfo({ cid, owner, shareToken, folder, areas }: SharedRef, enabled = true) {
  return useQuery({
    ...query('downloads.open', {
      user_id: owner,
      asset_cid: cid,
      preview: true,
      need_trace: false,
      ...(shareToken && { ticket: shareToken }),
      ...(folder !== undefined && { group_id: folder }),
      ...(areas.length > 0 && { area_id: [...areas] }),
    }),
    enabled,
    staleTime: 30 * 60_000,
    refetchOnWindowFocus: false,
  })
}
