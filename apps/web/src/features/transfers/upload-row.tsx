import { Link } from '@tanstack/react-router'
import {
  CircleAlert,
  CircleCheck,
  CircleSlash,
  File,
  Folder,
  FolderOpen,
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
import type { FolderProgress } from './folder-upload.ts'
import { t } from './texts.ts'
import { canRetry, hasEnded, type Upload } from './upload-list.ts'
import { cancelUpload, pauseUpload, resumeUpload, retryUpload } from './uploads.ts'

/** The state of an upload as text. */
export function stageText(upload: Upload): string {
  const { folder } = upload
  if (upload.stage === 'failed' && !canRetry(upload)) return t.emptyFile
  if (upload.stage === 'failed') return upload.error || (folder ? t.someFailed(folder.failed) : t.state.failed)
  if (upload.stage === 'cancelled' && folder) return t.cancelledFolder
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
  const { picked, stage, folder } = upload
  const Kind = picked.kind === 'folder' ? Folder : File
  const moving = stage === 'uploading' || stage === 'hashing' || stage === 'packing'
  const held = stage === 'paused' || stage === 'offline'
  const facts = [
    stageText(upload),
    folder && stage !== 'done' && t.filesOf(folder.files, folder.filesTotal),
    (moving || held) && upload.loaded > 0 && formatPercent(upload.loaded, upload.total, 2),
    stage === 'uploading' && upload.speed > 0 && formatSpeed(upload.speed),
    timeLeft(upload),
    (stage === 'waiting' || stage === 'done' || stage === 'paused') && formatSize(picked.size),
    folder && moving && folder.failed > 0 && t.queueFailed(folder.failed),
    (stage === 'waiting' ? !folder : stage === 'done') &&
      picked.kind === 'folder' &&
      t.folderOf(folder?.filesTotal ?? picked.files.length),
    folder && folder.leftOut.length > 0 && t.leftOut(folder.leftOut.length),
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
              tone={stage === 'retrying' || held ? 'warn' : 'accent'}
            />
          </div>
        )}
        <p className={`text-xs wrap-anywhere tabular-nums ${stage === 'failed' ? 'text-danger' : 'text-muted'}`}>
          {facts.join(' · ')}
        </p>
        {folder && folder.failures.length > 0 && <Failures name={picked.name} folder={folder} />}
        {folder && folder.leftOut.length > 0 && <LeftOut name={picked.name} paths={folder.leftOut} />}
      </div>
      <Outcome upload={upload} />
    </li>
  )
}

const FAILURES_SHOWN = 50

/** The files of a folder that failed, with the reason. */
function Failures({ name, folder: { failures, failed } }: { name: string; folder: FolderProgress }) {
  return (
    <details className="mt-1 text-xs">
      <summary className="cursor-pointer text-accent">{t.showFailed(failed)}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the list scrolls, also by keyboard */}
      <ul className="mt-1 max-h-40 overflow-y-auto" aria-label={t.failedOf(name)} tabIndex={0}>
        {failures.slice(0, FAILURES_SHOWN).map(({ path, failure }) => (
          <li key={path} className="py-0.5 wrap-anywhere">
            {path}
            <span className="block text-muted">{failure?.msg}</span>
          </li>
        ))}
        {failed > FAILURES_SHOWN && <li>{`+ ${(failed - FAILURES_SHOWN).toLocaleString()}`}</li>}
      </ul>
    </details>
  )
}

/** The files of a folder that have no content, and are therefore not stored. */
function LeftOut({ name, paths }: { name: string; paths: readonly string[] }) {
  return (
    <details className="mt-1 text-xs">
      <summary className="cursor-pointer text-accent">{t.showLeftOut(paths.length)}</summary>
      <p className="mt-1 text-muted">{t.leftOutWhy}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the list scrolls, also by keyboard */}
      <ul className="mt-1 max-h-40 overflow-y-auto" aria-label={t.leftOutOf(name)} tabIndex={0}>
        {paths.slice(0, FAILURES_SHOWN).map((path) => (
          <li key={path} className="py-0.5 wrap-anywhere">
            {path}
          </li>
        ))}
        {paths.length > FAILURES_SHOWN && <li>{`+ ${(paths.length - FAILURES_SHOWN).toLocaleString()}`}</li>}
      </ul>
    </details>
  )
}

/** Opens the folder that was uploaded, or the one that contains the upload. */
function Show({ upload: { picked, options, folder } }: { upload: Upload }) {
  const opened = folder?.id || options.folder
  const label = folder ? t.openFolder(picked.name) : t.openOne(picked.name)
  const Icon = folder ? FolderOpen : FolderSearch
  return (
    <Link
      to="/fileStorage"
      search={opened > 0 ? { folder: opened } : {}}
      className={iconButtonClass()}
      aria-label={label}
      title={label}
    >
      <Icon aria-hidden className="size-4" />
    </Link>
  )
}

function Outcome({ upload }: { upload: Upload }) {
  const { id, stage, picked, folder } = upload
  if (stage === 'done')
    return (
      <span className="flex items-center">
        <Show upload={upload} />
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
        {folder !== undefined && folder.id > 0 && <Show upload={upload} />}
        {canRetry(upload) && (
          <IconButton label={t.retryOne(picked.name)} onClick={() => retryUpload(id)}>
            <RotateCcw aria-hidden className="size-4" />
          </IconButton>
        )}
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
