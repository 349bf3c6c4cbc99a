import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Download as DownloadIcon, FileQuestion, FolderOpen, Info } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatNumber, formatSize } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import type { PreviewSearch } from '../../searches.ts'
import { Button, buttonClass, iconButtonClass } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { ReportLink } from '../abuse/report-link.tsx'
import { FileBody } from '../preview/file-body.tsx'
import { FileIcon, kindOf } from '../preview/file-icon.tsx'
import { FolderContents } from '../preview/folder-contents.tsx'
import { useEntry, useListing } from '../preview/folder-queries.ts'
import { previewKind } from '../preview/kinds.ts'
import { OriginNote } from '../preview/origin-note.tsx'
import { joinPath, parentOf } from '../preview/paths.ts'
import { downloadRequestFrom, type Source, useAddresses } from '../preview/source.ts'
import { t } from '../preview/texts.ts'
import type { Origin } from '../preview/viewer.tsx'
import { addDownload } from '../transfers/downloads.ts'
import { ShareGate } from './share-gate.tsx'
import { ShareUnavailable, unavailableStateOf } from './share-unavailable.tsx'
import { ShortLinkGate } from './short-link-gate.tsx'

/** Preview of a shared or own file, or of an anonymous file if the URL names no owner. */
export function PreviewPage() {
  const search = useSearch({ from: '/site/preview' })
  const { address, group, link } = search
  const cid = search.cid === undefined ? undefined : String(search.cid)
  const areas = search.area_id?.split(',').filter(Boolean) ?? []
  if (link) return <ShortLinkPreview token={link} search={search} />
  if (!cid) return <Missing />
  if (!address) return <PreviewOf source={{ kind: 'temp', cid }} search={search} />
  return (
    <ShareGate cid={group ? String(group) : cid} owner={address} around={(inside) => <Page>{inside}</Page>}>
      {({ shareToken }) => (
        <PreviewOf
          source={{ kind: 'open', cid, owner: address, shareToken, folder: group, areas }}
          search={{ ...search, address }}
        />
      )}
    </ShareGate>
  )
}

function Missing() {
  return (
    <PreviewLayout>
      <Card>
        <Empty icon={<FileQuestion aria-hidden className="size-6" />} title={t.missing}>
          {t.missingText}
        </Empty>
      </Card>
    </PreviewLayout>
  )
}

/** Addresses of short links contain no CID: of a linked folder, the state of the history says which file is shown. */
function ShortLinkPreview({ token, search }: { token: string; search: PreviewSearch }) {
  const shown = useLocation({ select: ({ state }) => state.shown })
  return (
    <ShortLinkGate token={token} around={(inside) => <Page>{inside}</Page>}>
      {({ cid, kind, owner, shareToken }) => {
        if (kind !== 'group')
          return <PreviewOf source={{ kind: 'open', cid, owner, shareToken, areas: [] }} search={search} />
        if (!shown) return <Missing />
        const source = { kind: 'open' as const, cid: shown, owner, shareToken, folder: Number(cid), areas: [] }
        return <PreviewOf source={source} search={search} />
      }}
    </ShortLinkGate>
  )
}

function PreviewLayout({ name, children }: { name?: string; children: ReactNode }) {
  const title = usePageTitle(name ? t.title(name) : undefined)
  return (
    <Page>
      {!name && <h1 className="sr-only">{title}</h1>}
      {children}
      <ReportLink />
    </Page>
  )
}

function PreviewOf({ source, search }: { source: Source; search: PreviewSearch }) {
  const info = useAddresses(source)
  const { path = '' } = search
  const folder = info.data?.asset_type === 'folder'
  const entry = useEntry(source, path, folder && path !== '')
  if (info.isPending || (folder && path !== '' && entry.isPending))
    return (
      <PreviewLayout>
        <Loading />
      </PreviewLayout>
    )
  if (info.isError) {
    const closed = unavailableStateOf(info.error)
    return (
      <Page>
        {closed ? (
          <ShareUnavailable state={closed} onRetry={() => void info.refetch()} />
        ) : (
          <LoadFailed title={t.failed} error={info.error} onRetry={() => void info.refetch()} />
        )}
      </Page>
    )
  }
  const { size, encrypted } = info.data
  const name = info.data.file_name || search.name || source.cid
  if (!folder) return <FilePreview {...{ source, search, name, size, encrypted }} />
  // The list reports missing entries and errors.
  if (entry.data?.kind !== 'file') return <FolderPreview {...{ source, search, name, size, encrypted }} />
  return (
    <FilePreview
      key={path}
      source={{ ...source, path }}
      search={search}
      name={entry.data.name}
      size={entry.data.size}
      encrypted={encrypted}
    />
  )
}

interface PreviewProps {
  source: Source
  search: PreviewSearch
  name: string
  size: number
  encrypted: boolean
}

function FilePreview({ source, search, name, size, encrypted }: PreviewProps) {
  const [origin, setOrigin] = useState<Origin>()
  const [passphrase, setPassphrase] = useState<string>()
  const request = downloadRequestFrom(source, {
    name,
    size,
    encrypted,
    assetType: 'file',
    ...(source.path && { path: source.path }),
    ...(passphrase && { passphrase }),
  })
  return (
    <PreviewLayout name={name}>
      <div className="flex flex-col gap-4">
        <Head name={name} size={size} search={search} inside={source.path} onDownload={() => addDownload(request)} />
        {source.path && <Siblings source={source} search={search} path={source.path} />}
        {previewKind(name) !== 'none' && <OriginNote origin={origin} size={size} />}
        <Card className="h-[70vh] min-h-96 overflow-hidden">
          <FileBody
            source={source}
            name={name}
            size={size}
            encrypted={encrypted}
            passphrase={passphrase}
            onPassphrase={setPassphrase}
            onOrigin={setOrigin}
          />
        </Card>
      </div>
    </PreviewLayout>
  )
}

/** Links to the files before and after this one in its uploaded folder. */
function Siblings({ source, search, path }: { source: Source; search: PreviewSearch; path: string }) {
  const folder = parentOf(path)
  const listing = useListing(source, folder)
  const files = listing.data?.entries.filter(({ kind }) => kind !== 'folder' && kind !== 'other') ?? []
  const index = files.findIndex((entry) => joinPath(folder, entry.name) === path)
  const link = (label: string, icon: ReactNode, name: string | undefined) =>
    name !== undefined && (
      <Link
        to="/preview"
        search={{ ...search, path: joinPath(folder, name) }}
        state={true}
        replace
        resetScroll={false}
        aria-label={label}
        title={name}
        className={iconButtonClass()}
      >
        {icon}
      </Link>
    )
  if (index < 0 || files.length < 2) return null
  return (
    <nav aria-label={t.inside.label(folder || source.cid)} className="flex items-center gap-1">
      {link(t.browse.previous, <ChevronLeft aria-hidden className="size-5" />, files[index - 1]?.name)}
      <span className="text-sm text-muted tabular-nums">
        {t.browse.position(formatNumber(index + 1), formatNumber(files.length))}
      </span>
      {link(t.browse.next, <ChevronRight aria-hidden className="size-5" />, files[index + 1]?.name)}
    </nav>
  )
}

/** Contents of an uploaded folder or subfolder. */
function FolderPreview({ source, search, name, size, encrypted }: PreviewProps) {
  const navigate = useNavigate()
  const request = downloadRequestFrom(source, { name, size, encrypted, assetType: 'folder' })
  return (
    <PreviewLayout name={name}>
      <div className="flex flex-col gap-4">
        <Head name={name} size={size} search={search} folder onDownload={() => addDownload(request)} />
        <Card className="overflow-hidden">
          <FolderContents
            source={source}
            name={name}
            encrypted={encrypted}
            path={search.path ?? ''}
            onPath={(path) =>
              void navigate({
                to: '/preview',
                search: { ...search, path: path || undefined },
                state: true,
                resetScroll: false,
              })
            }
            onDownload={(part) => addDownload(part)}
            height="max-h-[70vh]"
          />
        </Card>
      </div>
    </PreviewLayout>
  )
}

interface HeadProps {
  name: string
  size: number
  search: PreviewSearch
  folder?: boolean
  /** Path in the uploaded folder. */
  inside?: string | undefined
  onDownload: () => void
}

function Head({ name, size, search, folder = false, inside, onDownload }: HeadProps) {
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <span className="hidden size-11 shrink-0 sm:flex items-center justify-center rounded-xl bg-accent-soft text-accent">
        <FileIcon name={name} folder={folder} className="size-5" />
      </span>
      <div className="min-w-0 grow basis-full sm:basis-0">
        <h1 className="text-xl leading-7 font-semibold wrap-anywhere">{name}</h1>
        <p className="text-muted">
          {kindOf(name, folder)} · {formatSize(size, 2)}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {inside !== undefined && (
          <Link
            to="/preview"
            search={{ ...search, path: parentOf(inside) || undefined }}
            state={true}
            className={buttonClass('secondary')}
          >
            <FolderOpen aria-hidden className="size-4" />
            {t.inside.toFolder}
          </Link>
        )}
        {inside === undefined && <BackLink search={search} name={name} folder={folder} />}
        <Button look="primary" icon={<DownloadIcon aria-hidden className="size-4" />} onClick={onDownload}>
          {t.download}
        </Button>
      </div>
    </div>
  )
}

function BackLink({ search, name, folder }: Pick<HeadProps, 'search' | 'name' | 'folder'>) {
  const { cid, address, area_id, group, link } = search
  const inside = (
    <>
      <Info aria-hidden className="size-4" />
      {folder ? t.backFolder : t.back}
    </>
  )
  if (link)
    return (
      <Link to="/s/$token" params={{ token: link }} className={buttonClass('secondary')}>
        {inside}
      </Link>
    )
  if (!address)
    return (
      <Link
        to="/homeupload"
        search={{ cid: cid === undefined ? undefined : String(cid), name }}
        className={buttonClass('secondary')}
      >
        {inside}
      </Link>
    )
  return (
    <Link to="/distributionstatus" search={{ cid, address, area_id, group }} className={buttonClass('secondary')}>
      {inside}
    </Link>
  )
}
