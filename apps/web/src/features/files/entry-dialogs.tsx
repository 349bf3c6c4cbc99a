import { SHARE } from '@tidenet/contract/storage-enums'
import { lazy, Suspense } from 'react'
import { t as shell } from '../../lib/texts.ts'
import { DecryptDialog } from '../transfers/decrypt-dialog.tsx'
import type { DownloadWish } from '../transfers/wish.ts'
import { renameEntry } from './changes.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { type Entry, nameLimit, nameOf, sizeOf, targetsOf } from './entries.ts'
import type { EntryAction } from './entry-menu.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { NameDialog } from './name-dialog.tsx'
import { t } from './texts.ts'

// The map of the copies and the share form come with them.
const DetailsPanel = lazy(async () => ({ default: (await import('./details-panel.tsx')).DetailsPanel }))
const ShareDialog = lazy(async () => ({ default: (await import('../shares/share-dialog.tsx')).ShareDialog }))

/** What is to be done with which rows. */
export interface Task {
  action: EntryAction
  entries: readonly Entry[]
}

interface EntryDialogsProps {
  task: Task
  onClose: () => void
  /** Rows have gone. */
  onDone: () => void
  onTask: (task: Task) => void
}

/** The dialog of a task. */
export function EntryDialogs({ task: { action, entries }, onClose, onDone, onTask }: EntryDialogsProps) {
  const [entry] = entries
  if (!entry) return null
  switch (action) {
    case 'open':
    case 'details':
      return (
        <Suspense>
          <DetailsPanel entry={entry} onClose={onClose} onAction={(next) => onTask({ action: next, entries })} />
        </Suspense>
      )
    case 'share':
      return (
        <Suspense>
          <ShareDialog item={shareItem(entry)} onClose={onClose} />
        </Suspense>
      )
    case 'rename':
      return (
        <NameDialog
          title={t.files.renameTitle(nameOf(entry))}
          label={t.files.newName}
          action={shell.words.save}
          initial={nameOf(entry)}
          max={nameLimit(entry)}
          onClose={onClose}
          onSubmit={(name) => renameEntry(entry, name)}
        />
      )
    case 'move':
      return <MoveDialog entries={entries} onClose={onClose} onDone={onDone} />
    case 'delete':
      return <DeleteDialog entries={entries} onClose={onClose} onDone={onDone} />
    case 'download': {
      const wish = wishOf(entries)
      return wish && <DecryptDialog wish={wish} onClose={onClose} />
    }
  }
}

/** What a download of these rows asks for: one asset as it is, several and folders as one tar. */
export function wishOf(entries: readonly Entry[]): DownloadWish | undefined {
  const [entry] = entries
  if (!entry) return undefined
  if (entries.length === 1 && entry.kind === 'asset') {
    const { UserAssetDetail, AssetRecord } = entry.asset
    return {
      cid: AssetRecord.CID,
      name: UserAssetDetail.AssetName,
      size: UserAssetDetail.TotalSize,
      assetType: UserAssetDetail.AssetType,
      encrypted: UserAssetDetail.Encrypted,
    }
  }
  return {
    cid: '',
    name: entries.length === 1 ? nameOf(entry) : t.files.archiveName(entries.length),
    size: entries.reduce((sum, each) => sum + sizeOf(each), 0),
    assetType: 'folder',
    archive: targetsOf(entries),
    encrypted: false,
  }
}

const shareItem = (entry: Entry) =>
  entry.kind === 'folder'
    ? {
        id: String(entry.group.ID),
        name: entry.group.Name,
        shared: entry.group.ShareStatus !== SHARE.off,
        isFolder: true,
      }
    : {
        id: entry.asset.AssetRecord.CID,
        name: entry.asset.UserAssetDetail.AssetName,
        shared: entry.asset.UserAssetDetail.ShareStatus !== SHARE.off,
        isFolder: false,
      }
