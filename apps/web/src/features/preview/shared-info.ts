import { query, useQuery } from '../../lib/queries.ts'

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
