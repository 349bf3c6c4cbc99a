import { ASSET_NAME_MAX } from '@tidenet/contract/constants'
import { lazy, Suspense } from 'react'
import { t as shell } from '../../lib/texts.ts'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { DecryptDialog } from '../transfers/decrypt-dialog.tsx'
import type { DownloadRequest } from '../transfers/download-request.ts'
import { renameEntry } from './changes.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { type Entry, idsOf, isEncrypted, nameOf, sizeOf } from './entries.ts'
import type { EntryAction } from './entry-menu.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { ProgramDialog } from './program-dialog.tsx'
import { t } from './texts.ts'

// Loaded on demand: they include the map and the share form.
const DetailsPanel = lazy(async () => ({ default: (await import('./details-panel.tsx')).DetailsPanel }))
const PublishDialog = lazy(async () => ({ default: (await import('../shares/publish-dialog.tsx')).PublishDialog }))
const ShareDialog = lazy(async () => ({ default: (await import('../shares/share-dialog.tsx')).ShareDialog }))

/** An action on entries. */
export interface Task {
  action: EntryAction
  entries: readonly Entry[]
}

interface EntryDialogsProps {
  task: Task
  onClose: () => void
  /** Entries were moved or deleted. */
  onDone: () => void
  onTask: (task: Task) => void
}

/** The dialog of a task. */
export function EntryDialogs({ task: { action, entries }, onClose, onDone, onTask }: EntryDialogsProps) {
  const [entry] = entries
  if (!entry) return null
  switch (action) {
    case 'preview':
      return null
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
    case 'publish':
      return (
        <Suspense>
          <PublishDialog item={publishItem(entry)} onClose={onClose} />
        </Suspense>
      )
    case 'rename':
      return (
        <NameDialog
          title={t.files.renameTitle(nameOf(entry))}
          label={t.files.newName}
          action={shell.words.save}
          initial={nameOf(entry)}
          max={ASSET_NAME_MAX}
          onClose={onClose}
          onSubmit={(name) => renameEntry(entry, name)}
        />
      )
    case 'move':
      return <MoveDialog entries={entries} onClose={onClose} onDone={onDone} />
    case 'program':
      return <ProgramDialog entry={entry} onClose={onClose} />
    case 'delete':
      return <DeleteDialog entries={entries} onClose={onClose} onDone={onDone} />
    case 'download': {
      const wish = wishOf(entries)
      return wish && <DecryptDialog request={wish} onClose={onClose} />
    }
  }
}

/** The download of these entries: a single asset as it is, several or folders as an archive. @param zip also a single one as ZIP */
export function wishOf(entries: readonly Entry[], zip = false): DownloadRequest | undefined {
  const [entry] = entries
  if (!entry) return undefined
  if (entries.length === 1 && entry.kind === 'asset' && !zip) {
    const { UserAssetDetail, AssetRecord } = entry.asset
    return {
      cid: AssetRecord.CID,
      name: UserAssetDetail.AssetName,
      size: UserAssetDetail.TotalSize,
      assetType: UserAssetDetail.AssetType,
      encrypted: UserAssetDetail.Encrypted,
    }
  }
  const { asset_ids: assetIds, folders } = idsOf(entries)
  return {
    cid: '',
    name: entries.length === 1 ? nameOf(entry) : t.files.archiveName(entries.length),
    size: entries.reduce((sum, each) => sum + sizeOf(each), 0),
    assetType: 'folder',
    archive: { assetIds, folders, format: zip ? 'zip' : 'tar' },
    encrypted: false,
  }
}

const publishItem = (entry: Entry) =>
  entry.kind === 'folder'
    ? { folderId: entry.group.ID, name: entry.group.Name }
    : {
        cid: entry.asset.AssetRecord.CID,
        assetId: entry.asset.UserAssetDetail.AssetID,
        name: entry.asset.UserAssetDetail.AssetName,
      }

const shareItem = (entry: Entry) =>
  entry.kind === 'folder'
    ? { id: String(entry.group.ID), name: entry.group.Name, encrypted: isEncrypted(entry) }
    : {
        id: entry.asset.AssetRecord.CID,
        assetId: entry.asset.UserAssetDetail.AssetID,
        name: entry.asset.UserAssetDetail.AssetName,
        encrypted: isEncrypted(entry),
      }
