import { NAME_MAX } from '@tidenet/contract/constants'
import { lazy, Suspense, useState } from 'react'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { askVault } from '../vault/ask.ts'
import { createFolder } from './changes.ts'
import { t } from './texts.ts'

// Loaded on demand, but not the field for the name: people type the name at once.
const FolderEncryption = lazy(async () => ({ default: (await import('./folder-encryption.tsx')).FolderEncryption }))

interface Props {
  parent: number
  /** The parent is encrypted, and so is every folder in it. */
  inherited: boolean
  onClose: () => void
}

/** Creates a folder. The first encrypted one leads through setting up encryption. */
export function NewFolderDialog({ parent, inherited, onClose }: Props) {
  const [encrypted, setEncrypted] = useState(false)
  const [hidden, setHidden] = useState(false)
  const create = async (name: string) => {
    if (!encrypted || inherited) return createFolder(name, parent)
    // Two dialogs would fight for the focus.
    setHidden(true)
    const key = await askVault()
    setHidden(false)
    return key ? createFolder(name, parent, true) : false
  }
  return (
    <NameDialog
      title={t.files.newFolder}
      label={t.files.folderName}
      action={t.files.create}
      max={NAME_MAX}
      hidden={hidden}
      onClose={onClose}
      onSubmit={create}
    >
      <div className="mt-4 min-h-20">
        <Suspense>
          <FolderEncryption inherited={inherited} encrypted={encrypted} onChange={setEncrypted} />
        </Suspense>
      </div>
    </NameDialog>
  )
}
