import { useState } from 'react'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { moveEntries } from './changes.ts'
import { type Entry, nameOf, parentOf } from './entries.ts'
import { FolderTree } from './folder-tree.tsx'
import { t } from './texts.ts'

interface MoveDialogProps {
  entries: readonly Entry[]
  onClose: () => void
  onDone: () => void
}

export function MoveDialog({ entries, onClose, onDone }: MoveDialogProps) {
  const [first] = entries
  const from = first ? parentOf(first) : 0
  // Search results may be in different folders; then every folder is a valid target.
  const sameParent = entries.every((entry) => parentOf(entry) === from)
  const [target, setTarget] = useState({ id: from, name: '' })
  const [busy, setBusy] = useState(false)
  const move = async () => {
    setBusy(true)
    if (await moveEntries(entries, target)) onDone()
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
          <Button onClick={onClose}>{shell.words.cancel}</Button>
          <Button
            look="primary"
            disabled={target.name === '' || (sameParent && target.id === from)}
            busy={busy}
            onClick={() => void move()}
          >
            {t.files.moveHere}
          </Button>
        </>
      }
    >
      <div className="-mx-2 max-h-80 overflow-y-auto">
        <FolderTree
          value={target.id}
          onChange={(id, name) => setTarget({ id, name })}
          exclude={entries.flatMap((entry) => (entry.kind === 'folder' ? [entry.group.ID] : []))}
        />
      </div>
    </Dialog>
  )
}
