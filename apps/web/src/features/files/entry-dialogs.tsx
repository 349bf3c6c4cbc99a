import { t } from '../../lib/texts.ts'
import { ShareDialog } from '../shares/share-dialog.tsx'
import { DecryptDialog } from '../transfers/decrypt-dialog.tsx'
import type { DownloadWish } from '../transfers/downloads.ts'
import { renameEntry } from './changes.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { DetailsPanel } from './details-panel.tsx'
import { type Entry, nameLimit, nameOf } from './entries.ts'
import type { EntryAction } from './entry-menu.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { NameDialog } from './name-dialog.tsx'

/** What is to be done with which rows. */
export interface Task {
  action: EntryAction
  entries: readonly Entry[]
}

interface EntryDialogsProps {
  task: Task
  /** Folder that is looked at. */
  folder: number
  onClose: () => void
  /** Rows have gone. */
  onDone: () => void
}

/** The dialog of a task. */
export function EntryDialogs({ task: { action, entries }, folder, onClose, onDone }: EntryDialogsProps) {
  const [entry] = entries
  if (!entry) return null
  switch (action) {
    case 'details':
      return <DetailsPanel entry={entry} onClose={onClose} />
    case 'share':
      return <ShareDialog item={shareItem(entry)} onClose={onClose} />
    case 'rename':
      return (
        <NameDialog
          title={t.files.renameTitle(nameOf(entry))}
          label={t.files.newName}
          action={t.words.save}
          initial={nameOf(entry)}
          max={nameLimit(entry)}
          onClose={onClose}
          onSubmit={(name) => renameEntry(entry, name)}
        />
      )
    case 'move':
      return <MoveDialog entries={entries} from={folder} onClose={onClose} onDone={onDone} />
    case 'delete':
      return <DeleteDialog entries={entries} onClose={onClose} onDone={onDone} />
    case 'download': {
      const wish = wishOf(entry)
      return wish && <DecryptDialog wish={wish} onClose={onClose} />
    }
  }
}

/** What a download of this row asks for; nothing for a folder, whose files are downloaded one by one. */
export function wishOf(entry: Entry): DownloadWish | undefined {
  if (entry.kind === 'folder') return undefined
  const { UserAssetDetail, AssetRecord } = entry.asset
  return {
    cid: AssetRecord.CID,
    name: UserAssetDetail.AssetName,
    size: UserAssetDetail.TotalSize,
    assetType: UserAssetDetail.AssetType,
    encrypted: UserAssetDetail.Encrypted,
  }
}

const shareItem = (entry: Entry) =>
  entry.kind === 'folder'
    ? { id: String(entry.group.ID), name: entry.group.Name, shared: entry.group.ShareStatus > 0, isFolder: true }
    : {
        id: entry.asset.AssetRecord.CID,
        name: entry.asset.UserAssetDetail.AssetName,
        shared: entry.asset.UserAssetDetail.ShareStatus > 0,
        isFolder: false,
      }
