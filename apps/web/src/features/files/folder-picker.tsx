import { useState } from 'react'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FolderTree } from './folder-tree.tsx'
import { t } from './texts.ts'
import type { DropFolder } from './use-drop.ts'

/** Selects a folder of the account. */
export function FolderPicker({
  value,
  onClose,
  onChoose,
}: {
  value: DropFolder
  onClose: () => void
  onChoose: (folder: DropFolder) => void
}) {
  const [folder, setFolder] = useState(value)
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.upload.chooseFolder}
      actions={
        <>
          <Button onClick={onClose}>{shell.words.cancel}</Button>
          <Button look="primary" onClick={() => onChoose(folder)}>
            {t.upload.chooseThis}
          </Button>
        </>
      }
    >
      <div className="-mx-2 max-h-80 overflow-y-auto">
        <FolderTree value={folder.id} onChange={(id, name) => setFolder({ id, name })} />
      </div>
    </Dialog>
  )
}
