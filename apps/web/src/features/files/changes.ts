import type { ItemResult, OperationName, TrashItem } from '@tidenet/contract'
import { api } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { toast } from '../../ui/toast.ts'
import { type Entry, idsOf, parentOf } from './entries.ts'
import { t } from './texts.ts'

/** Operations whose results depend on the files. */
const affected: OperationName[] = [
  'folders.contents',
  'folders.search',
  'folders.item',
  'folders.list',
  'trash.list',
  'usage.storageSize',
  'assets.count',
  'assets.detail',
]

/** Maximum number of items per request. */
const BATCH = 1000

export async function createFolder(name: string, parent: number, encrypted = false): Promise<void> {
  await api('folders.create', { name, parent, ...(encrypted && { encrypted }) })
  refresh(...affected)
  toast.success(t.files.created(name))
}

export async function renameEntry(entry: Entry, name: string): Promise<void> {
  if (entry.kind === 'folder') await api('folders.rename', { group_id: entry.group.ID, new_name: name })
  else {
    const { Cid: asset_cid, AssetID: asset_id } = entry.asset.UserAssetDetail
    await api('assets.rename', { asset_cid, asset_id, new_name: name })
  }
  refresh(...affected)
  toast.success(t.files.renamed)
}

/** Processes items in batches. If a request fails, shows the error and stops. */
async function inBatches<T>(
  list: readonly T[],
  step: (some: T[]) => Promise<readonly ItemResult[]>,
): Promise<ItemResult[]> {
  const results: ItemResult[] = []
  try {
    for (let from = 0; from < list.length; from += BATCH) results.push(...(await step(list.slice(from, from + BATCH))))
  } catch (error) {
    toast.error(error)
  } finally {
    refresh(...affected)
  }
  return results
}

/** Shows an error for the failed items. @returns keys of the successful ones */
function reportFailures(results: readonly ItemResult[]): Set<string> {
  const failed = results.filter(({ ok }) => !ok)
  const [first] = failed
  if (first) toast.error(results.length === 1 ? (first.msg ?? '') : t.files.someFailed(failed.length, first.msg ?? ''))
  return new Set(
    results.filter(({ ok }) => ok).map(({ id, asset_id }) => `${asset_id === undefined ? 'folder' : 'asset'} ${id}`),
  )
}

const move = (entries: readonly Entry[], target: number) =>
  inBatches(entries, async (some) => (await api('folders.moveMany', { ...idsOf(some), target })).results)

/** Moves entries into a folder, with undo. @returns whether anything was moved */
export async function moveEntries(entries: readonly Entry[], target: { id: number; name: string }): Promise<boolean> {
  const done = reportFailures(await move(entries, target.id))
  if (done.size === 0) return false
  const moved = entries.filter((entry) => done.has(entry.key))
  toast.success(t.files.moved(moved.length, target.name), {
    title: t.files.undo,
    act: () => void moveBack(moved),
  })
  return true
}

async function moveBack(moved: readonly Entry[]): Promise<void> {
  const homes = new Map<number, Entry[]>()
  for (const entry of moved) {
    const home = parentOf(entry)
    homes.set(home, [...(homes.get(home) ?? []), entry])
  }
  let count = 0
  for (const [home, some] of homes) count += reportFailures(await move(some, home)).size
  if (count > 0) toast.success(t.files.movedBack(count))
}

/** Moves entries to the trash, with undo. @returns whether anything was moved */
export async function trashEntries(entries: readonly Entry[]): Promise<boolean> {
  const ids: number[] = []
  const below = { folders: 0, assets: 0 }
  const results = await inBatches(entries, async (some) => {
    const { results, trash_ids, folders, assets } = await api('trash.put', idsOf(some))
    ids.push(...trash_ids)
    below.folders += folders
    below.assets += assets
    return results
  })
  const gone = reportFailures(results).size
  if (gone === 0) return false
  toast.success(below.folders > 0 ? t.files.trashedTree(below.folders, below.assets) : t.files.trashed(gone), {
    title: t.files.undo,
    act: () => void restoreTrash(ids),
  })
  return true
}

/**
 * Restores items from the trash. For a single item, says if its name or folder has changed.
 * @param one the item, if it is the only one
 */
export async function restoreTrash(ids: readonly number[], one?: TrashItem): Promise<void> {
  let back: { name?: string | undefined; folder?: number | undefined } = {}
  const results = await inBatches(ids, async (some) => {
    const { results } = await api('trash.restore', { ids: some })
    back = results[0] ?? {}
    return results
  })
  const done = reportFailures(results).size
  if (done === 0) return
  if (one && back.name !== undefined && back.name !== one.name) toast.success(t.trash.restoredAs(back.name))
  else if (one && one.path.length > 0 && back.folder === 0) toast.success(t.trash.restoredToRoot)
  else toast.success(t.files.restored(done))
}

/** Deletes items in the trash permanently; without ids, all of them. */
export async function deletePermanently(ids?: readonly number[]): Promise<void> {
  try {
    let removed = 0
    if (!ids) removed = (await api('trash.empty', {})).removed
    else
      for (let from = 0; from < ids.length; from += BATCH)
        removed += (await api('trash.remove', { ids: ids.slice(from, from + BATCH) })).removed
    toast.success(t.trash.removed(removed))
  } catch (error) {
    toast.error(error)
  } finally {
    refresh(...affected)
  }
}
