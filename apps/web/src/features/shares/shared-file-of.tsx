import type { ShareSearch } from '../../searches.ts'
import { ShareGate } from './share-gate.tsx'
import { SharedFile } from './shared-file.tsx'

/** Parses `area_id` of a link: area names joined by commas. */
export const areasOf = (text: string | undefined): string[] => text?.split(',').filter(Boolean) ?? []

/** The file named by the search parameters, by its own share link or that of the folder that contains it. */
export function SharedFileOf({
  search: { cid: cidParam, address, area_id, group },
  embedded = false,
}: {
  search: ShareSearch
  embedded?: boolean
}) {
  const cid = cidParam === undefined ? undefined : String(cidParam)
  return (
    <ShareGate cid={cid && group ? String(group) : cid} owner={address}>
      {(access) => (
        <SharedFile
          access={{ ...access, cid: cid ?? '' }}
          folder={group}
          areas={areasOf(area_id)}
          embedded={embedded}
        />
      )}
    </ShareGate>
  )
}
