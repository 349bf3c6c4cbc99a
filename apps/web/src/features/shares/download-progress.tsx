import type { MapPoint } from '@tidenet/contract'
import { CHUNK_SIZE } from '@tidenet/contract/constants'
import { CircleAlert, CircleCheck, CircleSlash, LoaderCircle, RotateCcw, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatNumber, formatPercent, formatSize, formatSpeed } from '../../lib/format.ts'
import { formatDuration, shorten } from '../../lib/phrases.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { CopyField } from '../../ui/copy.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { Card } from '../../ui/states.tsx'
import type { Sender } from '../transfers/chunk-log.ts'
import { cancelDownload, type Download, isOver, retryDownload } from '../transfers/downloads.ts'
import { t as transfers } from '../transfers/texts.ts'
import { ChunkGrid } from './chunk-grid.tsx'
import { nodeLetter, nodePlace, seriesBorder, seriesFill } from './node-labels.ts'
import { t } from './texts.ts'

interface TheatreProps {
  download: Download
  /** Nodes with a copy of the file, if their locations are known. */
  places: readonly MapPoint[]
  /** Shown at the top: the link is restricted to some areas. */
  note?: ReactNode
}

/** Live details of a download: parts and speed by node, failed requests, and verification. */
export function DownloadProgress({ download, places, note }: TheatreProps) {
  const { id, request, stage, log, error, traceId } = download
  const over = isOver(download)
  const total = download.total || request.size
  const byStream = request.assetType === 'folder'
  return (
    <Card className="p-5 sm:p-6">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0 flex-1">
          <h2 className="flex items-center gap-2 text-lg font-semibold">
            <StageIcon stage={stage} />
            <span role="status">{t.theatre.stage[stage]}</span>
          </h2>
          {request.path && <p className="mt-1 font-medium wrap-anywhere">{request.path}</p>}
          <p className={classes('mt-1 text-sm', stage === 'failed' ? 'text-danger' : 'text-muted')}>
            {stage === 'failed' && error ? error : noteOf(download)}
          </p>
          {stage === 'failed' && error && <p className="text-sm text-muted">{transfers.failedHint}</p>}
          {request.passphrase && <p className="text-sm text-muted">{t.theatre.decrypting}</p>}
          {note && <div className="text-sm text-muted">{note}</div>}
        </div>
        {!over && (
          <Button className="shrink-0" icon={<X aria-hidden className="size-4" />} onClick={() => cancelDownload(id)}>
            {t.theatre.cancel}
          </Button>
        )}
        {(stage === 'failed' || stage === 'cancelled') && (
          <Button
            className="shrink-0"
            icon={<RotateCcw aria-hidden className="size-4" />}
            onClick={() => retryDownload(id)}
          >
            {t.theatre.retry}
          </Button>
        )}
      </div>
      {!over && (
        <div className="mt-4">
          <ProgressBar
            label={t.theatre.progressOf(request.name)}
            value={stage === 'starting' || total === 0 ? null : download.percent}
          />
        </div>
      )}
      <Figures download={download} total={total} over={over} />
      {!byStream && log.senders.length > 0 && (
        <div className="mt-6">
          <ChunkGrid log={log} size={total} over={over} />
        </div>
      )}
      <Senders download={download} places={places} over={over} />
      {over && stage !== 'cancelled' && !byStream && log.refused === 0 && (
        <p className="mt-3 text-sm text-muted">{t.theatre.noRefusals}</p>
      )}
      {log.refused > 0 && <Refusals download={download} />}
      {over && traceId && (
        <div className="mt-5 border-t border-line pt-4">
          <p className="text-sm font-medium">{t.theatre.trace}</p>
          <p className="mb-1.5 text-sm text-muted">{t.theatre.traceHint}</p>
          <CopyField text={traceId} label={t.theatre.copyTrace} />
        </div>
      )}
    </Card>
  )
}

/** What a download does, or what an archive lacks. */
function noteOf({ request, stage, entry, failedCount }: Download): string {
  if (stage === 'waiting') return transfers.interrupted
  if (stage === 'failed') return transfers.failedHint
  if (!request.archive) return request.assetType === 'folder' ? t.theatre.folderNote : t.theatre.lead
  if (stage === 'starting') return transfers.listing
  if (stage === 'downloading' && entry) return transfers.entryOf(entry.at, entry.count)
  if (stage === 'done' && failedCount > 0) return transfers.savedWithout(failedCount)
  return t.theatre.archiveNote
}

function StageIcon({ stage }: { stage: Download['stage'] }) {
  if (stage === 'done') return <CircleCheck aria-hidden className="size-5 shrink-0 text-good" />
  if (stage === 'failed') return <CircleAlert aria-hidden className="size-5 shrink-0 text-danger" />
  if (stage === 'cancelled') return <CircleSlash aria-hidden className="size-5 shrink-0 text-muted" />
  return <LoaderCircle aria-hidden className="size-5 shrink-0 animate-spin text-signal" />
}

function Figures({ download, total, over }: { download: Download; total: number; over: boolean }) {
  const { loaded, speed, started, ended, log, request, stage } = download
  const ms = Math.max(1, (ended || Date.now()) - started)
  const blocks = Math.ceil(total / CHUNK_SIZE)
  return (
    <dl className="mt-5 grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
      <Figure name={t.theatre.loaded}>
        {over && stage === 'done'
          ? formatSize(loaded, 2)
          : t.theatre.loadedOf(formatSize(loaded, 1), formatSize(total, 1))}
        {!over && <span className="block text-sm text-muted">{formatPercent(loaded, total, 2)}</span>}
      </Figure>
      {request.assetType === 'file' && (
        <Figure name={t.theatre.blocks}>
          {t.theatre.blocksOf(
            formatNumber(loaded >= total ? blocks : Math.floor(loaded / CHUNK_SIZE)),
            formatNumber(blocks),
          )}
        </Figure>
      )}
      {over ? (
        <Figure name={t.theatre.average}>{formatSpeed((loaded / ms) * 1000)}</Figure>
      ) : (
        <Figure name={t.theatre.speed}>{speed > 0 ? formatSpeed(speed) : '–'}</Figure>
      )}
      {over ? (
        <Figure name={t.theatre.time}>{ms < 10_000 ? `${formatNumber(ms / 1000, 1)} s` : formatDuration(ms)}</Figure>
      ) : (
        <Figure name={t.theatre.retries}>{formatNumber(log.refused)}</Figure>
      )}
    </dl>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="border-t border-line pt-2">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="font-mono text-[1.0625rem] tabular-nums">{children}</dd>
    </div>
  )
}

/** Bytes and speed by node. */
function Senders({ download, places, over }: TheatreProps & { over: boolean }) {
  const { log, nodes } = download
  // A folder comes from one node at a time; the result names the nodes.
  const senders: readonly Sender[] =
    log.senders.length > 0
      ? log.senders
      : Object.entries(nodes).map(([id, { bytes, chunks }]) => ({ id, bytes, chunks, ms: 0, requested: 0, refused: 0 }))
  if (senders.length === 0) return null
  const most = Math.max(...senders.map(({ bytes }) => bytes), 1)
  return (
    <div className="mt-6">
      <h3 className="mb-1 font-semibold">{t.theatre.nodes}</h3>
      <ul className="divide-y divide-line">
        {senders.map((sender, index) => (
          <li key={sender.id} className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 py-2.5">
            <span
              className={classes(
                'flex size-7 items-center justify-center rounded-md border font-mono text-sm text-surface',
                seriesFill(index),
                seriesBorder(index),
              )}
            >
              {nodeLetter(index)}
            </span>
            <div className="min-w-0">
              <p className="flex flex-wrap items-baseline gap-x-2">
                <span className="font-mono text-[0.8125rem]" title={sender.id}>
                  {shorten(sender.id, 8, 4)}
                </span>
                <span className="text-sm text-muted">
                  {nodePlace(places.find(({ node_id }) => node_id === sender.id))}
                </span>
              </p>
              <Share index={index} value={sender.bytes / most} />
            </div>
            <p className="text-right text-sm whitespace-nowrap tabular-nums">
              {formatSize(sender.bytes)}
              <span className="block text-xs text-muted">
                {sender.ms > 0 && formatSpeed((sender.bytes / sender.ms) * 1000)}
                {sender.refused > 0 && <span className="text-danger"> {t.theatre.nodeRefused(sender.refused)}</span>}
                {!over && sender.requested > 0 && <span className="text-signal"> {t.theatre.asking}</span>}
              </span>
            </p>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A bar relative to the node that sent the most. */
function Share({ index, value }: { index: number; value: number }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      className="mt-1 block h-1 w-full overflow-hidden rounded-full"
    >
      <rect width="100" height="4" className="fill-sunken" />
      <rect
        width={Math.max(0, Math.min(100, value * 100))}
        height="4"
        className={['fill-series-1', 'fill-series-2', 'fill-series-3', 'fill-series-4'][index % 4]}
      />
    </svg>
  )
}

function Refusals({ download: { log } }: { download: Download }) {
  return (
    <details className="mt-3 rounded-lg border border-line px-3.5 py-2.5 text-sm" open={log.refused <= 3}>
      <summary className="cursor-pointer font-medium">{t.theatre.refusals(log.refused)}</summary>
      <ul className="mt-2 flex flex-col gap-1 text-muted">
        {log.refusals.map(({ chunk, sender, slow, error }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events have no id
          <li key={index}>
            {t.theatre.refusal(nodeLetter(sender), chunk + 1, slow ? t.theatre.slow : t.theatre.refusalEnd(error))}
          </li>
        ))}
      </ul>
    </details>
  )
}
