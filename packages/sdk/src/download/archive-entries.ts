import type { Answer } from '../api.ts'
import type { Core } from '../core.ts'
import { need } from '../result.ts'
import type { ArchiveEntry, ArchiveItems } from './archive-types.ts'

/** Everything in these files and folders of the account, in the order of their paths. Throws Stop. */
export async function listEntries(
  { api }: Core,
  { assets = [], assetIds = [], folders = [] }: ArchiveItems,
  signal: AbortSignal,
): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = []
  for (let after: number | undefined = 0; after !== undefined; ) {
    const asked = { assets, asset_ids: assetIds, folders, after }
    const page: Answer<'folders.manifest'> = need(await api.call('folders.manifest', asked, { signal }))
    for (const { cid, kind, path, size, encrypted } of page.list)
      entries.push({ cid, path, assetType: kind, size, ...(encrypted && kind === 'file' && { encrypted }) })
    for (const path of page.empty) entries.push({ path })
    after = page.next
  }
  // Entries of a folder are written together and in order.
  return entries.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}
