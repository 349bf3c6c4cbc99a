import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { DownloadInfo, MapPoint } from '@tidenet/contract'
import { Download as DownloadIcon, Eye, FolderOpen, HardDriveDownload } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { countryOf } from '../../lib/areas.ts'
import { formatSize } from '../../lib/format.ts'
import { isShortLink } from '../../lib/opened-links.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { formatList, shorten } from '../../lib/phrases.ts'
import { useWide } from '../../lib/use-rem.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { CopyField } from '../../ui/copy.tsx'
import { Card, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { kindOf } from '../preview/file-icon.tsx'
import { previewKind } from '../preview/kinds.ts'
import { PreviewPlaceholder } from '../preview/preview-placeholder.tsx'
import { type SharedRef, useSharedInfo } from '../preview/shared-info.ts'
import { previewOf } from '../preview/source.ts'
import type { DownloadRequest } from '../transfers/download-request.ts'
import { isOver } from '../transfers/downloads.ts'
import { Heading } from './heading.tsx'
import { Holders } from './holders.tsx'
import { type ShareAccess, useReopen } from './share-gate.tsx'
import { ShareUnavailable, unavailableStateOf } from './share-unavailable.tsx'
import { downloadRequestFor, useReplicas } from './shared-assets.ts'
import { Fact, TermFacts } from './terms.tsx'
import { t } from './texts.ts'
import { useDownload } from './use-download.ts'

const InlinePreview = lazy(async () => ({ default: (await import('../preview/inline-preview.tsx')).InlinePreview }))

const DownloadProgress = lazy(async () => ({ default: (await import('./download-progress.tsx')).DownloadProgress }))

const DecryptDialog = lazy(async () => ({ default: (await import('../transfers/decrypt-dialog.tsx')).DecryptDialog }))

const FolderContents = lazy(async () => ({
  default: (await import('../preview/folder-contents.tsx')).FolderContents,
}))

const EmbeddedContents = lazy(async () => ({ default: (await import('./embedded-contents.tsx')).EmbeddedContents }))

/** Bytes up to which the preview loads automatically, on wide windows only: mobile data is slow and often metered. */
const AUTO_PREVIEW_MAX = 4 * 1024 * 1024

interface SharedFileProps {
  access: ShareAccess
  folder?: number | undefined
  areas: readonly string[]
  /** For embedding: only what is needed to download. */
  embedded?: boolean
}

/** A shared file: facts, terms, replicas, preview and download. */
export function SharedFile({ access, folder, areas, embedded = false }: SharedFileProps) {
  const { own, ...opens } = access
  const ref: SharedRef = { ...opens, folder, areas }
  const info = useSharedInfo(ref)
  usePageTitle(info.data?.file_name)
  const places = useReplicas(ref)
  const reopen = useReopen(folder === undefined ? ref.cid : String(folder), ref.owner)
  useEffect(() => {
    if (info.error) reopen(info.error)
  })
  // Wait for both, to avoid layout shift.
  if (info.isPending || (!embedded && places.isPending && !info.isError))
    return <Loading page={!embedded} label={t.states.opening} />
  if (info.isError) {
    const closed = unavailableStateOf(info.error)
    if (closed) return <ShareUnavailable state={closed} onRetry={() => void info.refetch()} />
    if (!info.data) return <LoadFailed title={t.states.failed} error={info.error} onRetry={() => void info.refetch()} />
  }
  const points = places.data?.list
  const parts = { refTo: ref, info: info.data, points: points ?? [], onFailed: () => void info.refetch() }
  if (embedded) return <EmbeddedFile {...parts} onRefused={reopen} />
  const terms = places.data?.terms
  const short = isShortLink(ref.owner)
  return (
    <div className="flex flex-col gap-8">
      {own && (
        <Notice>
          <div className="flex flex-wrap items-center justify-between gap-2">
            <span>{terms?.shared === false ? t.owner.notShared : t.owner.shared}</span>
            <Link
              to="/fileStorage"
              className="inline-flex items-center gap-1.5 font-medium text-accent hover:underline"
            >
              <FolderOpen aria-hidden className="size-4" />
              {t.owner.toFiles}
            </Link>
          </div>
        </Notice>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Main {...parts} limitReached={!own && terms?.downloads_left === 0} onRefused={reopen} />
        <Card className="p-5 sm:p-6">
          <h2 className="text-lg font-semibold">{t.facts.terms}</h2>
          <dl className="mt-4 flex flex-col gap-4">
            {terms?.shared && <TermFacts terms={terms} />}
            {areas.length > 0 && <Fact name={t.facts.areas}>{formatList(areas.map((area) => countryOf(area)))}</Fact>}
            {!short && (
              <Fact name={t.facts.owner}>
                {own ? (
                  t.facts.you
                ) : (
                  <span className="font-mono text-sm" title={ref.owner}>
                    {shorten(ref.owner)}
                  </span>
                )}
              </Fact>
            )}
            {places.data && (
              <Fact name={t.facts.copies}>{t.facts.copiesOf(places.data.network_count, places.data.wanted_count)}</Fact>
            )}
            {info.data.encrypted && <Fact name={t.facts.encrypted}>{t.facts.encryptedText}</Fact>}
            <Fact name={t.facts.cid}>
              <CopyField text={ref.cid} label={t.facts.copyCid} />
            </Fact>
          </dl>
        </Card>
      </div>
      <Holders
        points={points}
        error={places.isError && !points ? places.error : undefined}
        onRetry={() => void places.refetch()}
      />
    </div>
  )
}

interface Parts {
  refTo: SharedRef
  info: DownloadInfo
  points: readonly MapPoint[]
  /** A download failed. */
  onFailed: () => void
}

function Main({
  refTo,
  info,
  points,
  onFailed,
  limitReached,
  onRefused,
}: Parts & { limitReached: boolean; onRefused: (error: unknown) => void }) {
  const { actions, theatre, start, show } = useDownloadActions(refTo, info, points, onFailed)
  const folder = info.asset_type === 'folder'
  const kind = previewKind(info.file_name)
  const canPreview = !folder && kind !== 'none'
  const [asked, setAsked] = useState(false)
  const wide = useWide()
  const previewOpen = asked || (wide && info.size <= AUTO_PREVIEW_MAX)
  const source = { kind: 'open' as const, ...refTo }
  const preview = previewOf(source)
  const { path = '' } = useSearch({ strict: false })
  const navigate = useNavigate()
  const place = useRef<HTMLDivElement>(null)
  // Scroll to the progress of a download that was started further down.
  const scrollPending = useRef(false)
  useEffect(() => {
    if (!scrollPending.current || !theatre) return
    scrollPending.current = false
    place.current?.scrollIntoView({ block: 'nearest' })
  })
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Card className="p-5 sm:p-6">
        <Heading {...headingOf(info)} />
        {/* Columns on narrow screens, so that the layout does not depend on the loaded font. */}
        <div className="mt-5 grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
          {actions}
          {canPreview && (
            <Link to="/preview" {...preview} className={buttonClass('secondary')}>
              <Eye aria-hidden className="size-4" />
              {t.actions.preview}
            </Link>
          )}
          <span className="col-span-2 text-sm text-muted">{t.facts.available(info.available_nodes)}</span>
        </div>
      </Card>
      <div ref={place} className={classes('scroll-mt-20', !theatre && 'hidden')}>
        {theatre}
      </div>
      {folder && (
        <Card className="overflow-hidden">
          <Suspense fallback={<Loading />}>
            <FolderContents
              source={source}
              name={info.file_name}
              encrypted={info.encrypted}
              path={path}
              onPath={(to) =>
                void navigate({
                  to: '.',
                  search: ((before: object) => ({ ...before, path: to || undefined })) as never,
                  resetScroll: false,
                })
              }
              onDownload={(request) => {
                scrollPending.current = true
                start(request)
              }}
              onStarted={(id) => {
                scrollPending.current = true
                show(id)
              }}
              onRefused={onRefused}
              limitReached={limitReached}
            />
          </Suspense>
        </Card>
      )}
      {canPreview && !info.encrypted && previewOpen && (
        <Suspense fallback={<PreviewPlaceholder kind={kind} size={info.size} />}>
          <InlinePreview
            source={source}
            name={info.file_name}
            size={info.size}
            full={
              <Link to="/preview" {...preview} className="text-sm text-accent hover:underline">
                {t.actions.fullPreview}
              </Link>
            }
          />
        </Suspense>
      )}
      {canPreview && !info.encrypted && !previewOpen && (
        <div className="flex flex-wrap items-center gap-3">
          <Button icon={<Eye aria-hidden className="size-4" />} onClick={() => setAsked(true)}>
            {t.actions.showPreview(formatSize(info.size))}
          </Button>
          <span className="text-sm text-muted">{t.actions.previewNote}</span>
        </div>
      )}
    </div>
  )
}

/** For embedding: one card and, for a folder, its first entries. */
function EmbeddedFile({ refTo, info, points, onFailed, onRefused }: Parts & { onRefused: (error: unknown) => void }) {
  const { actions, theatre } = useDownloadActions(refTo, info, points, onFailed)
  return (
    <div className="flex flex-col gap-4">
      <Card className="p-5">
        <Heading {...headingOf(info)} />
        <div className="mt-4 flex flex-wrap items-center gap-2">{actions}</div>
      </Card>
      {theatre}
      {info.asset_type === 'folder' && (
        <Suspense fallback={<Loading />}>
          <EmbeddedContents source={{ kind: 'open', ...refTo }} name={info.file_name} onRefused={onRefused} />
        </Suspense>
      )}
    </div>
  )
}

const headingOf = ({ file_name, asset_type, size }: DownloadInfo) => {
  const folder = asset_type === 'folder'
  return { name: file_name, folder, facts: `${kindOf(file_name, folder)} · ${formatSize(size, 2)}` }
}

/** Download buttons and the progress of the download. */
function useDownloadActions(
  ref: SharedRef,
  info: DownloadInfo,
  points: readonly MapPoint[],
  onFailed: () => void,
): { actions: ReactNode; theatre: ReactNode; start: (request: DownloadRequest) => void; show: (id: number) => void } {
  const { download, start, startTo, show } = useDownload(onFailed)
  const [unlocking, setUnlocking] = useState(false)
  const request = downloadRequestFor(ref, info)
  // The download may be of a single entry of an uploaded folder.
  const whole = download?.request.path ? undefined : download
  const busy = whole !== undefined && !isOver(whole)
  const note = ref.areas.length > 0 ? t.theatre.onlyFrom(formatList(ref.areas.map(countryOf))) : undefined
  return {
    start,
    show,
    actions: (
      <>
        <Button
          look="primary"
          icon={<DownloadIcon aria-hidden className="size-4" />}
          busy={busy}
          onClick={() => (info.encrypted ? setUnlocking(true) : start(request))}
        >
          {whole?.stage === 'done' ? t.actions.again : t.actions.download}
        </Button>
        {startTo && !info.encrypted && (
          <Button
            icon={<HardDriveDownload aria-hidden className="size-4" />}
            title={t.actions.saveToHint}
            disabled={busy}
            onClick={() => startTo(request)}
          >
            {t.actions.saveTo}
          </Button>
        )}
        {unlocking && (
          <Suspense>
            <DecryptDialog request={request} onClose={() => setUnlocking(false)} onStarted={show} />
          </Suspense>
        )}
      </>
    ),
    theatre: download && (
      <Suspense>
        <DownloadProgress download={download} places={points} note={note} />
      </Suspense>
    ),
  }
}
