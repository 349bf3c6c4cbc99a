import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Download as DownloadIcon, File, FolderArchive } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { formatSize, shorten } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { t } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyLine } from '../../ui/copy.tsx'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { usePageTitle } from '../shell/page-title.tsx'
import { DecryptDialog } from '../transfers/decrypt-dialog.tsx'
import { DownloadRow } from '../transfers/download-row.tsx'
import { addDownload, type DownloadWish, useDownloads } from '../transfers/downloads.ts'
import { Gone, ShareGate } from './share-gate.tsx'

const FILE_UNKNOWN = 10028

/** What someone sees who was sent the link of a file. */
export function SharedFilePage() {
  usePageTitle(t.shares.pageTitle)
  const { cid, address, area_id } = useSearch({ from: '/site/distributionstatus' })
  return (
    <div className="mx-auto max-w-2xl px-4 py-10 sm:py-14">
      <ShareGate cid={cid} owner={address}>
        {(access) => <SharedFile {...access} areas={area_id?.split(',') ?? []} />}
      </ShareGate>
    </div>
  )
}

interface SharedFileProps {
  cid: string
  owner: string
  ticket?: string
  areas: string[]
}

function SharedFile({ cid, owner, ticket, areas }: SharedFileProps) {
  const opens = { ...(ticket && { ticket }), ...(areas.length > 0 && { area_id: areas }) }
  const info = useQuery(query('downloads.open', { user_id: owner, asset_cid: cid, preview: true, ...opens }))
  const places = useQuery(query('assets.detail', { user_id: owner, cid, ...(ticket && { ticket }) }))
  const [unlocking, setUnlocking] = useState(false)
  const [id, setId] = useState<number>()
  const download = useDownloads(({ list }) => list.find((each) => each.id === id))

  if (info.isPending) return <Loading label={t.shares.loading} />
  if (info.isError) {
    if (info.error instanceof ApiError && info.error.err === FILE_UNKNOWN) return <Gone />
    return <LoadFailed title={t.shares.goneTitle} error={info.error} onRetry={() => void info.refetch()} />
  }
  const { file_name, size, encrypted, asset_type, available_nodes } = info.data
  const wish: DownloadWish = {
    cid,
    name: file_name,
    size,
    assetType: asset_type,
    encrypted,
    shared: { userId: owner, ...(ticket && { ticket }), ...(areas.length > 0 && { areas }) },
  }
  const Icon = asset_type === 'folder' ? FolderArchive : File
  return (
    <Card className="p-6 sm:p-8">
      <div className="flex items-start gap-4">
        <span className="flex size-12 shrink-0 items-center justify-center rounded-xl bg-accent-soft text-accent">
          <Icon aria-hidden className="size-6" />
        </span>
        <div className="min-w-0 flex-1">
          <h1 className="text-xl font-semibold wrap-anywhere">{file_name}</h1>
          <p className="text-muted">
            {asset_type === 'folder' ? t.words.folder : t.words.file} · {formatSize(size, 2)}
          </p>
        </div>
      </div>
      {encrypted && <p className="mt-4 text-sm text-muted">{t.shares.encryptedNote}</p>}
      {asset_type === 'folder' && <p className="mt-4 text-sm text-muted">{t.transfers.folderNote}</p>}
      <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          look="primary"
          icon={<DownloadIcon aria-hidden className="size-4" />}
          onClick={() => (encrypted ? setUnlocking(true) : setId(addDownload(wish, false)))}
        >
          {t.words.download}
        </Button>
        <span className="text-sm text-muted">{t.shares.available(available_nodes)}</span>
      </div>
      {download && (
        <ul className="mt-5 border-t border-line pt-2">
          <DownloadRow download={download} />
        </ul>
      )}
      <dl className="mt-6 flex flex-col gap-4 border-t border-line pt-5">
        <Fact name={t.files.cid}>
          <CopyLine text={cid} label={t.files.copyCid} />
        </Fact>
        {places.data && (
          <Fact name={t.shares.copies}>
            {t.files.replicasText(places.data.network_count, places.data.wanted_count)}
          </Fact>
        )}
        <Fact name={t.shares.by}>
          <span className="font-mono text-sm">{shorten(owner)}</span>
        </Fact>
      </dl>
      {unlocking && <DecryptDialog wish={wish} onClose={() => setUnlocking(false)} onStarted={setId} />}
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  )
}
