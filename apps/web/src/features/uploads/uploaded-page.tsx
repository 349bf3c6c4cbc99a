import { Link, useSearch } from '@tanstack/react-router'
import type { Output, RouteOf } from '@tidenet/contract'
import { TEMP_FILE_DOWNLOADS } from '@tidenet/contract/constants'
import {
  CircleCheck,
  Download as DownloadIcon,
  ExternalLink,
  Eye,
  FileQuestion,
  Gauge,
  Plus,
  SearchX,
} from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { formatDateTime, formatSize } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { formatDuration } from '../../lib/phrases.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Page } from '../../ui/page.tsx'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { wasUploadedHere } from '../adoption/own-uploads.ts'
import { FileIcon, kindOf } from '../preview/file-icon.tsx'
import { previewKind } from '../preview/kinds.ts'
import { DownloadProgress } from '../shares/download-progress.tsx'
import { Holders } from '../shares/holders.tsx'
import { Fact } from '../shares/terms.tsx'
import { useDownload } from '../shares/use-download.ts'
import { isOver } from '../transfers/downloads.ts'
import { t } from './texts.ts'

const QrCode = lazy(async () => ({ default: (await import('../../ui/qr-code.tsx')).QrCode }))

const GONE = [1000, 1001]
/** Polled more often until all copies are stored. */
const COPYING_REFRESH_MS = 2000
const REFRESH_MS = 15_000

type Info = Output<RouteOf<'tempFiles.info'>>

const isComplete = ({ complete, wanted }: Info): boolean => wanted > 0 && complete >= wanted

/** An anonymous file: link, limits and copies. */
export function UploadedPage() {
  const title = usePageTitle()
  const { cid, name } = useSearch({ from: '/site/homeupload' })
  return (
    <Page>
      {cid ? (
        <Uploaded cid={cid} name={name ?? ''} />
      ) : (
        <Nothing
          title={t.result.missing}
          text={t.result.missingText}
          icon={<FileQuestion aria-hidden className="size-6" />}
          label={title}
        />
      )}
    </Page>
  )
}

function Nothing({ title, text, icon, label }: { title: string; text: string; icon: ReactNode; label?: string }) {
  return (
    <Card>
      {label && <h1 className="sr-only">{label}</h1>}
      <Empty icon={icon} title={title}>
        <p>{text}</p>
        <Link to="/Upload" className={buttonClass('primary', 'mt-4')}>
          {t.result.tryOne}
        </Link>
      </Empty>
    </Card>
  )
}

function Uploaded({ cid, name }: { cid: string; name: string }) {
  const info = useQuery({
    ...query('tempFiles.info', { cid, ...(name && { filename: name }) }),
    refetchInterval: ({ state: { data } }) => (data && isComplete(data) ? REFRESH_MS : COPYING_REFRESH_MS),
  })
  if (info.isPending) return <Loading />
  if (info.isError && !info.data) {
    if (info.error instanceof ApiError && GONE.includes(info.error.err ?? 0))
      return (
        <Nothing
          title={t.result.goneTitle}
          text={t.result.goneText}
          icon={<SearchX aria-hidden className="size-6" />}
          label={t.result.goneTitle}
        />
      )
    return <LoadFailed title={t.result.failed} error={info.error} onRetry={() => void info.refetch()} />
  }
  return <Found cid={cid} info={info.data} />
}

function Found({ cid, info }: { cid: string; info: Info }) {
  const { download, start } = useDownload()
  const [mine, setMine] = useState(false)
  const [pageUrl, setPageUrl] = useState('')
  useEffect(() => {
    setMine(wasUploadedHere(cid))
    setPageUrl(`${location.origin}/homeupload?${new URLSearchParams({ cid })}`)
  }, [cid])
  const { name, size } = info
  const link = pageUrl && new URL(info.share_url, pageUrl).href
  const limitReached = info.downloads_left === 0
  const canPreview = previewKind(name) !== 'none' && !limitReached
  return (
    <div className="flex flex-col gap-8">
      <div className="flex items-start gap-4">
        <span className="flex size-12 shrink-0 items-center justify-center rounded-xl bg-accent-soft text-accent">
          {mine ? <CircleCheck aria-hidden className="size-6" /> : <DownloadIcon aria-hidden className="size-6" />}
        </span>
        <div className="min-w-0">
          <h1 className="text-2xl leading-8 font-semibold tracking-tight">{mine ? t.result.mine : t.result.others}</h1>
          <p className="mt-1 max-w-3xl text-muted">{mine ? t.result.mineText : t.result.othersText}</p>
        </div>
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <Card className="p-5 sm:p-6">
            <div className="flex items-start gap-4">
              <FileIcon name={name} folder={false} className="mt-1 size-6 shrink-0 text-muted" />
              <div className="min-w-0">
                <h2 className="text-lg font-semibold wrap-anywhere">{name}</h2>
                <p className="text-muted">
                  {kindOf(name, false)} · {formatSize(size, 2)}
                </p>
              </div>
            </div>
            {limitReached ? (
              <div className="mt-5 flex items-start gap-3 rounded-lg border border-warn/40 bg-warn-soft px-4 py-3 text-warn">
                <Gauge aria-hidden className="mt-0.5 size-5 shrink-0" />
                <div>
                  <p className="font-medium">{t.result.spentTitle}</p>
                  <p className="text-sm">{t.result.spentText}</p>
                </div>
              </div>
            ) : (
              link && <Links link={link} page={pageUrl} />
            )}
            <div className="mt-5 flex flex-wrap gap-2">
              <Button
                look="primary"
                icon={<DownloadIcon aria-hidden className="size-4" />}
                busy={download !== undefined && !isOver(download)}
                disabled={limitReached}
                onClick={() => start({ cid, name, size, assetType: 'file', encrypted: false, temporary: true })}
              >
                {t.result.download}
              </Button>
              {link && !limitReached && (
                <a href={link} target="_blank" rel="noreferrer" className={buttonClass('secondary')}>
                  <ExternalLink aria-hidden className="size-4" />
                  {t.result.open}
                </a>
              )}
              {canPreview && (
                <Link to="/preview" search={{ cid, name }} className={buttonClass('secondary')}>
                  <Eye aria-hidden className="size-4" />
                  {t.result.preview}
                </Link>
              )}
              <Link to="/newUpload" className={buttonClass('ghost')}>
                <Plus aria-hidden className="size-4" />
                {t.result.another}
              </Link>
            </div>
          </Card>
          {download && <DownloadProgress download={download} places={info.maplist} />}
        </div>
        <Left cid={cid} info={info} />
      </div>
      <div>
        <Holders points={info.maplist} />
        <p role="status" className="mt-2 text-sm text-muted">
          {isComplete(info) ? t.result.complete : t.result.growing}
        </p>
      </div>
      {mine && <Keep />}
    </div>
  )
}

function Links({ link, page }: { link: string; page: string }) {
  return (
    <div className="mt-5 grid items-start gap-6 sm:grid-cols-[minmax(0,1fr)_12rem]">
      <div className="flex min-w-0 flex-col gap-4">
        <div>
          <p className="font-medium">{t.result.link}</p>
          <p className="mb-1.5 text-sm text-muted">{t.result.linkText}</p>
          <CopyField text={link} label={t.result.copyLink} />
        </div>
        <div>
          <p className="font-medium">{t.result.page}</p>
          <p className="mb-1.5 text-sm text-muted">{t.result.pageText}</p>
          <CopyField text={page} label={`${t.result.copyLink}: ${t.result.page}`} />
        </div>
      </div>
      <figure className="mx-auto w-48 sm:w-full">
        <Suspense fallback={<div className="aspect-square" />}>
          <QrCode text={link} label={t.result.qr} />
        </Suspense>
        <figcaption className="mt-2 text-center text-sm text-muted">{t.result.qrText}</figcaption>
      </figure>
    </div>
  )
}

/** Expiry, downloads left and copies, updated live. */
function Left({ cid, info }: { cid: string; info: Info }) {
  const until = Date.parse(info.expires_at)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="text-lg font-semibold">{t.result.facts}</h2>
      <dl className="mt-4 flex flex-col gap-4 tabular-nums">
        <Fact name={t.result.expires}>
          {until > now ? t.result.expiresIn(formatDuration(until - now), formatDateTime(until)) : t.result.over}
        </Fact>
        <Fact name={t.result.downloads}>{t.result.downloadsOf(info.downloads_left, TEMP_FILE_DOWNLOADS)}</Fact>
        <Fact name={t.result.copies}>{t.result.copiesOf(info.complete, info.wanted)}</Fact>
        <Fact name={t.result.cid}>
          <CopyField text={cid} label={t.result.copyCid} />
        </Fact>
      </dl>
    </Card>
  )
}

function Keep() {
  return (
    <Card className="flex flex-wrap items-center justify-between gap-4 p-5 sm:p-6">
      <div className="max-w-3xl">
        <h2 className="text-lg font-semibold">{t.result.keepTitle}</h2>
        <p className="mt-1 text-muted">{t.result.keepText}</p>
      </div>
      <Link to="/login" search={{ mode: 'signup' }} className={buttonClass('secondary')}>
        {t.result.keep}
      </Link>
    </Card>
  )
}
