import { DropOverlay } from '../files/drop-overlay.tsx'
import { lastFolder } from '../files/last-folder.ts'
import { t } from '../files/texts.ts'

/** Says where files go that are held over a page of the console. */
export function ConsoleDrop() {
  return <DropOverlay folder={lastFolder()?.name ?? t.files.root} />
}
