import { type ReactNode, useState } from 'react'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FolderTree } from './folder-tree.tsx'
import { t } from './texts.ts'
import type { DropFolder } from './use-drop.ts'

/** Selects a folder of the account, or with `children` something in it. */
export function FolderPicker({
  value,
  title = t.upload.chooseFolder,
  action = t.upload.chooseIt,
  intro,
  children,
  onClose,
  onChoose,
}: {
  value: DropFolder
  title?: string
  /** The text of the button. */
  action?: string
  intro?: ReactNode
  /** What to choose in the folder, below the tree. */
  children?: (folder: DropFolder) => ReactNode
  onClose: () => void
  onChoose: (folder: DropFolder) => void
}) {
  const [folder, setFolder] = useState(value)
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={intro}
      actions={
        <>
          <Button onClick={onClose}>{shell.words.cancel}</Button>
          <Button look="primary" onClick={() => onChoose(folder)}>
            {action}
          </Button>
        </>
      }
    >
      <div className={children ? '-mx-2 max-h-52 overflow-y-auto' : '-mx-2 max-h-80 overflow-y-auto'}>
        <FolderTree value={folder.id} onChange={(id, name) => setFolder({ id, name })} />
      </div>
      {children?.(folder)}
    </Dialog>
  )
}
