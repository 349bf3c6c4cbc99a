import type { AssetVersion } from '@tidenet/contract'
import { Download, Eye, History, RotateCcw, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDateTime, formatSize } from '../../lib/format.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { DecryptDialog } from '../transfers/decrypt-dialog.tsx'
import type { DownloadRequest } from '../transfers/download-request.ts'
import { addDownload } from '../transfers/downloads.ts'
import type { FileEntry } from './entries.ts'
import { t } from './version-texts.ts'

const PreviewOverlay = lazy(async () => ({ default: (await import('../preview/preview-overlay.tsx')).PreviewOverlay }))

/** Versions shown at first. */
const SHOWN = 5

/** What a file contained before it was replaced, with ways to preview it, save it, restore it and delete it. */
export function Versions({ entry }: { entry: FileEntry }) {
  const { Cid: cid, AssetID: asset_id, AssetName } = entry.asset.UserAssetDetail
  const versions = useQuery(query('versions.list', { cid, asset_id, page_size: 100 }))
  const [shown, setShown] = useState(SHOWN)
  const list = versions.data?.list ?? []
  return (
    <section aria-label={t.title}>
      <h3 className="mt-7 mb-1 text-lg font-semibold">{t.title}</h3>
      {versions.data ? (
        <>
          <p className="text-sm text-muted">{t.intro(versions.data.keep.versions, versions.data.keep.days)}</p>
          {list.length === 0 ? (
            <p className="mt-2">{t.none}</p>
          ) : (
            <ul className="mt-3 divide-y divide-line rounded-xl border border-line">
              {list.slice(0, shown).map((version) => (
                <VersionRow key={version.id} version={version} name={AssetName} />
              ))}
            </ul>
          )}
          {list.length > shown && (
            <Button className="mt-3" onClick={() => setShown(list.length)}>
              {t.more(list.length - shown)}
            </Button>
          )}
        </>
      ) : versions.isError ? (
        <LoadFailed title={t.failed} error={versions.error} onRetry={() => void versions.refetch()} />
      ) : (
        <Loading />
      )}
    </section>
  )
}

/** Runs a change and refreshes what depends on it. @returns whether it succeeded */
async function change(
  name: 'versions.restore' | 'versions.remove' | 'versions.undelete',
  id: number,
): Promise<boolean> {
  try {
    await api(name, { id })
    return true
  } catch (error) {
    toast.error(error)
    return false
  } finally {
    refresh('versions.list', 'folders.contents', 'folders.search', 'folders.item', 'usage.storageSize')
  }
}

function VersionRow({ version: row, name }: { version: AssetVersion; name: string }) {
  const { id, version, cid, size, kind, encrypted, removed } = row
  const [busy, setBusy] = useState(false)
  const [decrypting, setDecrypting] = useState(false)
  const [previewing, setPreviewing] = useState(false)
  const request: DownloadRequest = { cid, name, size, encrypted, assetType: kind }
  const download = (passphrase: string | undefined) => {
    if (!encrypted) addDownload(request)
    else if (passphrase !== undefined) addDownload({ ...request, passphrase })
    else setDecrypting(true)
  }
  const act = (work: () => Promise<void>) => {
    setBusy(true)
    void work().finally(() => setBusy(false))
  }
  const undelete = async () => {
    if (await change('versions.undelete', id)) toast.success(t.isBack(version))
  }
  const remove = async () => {
    if (await change('versions.remove', id)) toast.success(t.wasRemoved(version))
  }
  const restore = async () => {
    if (await change('versions.restore', id)) toast.success(t.restored(version))
  }
  const icon = 'size-4.5'
  return (
    <li className="flex items-center gap-1 py-2 pr-2 pl-4">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{t.version(version)}</p>
        <p className="text-sm text-muted tabular-nums">
          {removed
            ? t.removed(formatDateTime(row.purge_at))
            : `${formatSize(size)}, ${formatDateTime(row.created_at)}, ${row.kept ? t.kept : t.until(formatDateTime(row.purge_at))}`}
        </p>
      </div>
      {removed ? (
        <IconButton label={t.undelete(version)} disabled={busy} onClick={() => act(undelete)}>
          <RotateCcw aria-hidden className={icon} />
        </IconButton>
      ) : (
        <>
          {kind === 'file' && (
            <IconButton label={t.preview(version)} onClick={() => setPreviewing(true)}>
              <Eye aria-hidden className={icon} />
            </IconButton>
          )}
          <IconButton label={t.download(version)} onClick={() => download(undefined)}>
            <Download aria-hidden className={icon} />
          </IconButton>
          <IconButton label={t.restore(version)} disabled={busy} onClick={() => act(restore)}>
            <History aria-hidden className={icon} />
          </IconButton>
          <IconButton label={t.remove(version)} disabled={busy} onClick={() => act(remove)}>
            <Trash2 aria-hidden className={icon} />
          </IconButton>
        </>
      )}
      {previewing && (
        <Suspense>
          <PreviewOverlay
            file={{ source: { kind: 'own', cid }, name, size, encrypted }}
            note={t.version(version)}
            onDownload={download}
            onClose={() => setPreviewing(false)}
          />
        </Suspense>
      )}
      {decrypting && <DecryptDialog request={request} onClose={() => setDecrypting(false)} />}
    </li>
  )
}
