import { type ComponentProps, lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { formatSize } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { looksBinary } from './decode.ts'
import { ImageView } from './image-view.tsx'
import { type PreviewKind, previewType } from './kinds.ts'
import { MediaView } from './media-view.tsx'
import { type Opened, useOpenFile } from './open-file.ts'
import { PdfView } from './pdf-view.tsx'
import { type Source, useObjectUrl, useVerifiedContent } from './source.ts'
import { StreamedMedia } from './streamed-media.tsx'
import { TextView } from './text-view.tsx'
import { t } from './texts.ts'

const ArchiveView = lazy(async () => ({ default: (await import('./archive-view.tsx')).ArchiveView }))
const MarkdownView = lazy(async () => ({ default: (await import('./markdown-view.tsx')).MarkdownView }))
const TableView = lazy(async () => ({ default: (await import('./table-view.tsx')).TableView }))

const MiB = 1024 * 1024
/** Files up to this size are downloaded as a whole; of larger ones parts are shown, or they are loaded on request. */
export const CHECKED_MAX = 32 * MiB
const CHECKED_TEXT = 8 * MiB
/** Lower for video and audio, which can play and seek before they are loaded. */
const CHECKED_MEDIA = 4 * MiB
/** Bytes loaded of a long text. */
const PART_BYTES = 1 * MiB

/** What was verified of the shown file. */
export type Origin = { kind: 'checked' } | { kind: 'streamed' } | { kind: 'part'; bytes: number }

interface ViewerProps {
  source: Source
  name: string
  size: number
  kind: PreviewKind
  /** Decrypts an encrypted file. */
  passphrase?: string | undefined
  /** Smaller and without controls, within another page. */
  compact?: boolean
  onOrigin: (origin: Origin | undefined) => void
  onWrongKey?: () => void
}

/** A file that is not loaded as a whole. */
type PartsProps = ViewerProps & { onWhole: () => void }

/** Shows a file by its kind. */
export function Viewer(props: ViewerProps) {
  const { kind, size } = props
  const [all, setAll] = useState(false)
  const isText = kind === 'text' || kind === 'table' || kind === 'markdown'
  const isMedia = kind === 'video' || kind === 'audio'
  const small = size <= (isText ? CHECKED_TEXT : isMedia ? CHECKED_MEDIA : CHECKED_MAX)
  if (kind !== 'archive' && (small || all)) return <VerifiedView {...props} />
  if (isText || isMedia || kind === 'archive') return <OpenedView {...props} onWhole={() => setAll(true)} />
  return <AskWhole size={size} onWhole={() => setAll(true)} />
}

function VerifiedView({ source, name, kind, passphrase, compact, onOrigin, onWrongKey }: ViewerProps) {
  const { loaded, retry } = useVerifiedContent(source, true, passphrase)
  const { state } = loaded
  const wrongKey = state === 'failed' && loaded.wrongKey
  useEffect(() => {
    onOrigin(state === 'ready' ? { kind: 'checked' } : undefined)
    if (wrongKey) onWrongKey?.()
  }, [state, wrongKey, onOrigin, onWrongKey])
  if (loaded.state === 'failed')
    return <LoadFailed title={t.failed} error={new ApiError('server', loaded.problem)} onRetry={retry} />
  if (loaded.state === 'loading')
    return (
      <div className="flex h-full flex-col justify-center gap-2 p-8">
        <p role="status" className="text-sm text-muted">
          {t.loading}
        </p>
        <ProgressBar label={t.loading} value={loaded.percent} />
      </div>
    )
  return <ContentView blob={loaded.blob} name={name} kind={kind} compact={compact ?? false} />
}

function ContentView({ blob, name, kind, compact }: { blob: Blob; name: string; kind: PreviewKind; compact: boolean }) {
  if (kind === 'pdf') return <PdfView blob={blob} name={name} />
  if (kind === 'table') return <Table blob={blob} name={name} compact={compact} />
  if (kind === 'markdown')
    return (
      <Suspense fallback={<Loading />}>
        <MarkdownView blob={blob} name={name} compact={compact} />
      </Suspense>
    )
  if (kind === 'svg') return <SvgView blob={blob} name={name} compact={compact} />
  if (kind === 'text')
    return (
      <TextView
        blob={blob}
        name={name}
        compact={compact}
        {...(/\.(html?|xhtml)$/i.test(name) && { note: t.text.asText })}
      />
    )
  if (kind === 'none') return <UnknownFileView blob={blob} name={name} />
  return <BlobView blob={blob} name={name} kind={kind} compact={compact} />
}

const Table = (props: ComponentProps<typeof TableView>) => (
  <Suspense fallback={<Loading />}>
    <TableView {...props} />
  </Suspense>
)

function BlobView({ blob, name, kind, compact }: { blob: Blob; name: string; kind: PreviewKind; compact: boolean }) {
  const url = useObjectUrl(blob, previewType(name))
  if (!url) return <Loading />
  if (kind === 'video' || kind === 'audio') return <MediaView kind={kind} url={url} name={name} />
  return <ImageView url={url} name={name} compact={compact} />
}

/** An SVG as a static image. A `data:` URL has no origin, so it cannot run as a page of the portal. */
function SvgView({ blob, name, compact }: { blob: Blob; name: string; compact: boolean }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const reader = new FileReader()
    reader.onload = () => setUrl(String(reader.result))
    reader.readAsDataURL(new Blob([blob], { type: 'image/svg+xml' }))
    return () => reader.abort()
  }, [blob])
  if (!url) return <Loading />
  return <ImageView url={url} name={name} compact={compact} note={t.image.still} />
}

/** A file of unknown type: shown as text unless its bytes look binary. */
function UnknownFileView({ blob, name }: { blob: Blob; name: string }) {
  const [binary, setBinary] = useState<boolean>()
  useEffect(() => {
    let cancelled = false
    void blob
      .slice(0, 65_536)
      .arrayBuffer()
      .then((head) => cancelled || setBinary(looksBinary(new Uint8Array(head))))
    return () => {
      cancelled = true
    }
  }, [blob])
  if (binary === undefined) return <Loading />
  if (binary) return <p className="p-8 text-center text-muted">{t.noneText}</p>
  return <TextView blob={blob} name={name} />
}

/** What is shown from parts of a large file: each part is read when it is needed, and verified. */
function OpenedView({ source, name, size, kind, passphrase, compact, onOrigin, onWrongKey, onWhole }: PartsProps) {
  const { opened, retry } = useOpenFile(source, passphrase)
  const wrongKey = opened.state === 'failed' && opened.wrongKey
  useEffect(() => {
    if (wrongKey) onWrongKey?.()
  }, [wrongKey, onWrongKey])
  const media = kind === 'video' || kind === 'audio'
  const ready = opened.state === 'ready'
  useEffect(() => {
    if (ready && media) onOrigin({ kind: 'streamed' })
    if (ready && kind === 'archive') onOrigin({ kind: 'checked' })
  }, [ready, media, kind, onOrigin])
  const [noStream, setNoStream] = useState(false)
  const onUnavailable = useCallback(() => setNoStream(true), [])
  if (opened.state === 'loading') return <Loading />
  if (opened.state === 'failed')
    return <LoadFailed title={t.failed} error={new ApiError('server', opened.problem)} onRetry={retry} />
  const { file } = opened
  if (media)
    return noStream ? (
      <AskWhole size={size} onWhole={onWhole} />
    ) : (
      <StreamedMedia file={file} kind={kind} name={name} onUnavailable={onUnavailable} />
    )
  if (kind === 'archive')
    return (
      <Suspense fallback={<Loading />}>
        <ArchiveView file={file} name={name} compact={compact ?? false} />
      </Suspense>
    )
  return <FirstPart file={file} name={name} kind={kind} compact={compact ?? false} onOrigin={onOrigin} />
}

/** The first part of a long text. */
function FirstPart({
  file,
  name,
  kind,
  compact,
  onOrigin,
}: { file: Opened; compact: boolean } & Pick<ViewerProps, 'name' | 'kind' | 'onOrigin'>) {
  const [blob, setBlob] = useState<Blob>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    if (problem !== undefined) return
    const stop = new AbortController()
    file.read(0, PART_BYTES, stop.signal).then(
      (bytes) => {
        setBlob(new Blob([bytes]))
        onOrigin(bytes.length < file.size ? { kind: 'part', bytes: bytes.length } : { kind: 'checked' })
      },
      (error: Error) => stop.signal.aborted || setProblem(error.message),
    )
    return () => stop.abort()
  }, [file, problem, onOrigin])
  if (problem !== undefined)
    return <LoadFailed title={t.failed} error={new ApiError('server', problem)} onRetry={() => setProblem(undefined)} />
  if (!blob) return <Loading />
  return <ContentView blob={blob} name={name} kind={kind} compact={compact} />
}

const AskWhole = ({ size, onWhole }: { size: number; onWhole: () => void }) => (
  <div className="flex h-full flex-col items-center justify-center gap-3 p-8 text-center">
    <p className="text-muted">{t.tooLargeText}</p>
    <Button look="primary" onClick={onWhole}>
      {t.tooLarge(formatSize(size))}
    </Button>
  </div>
)
