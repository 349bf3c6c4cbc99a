import { CircleAlert, CircleCheck, CircleSlash, File, Folder, Package, RotateCcw, X } from 'lucide-react'
import { formatNumber, formatPercent, formatSize, formatSpeed } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { t as shell } from '../../lib/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { cancelDownload, type Download, isOver, retryDownload } from './downloads.ts'
import { t } from './texts.ts'

function stageText({ stage, error, entry, failedCount, request }: Download): string {
  if (stage === 'failed') return error ? `${t.failed}: ${error}` : t.failed
  if (stage === 'starting' && request.archive) return t.listing
  if (stage === 'downloading' && entry) return t.entryOf(entry.at, entry.count)
  if (stage === 'done' && failedCount > 0) return t.savedWithout(failedCount)
  return {
    starting: t.starting,
    downloading: t.downloading,
    waiting: t.interrupted,
    finishing: t.state.finishing,
    done: t.saved,
    cancelled: t.cancelled,
  }[stage]
}

/** A download with its progress, and buttons to cancel or retry. */
export function DownloadRow({ download }: { download: Download }) {
  const { id, request, stage } = download
  const Kind = request.archive ? Package : request.assetType === 'folder' ? Folder : File
  const size = download.total || request.size
  return (
    <li className="flex items-start gap-3 py-3">
      <Kind aria-hidden className="mt-1 size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{request.name}</p>
        {!isOver(download) && (
          <div className="py-2">
            <ProgressBar
              label={t.progressOf(request.name)}
              value={stage === 'starting' || download.total === 0 ? null : download.percent}
            />
          </div>
        )}
        <p role="status" className={`text-sm wrap-anywhere ${stage === 'failed' ? 'text-danger' : 'text-muted'}`}>
          {stageText(download)}
        </p>
        {stage === 'failed' && <p className="text-sm text-muted">{t.failedHint}</p>}
        <dl className="mt-1 flex flex-wrap gap-x-5 text-sm text-muted">
          <Fact name={shell.words.size}>{size > 0 ? formatSize(size) : '–'}</Fact>
          {stage === 'downloading' && <Fact name={t.speed}>{formatSpeed(download.speed)}</Fact>}
          {!isOver(download) && download.total > 0 && (
            <Fact name={t.progress}>{formatPercent(download.loaded, download.total, 2)}</Fact>
          )}
        </dl>
        {stage === 'failed' && download.traceId && (
          <p className="text-xs text-muted wrap-anywhere">{t.trace(download.traceId)}</p>
        )}
        {stage === 'done' && download.slow[0] && (
          <p
            className="text-xs text-muted wrap-anywhere"
            title={download.slow.map(({ node_id }) => node_id).join(', ')}
          >
            {t.slowedBy(shorten(download.slow[0].node_id, 10, 6), formatNumber(download.slow[0].ms / 1000, 1))}
          </p>
        )}
        <SendingNodes download={download} />
      </div>
      {stage === 'done' ? (
        <CircleCheck aria-hidden className="m-2 size-5 text-good" />
      ) : stage === 'failed' || stage === 'cancelled' ? (
        <span className="flex">
          {stage === 'failed' ? (
            <CircleAlert aria-hidden className="m-2 size-5 text-danger" />
          ) : (
            <CircleSlash aria-hidden className="m-2 size-5 text-muted" />
          )}
          <IconButton label={t.retryOne(request.name)} onClick={() => retryDownload(id)}>
            <RotateCcw aria-hidden className="size-4" />
          </IconButton>
        </span>
      ) : (
        <IconButton label={t.cancelOne(request.name)} onClick={() => cancelDownload(id)}>
          <X aria-hidden className="size-4" />
        </IconButton>
      )}
    </li>
  )
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div className="flex gap-1.5">
      <dt>{name}</dt>
      <dd className="text-text tabular-nums">{children}</dd>
    </div>
  )
}

/** Verified bytes by node. */
export function SendingNodes({ download: { nodes, stage } }: { download: Download }) {
  const sent = Object.entries(nodes).sort(([, a], [, b]) => b.bytes - a.bytes)
  if (sent.length === 0) return null
  return (
    <div className="mt-2 text-sm">
      <p className="text-muted">{t.verifiedFrom}</p>
      <ul className="mt-1 flex flex-wrap gap-1.5">
        {sent.map(([node, { bytes }]) => (
          <li key={node} className="rounded-md bg-good-soft px-2 py-0.5 text-good" title={node}>
            <span className="font-mono text-[0.8125rem]">{shorten(node, 8, 4)}</span> {formatSize(bytes)}
          </li>
        ))}
      </ul>
      {stage === 'done' && <p className="mt-1 text-muted">{t.verifiedNote}</p>}
    </div>
  )
}
