import { DropOverlay } from '../files/drop-overlay.tsx'
import { lastFolder } from '../files/last-folder.ts'
import { t } from '../files/texts.ts'

/** Overlay that names the target folder while files are dragged over a console page. */
export function ConsoleDrop() {
  return <DropOverlay folder={lastFolder()?.name ?? t.files.root} />
}
