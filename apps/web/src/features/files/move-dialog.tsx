import { useState } from 'react'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { moveEntries } from './changes.ts'
import { type Entry, homeOf, nameOf } from './entries.ts'
import { FolderTree } from './folder-tree.tsx'
import { t } from './texts.ts'

interface MoveDialogProps {
  entries: readonly Entry[]
  onClose: () => void
  onDone: () => void
}

export function MoveDialog({ entries, onClose, onDone }: MoveDialogProps) {
  const [first] = entries
  const from = first ? homeOf(first) : 0
  // Of things found in several folders any may be the place to go to.
  const together = entries.every((entry) => homeOf(entry) === from)
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
            disabled={target.name === '' || (together && target.id === from)}
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
          without={entries.flatMap((entry) => (entry.kind === 'folder' ? [entry.group.ID] : []))}
        />
      </div>
    </Dialog>
  )
}
