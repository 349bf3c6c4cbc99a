import { FileUp, FolderUp } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { t } from './texts.ts'
import type { UploadOptions } from './upload-list.ts'
import { AreaFields, CarField, EncryptionFields, FolderField, useUploadOptions } from './upload-options.tsx'

interface Props {
  open: boolean
  onClose: () => void
  /** Opens the browser's own dialog for files or a folder. */
  onChoose: (kind: 'files' | 'folder', options: Omit<UploadOptions, 'folder'>) => void
}

/** Areas and encryption, before choosing files. */
export function UploadOptionsDialog({ open, onClose, onChoose }: Props) {
  const { fields, setFields, read } = useUploadOptions()
  const choose = (kind: 'files' | 'folder') => {
    const options = read()
    if (options) onChoose(kind, options)
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t.optionsTitle}
      actions={
        <>
          <Button icon={<FolderUp aria-hidden className="size-4" />} onClick={() => choose('folder')}>
            {t.chooseFolder}
          </Button>
          <Button look="primary" icon={<FileUp aria-hidden className="size-4" />} onClick={() => choose('files')}>
            {t.chooseFiles}
          </Button>
        </>
      }
    >
      <AreaFields fields={fields} onChange={setFields} />
      <div className="mt-6 flex flex-col gap-4">
        <FolderField fields={fields} onChange={setFields} />
        <CarField fields={fields} onChange={setFields} />
        <EncryptionFields fields={fields} onChange={setFields} />
      </div>
    </Dialog>
  )
}
