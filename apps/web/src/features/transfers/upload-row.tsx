import { CircleAlert, CircleCheck, CircleSlash, File, Folder, RotateCcw, X } from 'lucide-react'
import { formatPercent, formatSize, formatSpeed } from '../../lib/format.ts'
import { t } from '../../lib/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { cancelUpload, hasEnded, retryUpload, type Upload } from './uploads.ts'

/** What an upload is doing, in words. */
export function stageText(upload: Upload): string {
  if (upload.stage === 'failed') return upload.error || t.transfers.state.failed
  if (upload.stage === 'done') {
    if (upload.existed) return t.transfers.existed
    if (upload.instant) return t.transfers.instant
  }
  if (upload.stage === 'uploading' && upload.nodes.length > 1) return t.transfers.otherNode
  return t.transfers.state[upload.stage]
}

export function UploadRow({ upload }: { upload: Upload }) {
  const { picked, stage } = upload
  const Kind = picked.kind === 'folder' ? Folder : File
  const moving = stage === 'uploading' || stage === 'hashing' || stage === 'packing'
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
      <Kind aria-hidden className="mt-1 size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium" title={picked.name}>
          {picked.name}
        </p>
        {!hasEnded(upload) && (
          <div className="py-1.5">
            <ProgressBar
              label={t.transfers.progressOf(picked.name)}
              value={stage === 'waiting' ? 0 : upload.percent}
              tone={stage === 'retrying' ? 'warn' : 'accent'}
            />
          </div>
        )}
        <p className={`text-xs wrap-anywhere ${stage === 'failed' ? 'text-danger' : 'text-muted'}`}>
          {stageText(upload)}
          {moving && ` · ${formatPercent(upload.loaded, upload.total, 2)}`}
          {stage === 'uploading' && upload.speed > 0 && ` · ${formatSpeed(upload.speed)}`}
          {(stage === 'waiting' || stage === 'done') && ` · ${formatSize(picked.size)}`}
          {stage === 'waiting' && picked.kind === 'folder' && ` · ${t.transfers.folderOf(picked.files.length)}`}
        </p>
      </div>
      <Outcome upload={upload} />
    </li>
  )
}

function Outcome({ upload }: { upload: Upload }) {
  const { id, stage, picked } = upload
  if (stage === 'done') return <CircleCheck aria-hidden className="m-2 size-5 text-good" />
  if (stage === 'failed' || stage === 'cancelled')
    return (
      <span className="flex items-center">
        {stage === 'failed' ? (
          <CircleAlert aria-hidden className="m-1 size-5 text-danger" />
        ) : (
          <CircleSlash aria-hidden className="m-1 size-5 text-muted" />
        )}
        <IconButton label={t.transfers.retryOne(picked.name)} onClick={() => retryUpload(id)}>
          <RotateCcw aria-hidden className="size-4" />
        </IconButton>
      </span>
    )
  return (
    <IconButton
      label={t.transfers.cancelOne(picked.name)}
      disabled={stage === 'finishing'}
      onClick={() => cancelUpload(id)}
    >
      <X aria-hidden className="size-4" />
    </IconButton>
  )
}
