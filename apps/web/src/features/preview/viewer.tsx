import { type ComponentProps, lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { formatSize } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { Button } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { looksBinary } from './decode.ts'
import { ImageView } from './image-view.tsx'
import { type PreviewKind, previewType } from './kinds.ts'
import { MediaView } from './media-view.tsx'
import { urlsAt } from './paths.ts'
import { PdfView } from './pdf-view.tsx'
import { type Source, useAddresses, useObjectUrl, useVerifiedContent } from './source.ts'
import { TextView } from './text-view.tsx'
import { t } from './texts.ts'

const TableView = lazy(async () => ({ default: (await import('./table-view.tsx')).TableView }))

const MiB = 1024 * 1024
/** Files up to this size are downloaded and verified as a whole; larger ones are streamed, or loaded on request. */
export const CHECKED_MAX = 32 * MiB
const CHECKED_TEXT = 8 * MiB
/** Lower for video and audio, which can play and seek before they are loaded. */
const CHECKED_MEDIA = 4 * MiB
/** Bytes loaded of a long text. */
const PART_BYTES = 1 * MiB

/** How the shown bytes were obtained. */
export type Origin = { kind: 'checked' } | { kind: 'streamed'; node: string } | { kind: 'part'; bytes: number }

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

/** Shows a file by its kind. */
export function Viewer(props: ViewerProps) {
  const { kind, size, passphrase } = props
  const [all, setAll] = useState(false)
  const isText = kind === 'text' || kind === 'table'
  const isMedia = kind === 'video' || kind === 'audio'
  const small = size <= (isText ? CHECKED_TEXT : isMedia ? CHECKED_MEDIA : CHECKED_MAX)
  // An encrypted file can only be decrypted as a whole.
  if (small || all || passphrase !== undefined) return <VerifiedView {...props} />
  if (isText) return <PartialText {...props} />
  if (kind === 'pdf' || kind === 'svg')
    return (
      <div className="flex h-full flex-col items-center justify-center gap-3 p-8 text-center">
        <p className="text-muted">{t.tooLargeText}</p>
        <Button look="primary" onClick={() => setAll(true)}>
          {t.tooLarge(formatSize(size))}
        </Button>
      </div>
    )
  return <StreamedView {...props} />
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
  if (kind === 'video' || kind === 'audio') return <MediaView kind={kind} urls={[url]} name={name} />
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

/** Large images, video and audio, streamed from a node with range requests. */
function StreamedView({ source, name, kind, compact, onOrigin }: ViewerProps) {
  const info = useAddresses(source)
  const [at, setAt] = useState(0)
  const node = info.data?.node_ids[at]
  useEffect(() => {
    if (node !== undefined) onOrigin({ kind: 'streamed', node: shorten(node, 8, 4) })
  }, [node, onOrigin])
  if (info.isPending) return <Loading />
  if (info.isError) return <LoadFailed title={t.failed} error={info.error} onRetry={() => void info.refetch()} />
  const urls = urlsAt(source.path, info.data.url)
  if (kind === 'video' || kind === 'audio') return <MediaView kind={kind} urls={urls} name={name} onSource={setAt} />
  return <ImageView url={urls[0] ?? ''} name={name} compact={compact ?? false} />
}

/** The first part of a long text, from the first node that serves it. */
function PartialText({ source, name, kind, compact, onOrigin }: ViewerProps) {
  const info = useAddresses(source)
  const [blob, setBlob] = useState<Blob>()
  const [failed, setFailed] = useState(false)
  const { path } = source
  const urls = useMemo(() => info.data && urlsAt(path, info.data.url), [path, info.data])
  useEffect(() => {
    if (!urls || failed) return
    const stop = new AbortController()
    const load = async () => {
      for (const url of urls) {
        const answer = await fetch(url, { headers: { Range: `bytes=0-${PART_BYTES - 1}` }, signal: stop.signal }).catch(
          () => undefined,
        )
        stop.signal.throwIfAborted()
        if (answer?.status !== 206) continue
        const part = await answer.blob()
        setBlob(part)
        onOrigin({ kind: 'part', bytes: part.size })
        return
      }
      setFailed(true)
    }
    load().catch(() => stop.signal.aborted || setFailed(true))
    return () => stop.abort()
  }, [urls, failed, onOrigin])
  if (info.isError || failed)
    return (
      <LoadFailed
        title={t.failed}
        error={info.error}
        onRetry={() => {
          setFailed(false)
          void info.refetch()
        }}
      />
    )
  if (!blob) return <Loading />
  return kind === 'table' ? (
    <Table blob={blob} name={name} compact={compact ?? false} />
  ) : (
    <TextView blob={blob} name={name} compact={compact ?? false} />
  )
}
