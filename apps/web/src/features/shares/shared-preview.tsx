import { useState } from 'react'
import { queries, query, useQuery } from '../../lib/queries.ts'
import { LoadFailed } from '../../ui/states.tsx'
import { BATCH, type FileRef, neighboursOf, type Placed, rowOf } from '../preview/neighbours.ts'
import { PreviewOverlay } from '../preview/preview-overlay.tsx'
import { downloadRequestFrom, useAddresses } from '../preview/source.ts'
import { t as preview } from '../preview/texts.ts'
import { DecryptDialog } from '../transfers/decrypt-dialog.tsx'
import type { DownloadRequest } from '../transfers/download-request.ts'
import type { ShareAccess } from './share-gate.tsx'
import { ShareUnavailable, unavailableStateOf } from './share-unavailable.tsx'

interface SharedPreviewProps {
  access: ShareAccess
  file: FileRef
  /** The shown subfolder. */
  folder: number
  /** The expected index of the file in it. */
  hint: number
  onShow: (file: FileRef) => void
  onDownload: (request: DownloadRequest) => void
  onStarted: (id: number) => void
  onClose: () => void
}

/** A file of a shared folder over its list, with the files before and after it. */
export function SharedPreview(props: SharedPreviewProps) {
  const { file: shown, folder, hint, onShow, onDownload, onStarted, onClose } = props
  const { cid, entry } = shown
  const { cid: root, owner, shareToken, password } = props.access
  const [unlocking, setUnlocking] = useState<DownloadRequest>()
  const source = { kind: 'open' as const, cid, owner, shareToken, password, folder: Number(root), areas: [] }
  const info = useAddresses(source)
  const around = useQuery({
    queryKey: ['shares.neighbours', owner, folder, cid, entry],
    queryFn: async () => {
      const found = await neighboursOf(shown, hint, async (at) => {
        const { list, total } = await queries.fetchQuery(
          query('shares.folder', {
            user_id: owner,
            group_id: folder,
            page: at + 1,
            page_size: BATCH,
            ...(shareToken && { ticket: shareToken }),
          }),
        )
        return { list: list.map(rowOf), total }
      })
      return found ?? null
    },
    refetchOnWindowFocus: false,
  })
  const show = (placed: Placed | undefined) => placed && (() => onShow(placed))
  const { data } = info
  const { index, name: listed, count, previous, next } = around.data ?? {}
  const file =
    data?.asset_type === 'file'
      ? { source, name: listed || data.file_name || cid, size: data.size, encrypted: data.encrypted }
      : undefined
  const download = (passphrase: string | undefined) => {
    if (!file) return
    const { name, size, encrypted } = file
    const request = downloadRequestFrom(source, {
      name,
      size,
      encrypted,
      assetType: 'file',
      ...(passphrase !== undefined && { passphrase }),
    })
    if (encrypted && passphrase === undefined) return setUnlocking(request)
    // The page shows the download.
    onClose()
    onDownload(request)
  }
  const closed = info.error && unavailableStateOf(info.error)
  return (
    <>
      <PreviewOverlay
        file={file}
        problem={
          closed ? (
            <ShareUnavailable state={closed} onRetry={() => void info.refetch()} />
          ) : info.isError || data?.asset_type === 'folder' ? (
            <LoadFailed title={preview.failed} error={info.error} onRetry={() => void info.refetch()} />
          ) : undefined
        }
        position={index !== undefined && count !== undefined ? { index, count } : undefined}
        onPrevious={show(previous)}
        onNext={show(next)}
        onDownload={download}
        onClose={onClose}
      />
      {unlocking && <DecryptDialog request={unlocking} onClose={() => setUnlocking(undefined)} onStarted={onStarted} />}
    </>
  )
}
