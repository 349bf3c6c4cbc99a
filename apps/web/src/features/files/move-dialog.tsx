import { useState } from 'react'
import { t } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { moveEntries } from './changes.ts'
import { type Entry, nameOf } from './entries.ts'
import { FolderTree } from './folder-tree.tsx'

interface MoveDialogProps {
  entries: readonly Entry[]
  /** Folder they lie in now. */
  from: number
  onClose: () => void
  onDone: () => void
}

export function MoveDialog({ entries, from, onClose, onDone }: MoveDialogProps) {
  const [target, setTarget] = useState(from)
  const [busy, setBusy] = useState(false)
  const [first] = entries
  const move = async () => {
    setBusy(true)
    await moveEntries(entries, target)
    onDone()
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.files.moveTitle(entries.length, first ? nameOf(first) : '')}
      description={t.files.moveHint}
      actions={
        <>
          <Button onClick={onClose}>{t.words.cancel}</Button>
          <Button look="primary" disabled={target === from} busy={busy} onClick={() => void move()}>
            {t.files.moveHere}
          </Button>
        </>
      }
    >
      <div className="-mx-2 max-h-80 overflow-y-auto">
        <FolderTree
          value={target}
          onChange={setTarget}
          without={entries.flatMap((entry) => (entry.kind === 'folder' ? [entry.group.ID] : []))}
        />
      </div>
    </Dialog>
  )
}
