import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { AssetOverview, ListItem } from '@tidenet/contract'
import { Download as DownloadIcon, File, Folder, FolderOpen } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { formatDate, formatSize, shorten } from '../../lib/format.ts'
import { usePreferences } from '../../lib/preferences.ts'
import { paged, query } from '../../lib/queries.ts'
import { t } from '../../lib/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { usePageTitle } from '../shell/page-title.tsx'
import { DecryptDialog } from '../transfers/decrypt-dialog.tsx'
import { addDownload, type DownloadWish } from '../transfers/downloads.ts'
import { Gone, ShareGate } from './share-gate.tsx'

const FOLDER_UNKNOWN = 10018

/** What someone sees who was sent the link of a folder. */
export function SharedFolderPage() {
  usePageTitle(t.shares.folderTitle)
  const { cid, address } = useSearch({ from: '/site/groupPreview' })
  // Only numbers name folders.
  return (
    <div className="mx-auto max-w-3xl px-4 py-10 sm:py-14">
      <ShareGate cid={cid && /^\d+$/.test(cid) ? cid : undefined} owner={address}>
        {({ cid: id, owner, ticket }) => <SharedFolder root={Number(id)} owner={owner} ticket={ticket} />}
      </ShareGate>
    </div>
  )
}

function SharedFolder({ root, owner, ticket }: { root: number; owner: string; ticket: string | undefined }) {
  const rows = usePreferences((preferences) => preferences.rows)
  const [page, setPage] = useState(1)
  const [trail, setTrail] = useState<{ id: number; name: string }[]>([])
  const [unlocking, setUnlocking] = useState<DownloadWish>()
  const here = trail.at(-1)?.id ?? root
  const contents = useQuery({
    ...query('shares.folder', { user_id: owner, group_id: here, page, page_size: rows, ...(ticket && { ticket }) }),
    ...paged,
  })
  const go = (to: typeof trail) => {
    setTrail(to)
    setPage(1)
  }
  if (contents.isPending) return <Loading label={t.shares.loading} />
  if (contents.isError) {
    if (contents.error instanceof ApiError && contents.error.err === FOLDER_UNKNOWN) return <Gone />
    return <LoadFailed title={t.shares.goneTitle} error={contents.error} onRetry={() => void contents.refetch()} />
  }
  const { info, list, total } = contents.data
  const download = ({ AssetRecord, UserAssetDetail }: AssetOverview) => {
    const wish: DownloadWish = {
      cid: AssetRecord.CID,
      name: UserAssetDetail.AssetName,
      size: UserAssetDetail.TotalSize,
      assetType: UserAssetDetail.AssetType,
      encrypted: UserAssetDetail.Encrypted,
      shared: { userId: owner, groupId: here, ...(ticket && { ticket }) },
    }
    if (wish.encrypted) setUnlocking(wish)
    else addDownload(wish)
  }
  return (
    <div className="flex flex-col gap-4">
      <div>
        <p className="text-sm text-muted">
          {t.shares.folderTitle} · {t.shares.by} <span className="font-mono">{shorten(owner)}</span>
        </p>
        <h1 className="text-2xl font-semibold wrap-anywhere">{info.name}</h1>
        <p className="text-sm text-muted">
          {t.shares.itemsInFolder(total)} · {formatSize(info.size)}
        </p>
        {trail.length > 0 && (
          <nav aria-label={t.files.path} className="mt-2 text-sm">
            <button type="button" className="text-accent hover:underline" onClick={() => go(trail.slice(0, -1))}>
              ← {t.shares.up}
            </button>
          </nav>
        )}
      </div>
      <Card className="overflow-hidden">
        {list.length === 0 ? (
          <Empty icon={<FolderOpen aria-hidden className="size-6" />} title={t.shares.emptyFolder} />
        ) : (
          <ul className="divide-y divide-line">
            {list.map((item) => (
              <Row
                key={item.Group ? `folder ${item.Group.ID}` : item.AssetOverview?.AssetRecord.CID}
                item={item}
                onOpen={(id, name) => go([...trail, { id, name }])}
                onDownload={download}
              />
            ))}
          </ul>
        )}
      </Card>
      {total > rows && <Pager page={page} total={total} onPage={setPage} />}
      {unlocking && <DecryptDialog wish={unlocking} onClose={() => setUnlocking(undefined)} />}
    </div>
  )
}

interface RowProps {
  item: ListItem
  onOpen: (id: number, name: string) => void
  onDownload: (asset: AssetOverview) => void
}

function Row({ item: { Group, AssetOverview }, onOpen, onDownload }: RowProps) {
  if (Group)
    return (
      <li>
        <button
          type="button"
          className="flex min-h-14 w-full items-center gap-3 px-4 text-left hover:bg-sunken"
          onClick={() => onOpen(Group.ID, Group.Name)}
        >
          <Folder aria-hidden className="size-5 shrink-0 fill-accent-soft text-accent" />
          <span className="min-w-0 flex-1 truncate font-medium">{Group.Name}</span>
          <span className="text-sm text-muted">{t.files.filesInFolder(Group.AssetCount)}</span>
        </button>
      </li>
    )
  if (!AssetOverview) return null
  const { AssetName, TotalSize, CreatedTime } = AssetOverview.UserAssetDetail
  return (
    <li className="flex min-h-14 items-center gap-3 py-1.5 pr-2 pl-4">
      <File aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={AssetName}>
          {AssetName}
        </p>
        <p className="text-sm text-muted">
          {formatSize(TotalSize)} · {formatDate(CreatedTime)}
        </p>
      </div>
      <IconButton label={`${t.words.download}: ${AssetName}`} onClick={() => onDownload(AssetOverview)}>
        <DownloadIcon aria-hidden className="size-4.5" />
      </IconButton>
    </li>
  )
}
