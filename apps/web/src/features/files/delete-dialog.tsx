import { useState } from 'react'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { trashEntries } from './changes.ts'
import { type Entry, nameOf } from './entries.ts'
import { t } from './texts.ts'

interface DeleteDialogProps {
  entries: readonly Entry[]
  onClose: () => void
  onDone: () => void
}

/** Confirms moving entries to the trash. */
export function DeleteDialog({ entries, onClose, onDone }: DeleteDialogProps) {
  const [busy, setBusy] = useState(false)
  const [first] = entries
  if (!first) return null
  const remove = async () => {
    setBusy(true)
    if (await trashEntries(entries)) onDone()
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.files.deleteTitle(entries.length, nameOf(first))}
      actions={
        <>
          <Button onClick={onClose}>{shell.words.cancel}</Button>
          <Button look="danger" busy={busy} onClick={() => void remove()}>
            {t.files.toTrash}
          </Button>
        </>
      }
    >
      <p>{describe(entries, first)}</p>
      <p className="mt-2 text-muted">{t.files.deleteKept}</p>
    </Dialog>
  )
}

function describe(entries: readonly Entry[], first: Entry): string {
  if (entries.length > 1) {
    const folders = entries.filter(({ kind }) => kind === 'folder').length
    return t.files.deleteMany(entries.length - folders, folders)
  }
  return first.kind === 'folder' ? t.files.deleteFolder(first.group.AssetCount) : t.files.deleteFile
}
