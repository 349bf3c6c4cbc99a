import type { OperationName } from '@tidenet/contract'
import { api, messageOf } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { t } from '../../lib/texts.ts'
import { tell, warn } from '../../ui/toast.tsx'
import type { Entry } from './entries.ts'

/** What shows files or counts them. */
const affected: OperationName[] = [
  'folders.contents',
  'folders.item',
  'folders.list',
  'usage.storageSize',
  'assets.count',
  'assets.detail',
]

export async function createFolder(name: string, parent: number): Promise<void> {
  await api('folders.create', { name, parent })
  refresh(...affected)
  tell(t.files.created(name))
}

export async function renameEntry(entry: Entry, name: string): Promise<void> {
  if (entry.kind === 'folder') await api('folders.rename', { group_id: entry.group.ID, new_name: name })
  else await api('assets.rename', { asset_cid: entry.asset.AssetRecord.CID, new_name: name })
  refresh(...affected)
  tell(t.files.renamed)
}

/** One after the other; what fails is named in one message, the rest is done. */
async function each(entries: readonly Entry[], change: (entry: Entry) => Promise<unknown>): Promise<number> {
  let failed = 0
  let why = ''
  for (const entry of entries) {
    try {
      await change(entry)
    } catch (error) {
      failed += 1
      why = messageOf(error)
    }
  }
  refresh(...affected)
  if (failed > 0) warn(entries.length === 1 ? why : t.files.someFailed(failed, why))
  return entries.length - failed
}

export async function moveEntries(entries: readonly Entry[], target: number): Promise<void> {
  const moved = await each(entries, (entry) =>
    entry.kind === 'folder'
      ? api('folders.move', { group_id: entry.group.ID, target_group_id: target })
      : api('assets.move', { asset_cid: entry.asset.AssetRecord.CID, group_id: target }),
  )
  if (moved > 0) tell(t.files.moved(moved))
}

export async function removeEntries(entries: readonly Entry[]): Promise<void> {
  const below = { folders: 0, assets: 0 }
  const removed = await each(entries, async (entry) => {
    if (entry.kind === 'asset') return api('assets.remove', { asset_cid: entry.asset.AssetRecord.CID })
    const { folders, assets } = await api('folders.remove', { group_id: entry.group.ID })
    below.folders += folders
    below.assets += assets
  })
  if (removed === 0) return
  const files = entries.filter(({ kind }) => kind === 'asset').length
  if (below.folders > 0 && removed === entries.length) tell(t.files.deletedTree(below.folders, below.assets + files))
  else tell(t.files.deleted(removed))
}
