import { useState } from 'react'
import { t } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { removeEntries } from './changes.ts'
import { type Entry, nameOf } from './entries.ts'

interface DeleteDialogProps {
  entries: readonly Entry[]
  onClose: () => void
  onDone: () => void
}

/** Says what is about to go, and how much, before it goes. */
export function DeleteDialog({ entries, onClose, onDone }: DeleteDialogProps) {
  const [busy, setBusy] = useState(false)
  const [first] = entries
  if (!first) return null
  const remove = async () => {
    setBusy(true)
    await removeEntries(entries)
    onDone()
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.files.deleteTitle(entries.length, nameOf(first))}
      actions={
        <>
          <Button onClick={onClose}>{t.words.cancel}</Button>
          <Button look="danger" busy={busy} onClick={() => void remove()}>
            {t.words.delete}
          </Button>
        </>
      }
    >
      <p>{whatGoes(entries, first)}</p>
      <p className="mt-2 text-muted">{t.files.deleteForGood}</p>
    </Dialog>
  )
}

function whatGoes(entries: readonly Entry[], first: Entry): string {
  if (entries.length > 1) {
    const folders = entries.filter(({ kind }) => kind === 'folder').length
    return t.files.deleteMany(entries.length - folders, folders)
  }
  return first.kind === 'folder' ? t.files.deleteFolder(first.group.AssetCount) : t.files.deleteFile
}
