import type { ShareSearch } from '../../searches.ts'
import { ShareGate } from './share-gate.tsx'
import { SharedFile } from './shared-file.tsx'

/** Of a link's `area_id`: names of areas, joined by commas. */
export const areasOf = (text: string | undefined): string[] => text?.split(',').filter(Boolean) ?? []

/** The file that the search of an address names, behind its gate: its own link, or that of the folder it lies in. */
export function SharedFileOf({
  search: { cid: given, address, area_id, group },
  slim = false,
}: {
  search: ShareSearch
  slim?: boolean
}) {
  const cid = given === undefined ? undefined : String(given)
  return (
    <ShareGate cid={cid && group ? String(group) : cid} owner={address}>
      {(admitted) => (
        <SharedFile admitted={{ ...admitted, cid: cid ?? '' }} folder={group} areas={areasOf(area_id)} slim={slim} />
      )}
    </ShareGate>
  )
}
