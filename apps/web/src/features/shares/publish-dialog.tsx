import { Link } from '@tanstack/react-router'
import type { Publication } from '@tidenet/contract'
import { ExternalLink, Globe } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './publish-texts.ts'

const PREPARING_MS = 1000

/** An entry of the account, or a folder of single files. */
export type PublishItem = { name: string } & ({ cid: string; assetId: number } | { folderId: number })

/** Publishes a file or folder, shows its addresses, and ends that. */
export function PublishDialog({ item, onClose }: { item: PublishItem; onClose: () => void }) {
  const isFolder = 'folderId' in item
  const known = useQuery({
    ...query('publications.list', isFolder ? { folder_id: item.folderId } : { cid: item.cid, asset_id: item.assetId }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.list[0]?.state === 'preparing' ? PREPARING_MS : false),
  })
  const [publication] = known.data?.list ?? []
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={publication?.state === 'ready' ? t.publish.published(item.name) : t.publish.title(item.name)}
    >
      <div className="flex flex-col gap-5 pb-2">
        <div>
          <p>{t.publish.what}</p>
          <ul className="mt-2 list-disc space-y-1 pl-5 text-muted">
            {(isFolder ? t.publish.folderPoints : t.publish.points).map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        </div>
        {known.isPending ? (
          <Loading />
        ) : known.isError ? (
          <LoadFailed title={t.publish.failed} error={known.error} onRetry={() => void known.refetch()} />
        ) : publication ? (
          <Published publication={publication} />
        ) : (
          <Change look="primary" label={t.publish.go} change={() => publish(item)} />
        )}
        <Link to="/links" hash="published" className="self-start text-sm text-accent hover:underline">
          {t.publish.all}
        </Link>
      </div>
    </Dialog>
  )
}

const publish = async (item: PublishItem): Promise<void> =>
  void ('folderId' in item
    ? await api('publications.createFolder', { folder_id: item.folderId })
    : await api('publications.create', { cid: item.cid, asset_id: item.assetId }))

function Published({ publication }: { publication: Publication }) {
  const { cid, folder_id: folderId, files, files_ended: ended, name, url, state, reason, published_at } = publication
  return (
    <section className="flex flex-col gap-4">
      {state === 'preparing' && <Notice live>{t.publish.preparing}</Notice>}
      {state === 'failed' && (
        <Notice live>{reason === 'tooManyBlocks' ? t.publish.tooManyBlocks : t.publish.unreadable}</Notice>
      )}
      {ended > 0 && state === 'ready' && <Notice live>{t.publish.ended(ended, files)}</Notice>}
      {state !== 'failed' && cid !== '' && (
        <>
          {url !== '' && (
            <div>
              <p className="mb-1 text-sm font-medium">{t.publish.address}</p>
              <CopyField text={url} label={t.publish.copyAddress} />
            </div>
          )}
          <div>
            <p className="mb-1 text-sm font-medium">{t.publish.ipfs}</p>
            <CopyField text={`ipfs://${cid}`} label={t.publish.copyIpfs} />
          </div>
        </>
      )}
      <div className="flex flex-wrap items-center gap-3">
        {state === 'ready' && url !== '' && (
          <a href={url} target="_blank" rel="noreferrer" className={buttonClass('primary')}>
            <ExternalLink aria-hidden className="size-4" />
            {t.publish.open}
          </a>
        )}
        {folderId > 0 && state !== 'preparing' && (
          <Change look="secondary" label={t.publish.again} change={() => publish({ folderId, name })} />
        )}
        <Change look="secondary" label={t.publish.stop} change={() => unpublish(publication)} />
        <span className="text-sm text-muted">{t.publish.since(formatDateTime(published_at))}</span>
      </div>
    </section>
  )
}

export async function unpublish(published: Pick<Publication, 'cid' | 'asset_id' | 'folder_id'>): Promise<void> {
  const { cid, asset_id, folder_id } = published
  if (folder_id > 0) await api('publications.removeFolder', { folder_id })
  else await api('publications.remove', { cid, asset_id })
  toast.success(t.publish.stopped)
}

function Change({
  look,
  label,
  change,
}: {
  look: 'primary' | 'secondary'
  label: string
  change: () => Promise<void>
}) {
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      await change()
      refresh('publications.list')
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      look={look}
      className="self-start"
      busy={busy}
      icon={look === 'primary' ? <Globe aria-hidden className="size-4" /> : undefined}
      onClick={() => void run()}
    >
      {label}
    </Button>
  )
}
