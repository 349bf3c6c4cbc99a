import { lazy, Suspense } from 'react'
import { toast } from '../../ui/toast.ts'
import { t } from './texts.ts'

const FolderPicker = lazy(async () => ({ default: (await import('../files/folder-picker.tsx')).FolderPicker }))

interface Chosen {
  id: number
  name: string
}

/** Chooses a folder of the account's storage for an API key that is limited to it. */
export function FolderDialog({
  value,
  onClose,
  onChoose,
}: {
  value: Chosen | undefined
  onClose: () => void
  onChoose: (folder: Chosen) => void
}) {
  return (
    <Suspense>
      <FolderPicker
        value={value ?? { id: 0, name: '' }}
        onClose={onClose}
        onChoose={(chosen) => {
          // A key for the root folder would not be limited to one folder.
          if (chosen.id === 0) return toast.error(t.files.folderMissing)
          onChoose(chosen)
          onClose()
        }}
      />
    </Suspense>
  )
}
