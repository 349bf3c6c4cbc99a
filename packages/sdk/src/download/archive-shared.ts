import type { Answer } from '../api.ts'
import type { Core } from '../core.ts'
import { need } from '../result.ts'
import type { ArchiveAccess } from './archive-access.ts'
import type { ArchiveEntry, SharedItems } from './archive-types.ts'

const PAGE_SIZE = 100

/** These entries, and everything in these folders of a share, in the order of their paths. Throws Stop. */
export async function listShared(
  core: Core,
  access: ArchiveAccess,
  { userId, folders = [], entries = [] }: SharedItems,
  signal: AbortSignal,
): Promise<ArchiveEntry[]> {
  const found: ArchiveEntry[] = [...entries]
  const open = folders.map((id) => ({ id, above: '' }))
  for (let next = open.pop(); next; next = open.pop()) {
    const { id, above } = next
    const before = found.length + open.length
    let path = ''
    let seen = 0
    for (let page = 1; ; page++) {
      const asked = { user_id: userId, group_id: id, page, page_size: PAGE_SIZE }
      const listed: Answer<'shares.folder'> = need(
        await access.call(() => {
          const { ticket } = access.source
          return core.api.call('shares.folder', { ...asked, ...(ticket && { ticket }) }, { signal })
        }),
      )
      path = `${above}${segment(listed.info.name)}`
      for (const { Group, AssetOverview } of listed.list) {
        if (Group) open.push({ id: Group.ID, above: `${path}/` })
        if (AssetOverview) found.push(entryOf(AssetOverview, `${path}/`))
      }
      seen += listed.list.length
      if (listed.list.length === 0 || seen >= listed.total) break
    }
    if (found.length + open.length === before) found.push({ path })
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

type Overview = NonNullable<Answer<'shares.folder'>['list'][number]['AssetOverview']>

function entryOf({ AssetRecord, UserAssetDetail }: Overview, above: string): ArchiveEntry {
  const { AssetName, AssetType, TotalSize, Encrypted } = UserAssetDetail
  return {
    path: `${above}${segment(AssetName)}`,
    cid: AssetRecord.CID,
    assetType: AssetType,
    size: TotalSize,
    ...(Encrypted && AssetType === 'file' && { encrypted: true }),
  }
}

/** A name is one segment of a path, whatever it contains. */
const segment = (name: string): string => name.replaceAll('/', '_')
