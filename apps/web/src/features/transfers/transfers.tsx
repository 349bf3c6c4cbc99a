import { DownloadDialog } from './download-dialog.tsx'
import { UploadPanel } from './upload-panel.tsx'

/** What is being uploaded and downloaded, over whatever page one looks at. */
export function Transfers() {
  return (
    <>
      <UploadPanel />
      <DownloadDialog />
    </>
  )
}
