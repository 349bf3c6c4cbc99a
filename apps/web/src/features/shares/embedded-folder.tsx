import type { ListItem } from '@tidenet/contract'
import { Folder } from 'lucide-react'
import { useEffect } from 'react'
import { formatSize } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { FileIcon } from '../preview/file-icon.tsx'
import { t as preview } from '../preview/texts.ts'
import { FIRST_ENTRIES, FirstEntries, type FirstEntry } from './first-entries.tsx'
import { Heading } from './heading.tsx'
import { type ShareAccess, useReopen } from './share-gate.tsx'
import { ShareUnavailable, unavailableStateOf } from './share-unavailable.tsx'
import { t } from './texts.ts'

/** A shared folder for embedding: its facts and first entries. */
export function EmbeddedFolder({
  access: { cid, owner, shareToken },
  href,
}: {
  access: ShareAccess
  /** The full page, if not that of a long link. */
  href?: string
}) {
  const { data, error, isPending, refetch } = useQuery(
    query('shares.folder', {
      user_id: owner,
      group_id: Number(cid),
      page: 1,
      page_size: FIRST_ENTRIES,
      ...(shareToken && { ticket: shareToken }),
    }),
  )
  const reopen = useReopen(cid, owner)
  usePageTitle(data?.info.name)
  useEffect(() => {
    if (error) reopen(error)
  })
  if (isPending) return <Loading label={t.states.opening} />
  if (error) {
    const closed = unavailableStateOf(error)
    if (closed) return <ShareUnavailable state={closed} />
    return <LoadFailed title={t.folder.failed} error={error} onRetry={() => void refetch()} />
  }
  const { info, list, total } = data
  return (
    <>
      <Card className="p-5">
        <Heading name={info.name} folder facts={t.folder.summary(t.folder.items(total), formatSize(info.size))} />
      </Card>
      <Card className="overflow-hidden">
        {total === 0 ? (
          <p className="px-5 py-3 text-muted">{t.folder.empty}</p>
        ) : (
          <FirstEntries
            label={preview.inside.label(info.name)}
            total={total}
            href={href ?? `/groupPreview${location.search}`}
            entries={list.flatMap(entryOf)}
          />
        )}
      </Card>
    </>
  )
}

function entryOf({ Group, AssetOverview }: ListItem): FirstEntry[] {
  if (Group)
    return [
      {
        key: `folder ${Group.ID}`,
        name: Group.Name,
        icon: <Folder aria-hidden className="size-5 shrink-0 fill-accent-soft text-accent" />,
        fact: t.folder.files(Group.AssetCount),
      },
    ]
  if (!AssetOverview) return []
  const { AssetName, AssetType, TotalSize } = AssetOverview.UserAssetDetail
  return [
    {
      key: AssetOverview.AssetRecord.CID,
      name: AssetName,
      icon: <FileIcon name={AssetName} folder={AssetType === 'folder'} className="size-5 shrink-0 text-muted" />,
      fact: formatSize(TotalSize),
    },
  ]
}
