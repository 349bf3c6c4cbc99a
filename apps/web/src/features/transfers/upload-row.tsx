import { Link } from '@tanstack/react-router'
import {
  CircleAlert,
  CircleCheck,
  CircleSlash,
  File,
  Folder,
  FolderSearch,
  Pause,
  Play,
  RotateCcw,
  X,
} from 'lucide-react'
import { formatPercent, formatSize, formatSpeed } from '../../lib/format.ts'
import { formatDuration } from '../../lib/phrases.ts'
import { IconButton, iconButtonClass } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { t } from './texts.ts'
import { cancelUpload, hasEnded, pauseUpload, resumeUpload, retryUpload, type Upload } from './uploads.ts'

/** The state of an upload as text. */
export function stageText(upload: Upload): string {
  if (upload.stage === 'failed') return upload.error || t.state.failed
  if (upload.stage === 'done') {
    if (upload.existed) return t.existed
    if (upload.instant) return t.instant
  }
  if (upload.stage === 'uploading' && upload.nodes.length > 1) return t.otherNode
  return t.state[upload.stage]
}

/** Estimated time left; undefined if unknown or under two seconds. */
function timeLeft({ stage, total, loaded, speed }: Upload): string | undefined {
  if (stage !== 'uploading' || speed <= 0 || total <= loaded) return undefined
  const ms = ((total - loaded) / speed) * 1000
  return ms < 2000 ? undefined : t.left(formatDuration(ms))
}

export function UploadRow({ upload }: { upload: Upload }) {
  const { picked, stage } = upload
  const Kind = picked.kind === 'folder' ? Folder : File
  const moving = stage === 'uploading' || stage === 'hashing' || stage === 'packing'
  const facts = [
    stageText(upload),
    (moving || stage === 'paused') && upload.loaded > 0 && formatPercent(upload.loaded, upload.total, 2),
    stage === 'uploading' && upload.speed > 0 && formatSpeed(upload.speed),
    timeLeft(upload),
    (stage === 'waiting' || stage === 'done' || stage === 'paused') && formatSize(picked.size),
    stage === 'waiting' && picked.kind === 'folder' && t.folderOf(picked.files.length),
  ].filter(Boolean)
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
              label={t.progressOf(picked.name)}
              value={stage === 'waiting' ? 0 : upload.percent}
              tone={stage === 'retrying' || stage === 'paused' ? 'warn' : 'accent'}
            />
          </div>
        )}
        <p className={`text-xs wrap-anywhere tabular-nums ${stage === 'failed' ? 'text-danger' : 'text-muted'}`}>
          {facts.join(' · ')}
        </p>
      </div>
      <Outcome upload={upload} />
    </li>
  )
}

function Outcome({ upload }: { upload: Upload }) {
  const { id, stage, picked, options } = upload
  if (stage === 'done')
    return (
      <span className="flex items-center">
        <Link
          to="/fileStorage"
          search={options.folder > 0 ? { folder: options.folder } : {}}
          className={iconButtonClass()}
          aria-label={t.openOne(picked.name)}
          title={t.openOne(picked.name)}
        >
          <FolderSearch aria-hidden className="size-4" />
        </Link>
        <CircleCheck aria-hidden className="m-2 size-5 text-good" />
      </span>
    )
  if (stage === 'failed' || stage === 'cancelled')
    return (
      <span className="flex items-center">
        {stage === 'failed' ? (
          <CircleAlert aria-hidden className="m-1 size-5 text-danger" />
        ) : (
          <CircleSlash aria-hidden className="m-1 size-5 text-muted" />
        )}
        <IconButton label={t.retryOne(picked.name)} onClick={() => retryUpload(id)}>
          <RotateCcw aria-hidden className="size-4" />
        </IconButton>
      </span>
    )
  return (
    <span className="flex items-center">
      {stage === 'paused' ? (
        <IconButton label={t.resumeOne(picked.name)} onClick={() => resumeUpload(id)}>
          <Play aria-hidden className="size-4" />
        </IconButton>
      ) : (
        <IconButton label={t.pauseOne(picked.name)} disabled={stage === 'finishing'} onClick={() => pauseUpload(id)}>
          <Pause aria-hidden className="size-4" />
        </IconButton>
      )}
      <IconButton label={t.cancelOne(picked.name)} disabled={stage === 'finishing'} onClick={() => cancelUpload(id)}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </span>
  )
}
