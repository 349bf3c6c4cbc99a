import { DownloadDialog } from './download-dialog.tsx'
import { UploadPanel } from './upload-panel.tsx'

/** Uploads and downloads, shown over every page. */
export function Transfers() {
  return (
    <>
      <UploadPanel />
      <DownloadDialog />
    </>
  )
}
