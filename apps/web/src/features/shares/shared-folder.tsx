import { Link, useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import type { AssetOverview, ListItem, ShareTerms } from '@tidenet/contract'
import { ChevronRight, Download as DownloadIcon, Eye, Folder, FolderOpen } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { formatDate, formatSize } from '../../lib/format.ts'
import { isShortLink } from '../../lib/opened-links.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { shorten } from '../../lib/phrases.ts'
import { usePreferences } from '../../lib/preferences.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import type { ShareSearch } from '../../searches.ts'
import { IconButton, iconButtonClass } from '../../ui/button.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Badge, Card, Empty, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { FileIcon } from '../preview/file-icon.tsx'
import { previewKind } from '../preview/kinds.ts'
import type { FileRef } from '../preview/neighbours.ts'
import { DecryptDialog } from '../transfers/decrypt-dialog.tsx'
import type { DownloadRequest } from '../transfers/download-request.ts'
import { DownloadProgress } from './download-progress.tsx'
import { type ShareAccess, useReopen } from './share-gate.tsx'
import { ShareUnavailable, unavailableStateOf } from './share-unavailable.tsx'
import { archiveOf, SharedFolderBar } from './shared-folder-bar.tsx'
import { SelectBox, useSharedSelection } from './shared-selection.tsx'
import { Fact, TermFacts } from './terms.tsx'
import { t } from './texts.ts'
import { useDownload } from './use-download.ts'

const FolderContents = lazy(async () => ({
  default: (await import('../preview/folder-contents.tsx')).FolderContents,
}))

const SharedPreview = lazy(async () => ({ default: (await import('./shared-preview.tsx')).SharedPreview }))

/** A shared or own folder: contents, subfolders and terms. */
export function SharedFolder({ access: { cid, owner, own, shareToken, password } }: { access: ShareAccess }) {
  const root = Number(cid)
  const short = isShortLink(owner)
  const rows = usePreferences((preferences) => preferences.rows)
  const [page, setPage] = useState(1)
  const [trail, setTrail] = useState<{ id: number; name: string }[]>([])
  /** The opened uploaded folder, and the path in it. */
  const [inside, setInside] = useState<{ asset: AssetOverview; path: string }>()
  const [unlocking, setUnlocking] = useState<DownloadRequest>()
  const { download, start, show } = useDownload()
  const {
    open: previewed,
    link: previewLink,
    onOpen: onPreview,
    onShow: showPreview,
    onClose: closePreview,
  } = usePreview(short)
  const reopen = useReopen(cid, owner)
  const here = trail.at(-1)?.id ?? root
  const selection = useSharedSelection()
  const contents = useQuery({
    ...query('shares.folder', {
      user_id: owner,
      group_id: here,
      page,
      page_size: rows,
      ...(shareToken && { ticket: shareToken }),
    }),
    ...paged,
  })
  usePageTitle(contents.data?.info.name)
  useEffect(() => {
    if (contents.error) reopen(contents.error)
  })
  const places = useQuery({
    ...query('assets.detail', {
      user_id: owner,
      cid: download?.request.cid ?? '',
      group_id: root,
      ...(shareToken && { ticket: shareToken }),
    }),
    enabled: download !== undefined && !download.request.archive,
  })
  const go = (to: typeof trail) => {
    setInside(undefined)
    setTrail(to)
    selection.clear()
    setPage(1)
  }
  if (contents.isPending) return <Loading label={t.states.opening} />
  if (contents.isError) {
    const closed = unavailableStateOf(contents.error)
    if (closed) return <ShareUnavailable state={closed} />
    return <LoadFailed title={t.folder.failed} error={contents.error} onRetry={() => void contents.refetch()} />
  }
  const { info, list, total, terms } = contents.data
  const shared = { userId: owner, groupId: root, ...(shareToken && { shareToken }), ...(password && { password }) }
  const fetchOne = ({ AssetRecord, UserAssetDetail }: AssetOverview) => {
    const request: DownloadRequest = {
      cid: AssetRecord.CID,
      name: UserAssetDetail.AssetName,
      size: UserAssetDetail.TotalSize,
      assetType: UserAssetDetail.AssetType,
      encrypted: UserAssetDetail.Encrypted,
      shared,
    }
    if (request.encrypted) setUnlocking(request)
    else start(request)
  }
  return (
    <div className="flex flex-col gap-6">
      {own && <Notice>{terms.shared ? t.owner.sharedFolder : t.owner.notSharedFolder}</Notice>}
      <div>
        <p className="text-sm text-muted">
          {own ? (
            t.folder.own
          ) : (
            <>
              {t.folder.title}
              {!short && (
                <>
                  {' '}
                  · {t.facts.owner}{' '}
                  <span className="font-mono" title={owner}>
                    {shorten(owner)}
                  </span>
                </>
              )}
            </>
          )}
        </p>
        <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">{info.name}</h1>
        <p className="text-muted">{t.folder.summary(t.folder.items(total), formatSize(info.size))}</p>
      </div>
      <dl className="grid gap-4 border-y border-line py-4 sm:grid-cols-3">
        {terms.shared ? <TermFacts terms={terms} each /> : <Fact name={t.facts.expires}>–</Fact>}
      </dl>
      {total > 0 && !inside && (
        <SharedFolderBar
          selected={selection.items}
          terms={own ? undefined : terms}
          encrypted={list.some(({ AssetOverview }) => AssetOverview?.UserAssetDetail.Encrypted)}
          onDownload={(format) => start(archiveOf(selection.items, info, shared, format))}
          onClear={selection.clear}
        />
      )}
      {trail.length > 0 && !inside && <Trail trail={trail} rootName={t.folder.title} onGo={go} />}
      {download && <DownloadProgress download={download} places={places.data?.list ?? []} />}
      <Card className="overflow-hidden">
        {inside ? (
          <Suspense fallback={<Loading />}>
            <FolderContents
              source={{ kind: 'open', cid: inside.asset.AssetRecord.CID, owner, shareToken, folder: root, areas: [] }}
              name={inside.asset.UserAssetDetail.AssetName}
              encrypted={inside.asset.UserAssetDetail.Encrypted}
              path={inside.path}
              onPath={(path) => setInside({ ...inside, path })}
              above={[
                { name: trail.length > 0 ? t.folder.title : info.name, onOpen: () => go([]) },
                ...trail.map(({ name }, index) => ({ name, onOpen: () => go(trail.slice(0, index + 1)) })),
              ]}
              onDownload={start}
              onStarted={show}
              onRefused={reopen}
            />
          </Suspense>
        ) : list.length === 0 ? (
          <Empty icon={<FolderOpen aria-hidden className="size-6" />} title={t.folder.empty}>
            {t.folder.emptyText}
          </Empty>
        ) : (
          <ul className="divide-y divide-line">
            {list.map((item) => (
              <Row
                key={item.Group ? `folder ${item.Group.ID}` : item.AssetOverview?.UserAssetDetail.AssetID}
                item={item}
                terms={terms}
                own={own}
                select={<SelectBox item={item} selection={selection} />}
                previewLink={previewLink}
                onOpen={(id, name) => go([...trail, { id, name }])}
                onDownload={fetchOne}
                onInside={(asset) => setInside({ asset, path: '' })}
                onPreview={onPreview}
              />
            ))}
          </ul>
        )}
      </Card>
      {total > rows && !inside && <Pager page={page} total={total} onPage={setPage} />}
      {previewed && (
        <Suspense>
          <SharedPreview
            access={{ cid, owner, own, shareToken, password }}
            file={previewed}
            folder={here}
            hint={(page - 1) * rows}
            onShow={showPreview}
            onDownload={start}
            onStarted={show}
            onClose={closePreview}
          />
        </Suspense>
      )}
      {unlocking && <DecryptDialog request={unlocking} onClose={() => setUnlocking(undefined)} onStarted={show} />}
    </div>
  )
}

/** Where the previewed file is named: in the address, or for a short link in the state of the history. */
const placed = (file: FileRef | undefined, short: boolean) =>
  short
    ? { search: (before: ShareSearch) => before, state: { shown: file?.cid, entry: file?.entry } }
    : { search: (before: ShareSearch) => ({ ...before, preview: file?.cid, entry: file?.entry }) }

/** The file whose preview is open. Opening it adds an entry to the history, so that going back closes it. */
function usePreview(short: boolean) {
  const search = useSearch({ strict: false }) as ShareSearch
  const state = useLocation({ select: (location) => location.state })
  const cid = short ? state.shown : search.preview
  const preview = cid === undefined ? undefined : { cid, entry: short ? state.entry : search.entry }
  const navigate = useNavigate()
  const router = useRouter()
  const openedHere = useRef(false)
  const go = (file: FileRef | undefined, replace: boolean) =>
    void navigate({ to: '.', ...placed(file, short), replace, resetScroll: false } as never)
  useEffect(() => {
    if (!cid) openedHere.current = false
  }, [cid])
  return {
    open: preview,
    link: (file: FileRef) => placed(file, short) as object,
    onOpen: () => {
      openedHere.current = true
    },
    onShow: (file: FileRef) => go(file, true),
    onClose() {
      if (openedHere.current && router.history.canGoBack()) router.history.back()
      else go(undefined, true)
    },
  }
}

interface Step {
  id: number
  name: string
}

function Trail({ trail, rootName, onGo }: { trail: Step[]; rootName: string; onGo: (trail: Step[]) => void }) {
  const link = 'min-h-6 text-accent hover:underline'
  return (
    <nav aria-label={t.folder.path}>
      <ol className="flex flex-wrap items-center gap-1 text-sm">
        <li>
          <button type="button" className={link} onClick={() => onGo([])}>
            {rootName}
          </button>
        </li>
        {trail.map(({ id, name }, index) => (
          <li key={id} className="flex items-center gap-1">
            <ChevronRight aria-hidden className="size-4 text-muted" />
            {index === trail.length - 1 ? (
              <span aria-current="page">{name}</span>
            ) : (
              <button type="button" className={link} onClick={() => onGo(trail.slice(0, index + 1))}>
                {name}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface RowProps {
  item: ListItem
  terms: ShareTerms
  own: boolean
  /** Its checkbox. */
  select: ReactNode
  /** Properties of a link to the preview of a file. */
  previewLink: (file: FileRef) => object
  onOpen: (id: number, name: string) => void
  onDownload: (asset: AssetOverview) => void
  onInside: (asset: AssetOverview) => void
  onPreview: () => void
}

function Row({
  item: { Group, AssetOverview },
  terms,
  own,
  select,
  previewLink,
  onOpen,
  onDownload,
  onInside,
  onPreview,
}: RowProps) {
  if (Group)
    return (
      <li className="flex items-center hover:bg-sunken">
        <span className="flex pl-4">{select}</span>
        <button
          type="button"
          className="flex min-h-15 min-w-0 flex-1 items-center gap-3 px-3 text-left"
          onClick={() => onOpen(Group.ID, Group.Name)}
        >
          <Folder aria-hidden className="size-5 shrink-0 fill-accent-soft text-accent" />
          <span className="min-w-0 flex-1 truncate font-medium">{Group.Name}</span>
          <span className="text-sm text-muted">{t.folder.files(Group.AssetCount)}</span>
        </button>
      </li>
    )
  if (!AssetOverview) return null
  const { AssetID, AssetName, TotalSize, CreatedTime, AssetType } = AssetOverview.UserAssetDetail
  const limited = terms.downloads_left >= 0
  const limitReached = limited && !own && AssetOverview.RemainVisitCount === 0
  const preview = {
    to: '.',
    ...previewLink({ cid: AssetOverview.AssetRecord.CID, entry: AssetID }),
    resetScroll: false,
    onClick: onPreview,
  } as const
  const canPreview = AssetType === 'file' && previewKind(AssetName) !== 'none' && !limitReached
  return (
    <li className="flex min-h-15 items-center gap-3 py-1.5 pr-2 pl-4">
      {select}
      <FileIcon name={AssetName} folder={AssetType === 'folder'} className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        {AssetType === 'folder' && !limitReached ? (
          <button
            type="button"
            className="block w-full truncate text-left font-medium hover:underline"
            title={AssetName}
            onClick={() => onInside(AssetOverview)}
          >
            {AssetName}
          </button>
        ) : canPreview ? (
          <Link {...preview} className="block truncate font-medium hover:underline" title={AssetName}>
            {AssetName}
          </Link>
        ) : (
          <p className="truncate font-medium" title={AssetName}>
            {AssetName}
          </p>
        )}
        <p className="text-sm text-muted">
          {formatSize(TotalSize)} · {formatDate(CreatedTime)}
          {limited && !limitReached && ` · ${t.folder.left(AssetOverview.RemainVisitCount)}`}
        </p>
      </div>
      {limitReached && <Badge tone="warn">{t.folder.spent}</Badge>}
      {canPreview && (
        <Link
          {...preview}
          className={iconButtonClass()}
          aria-label={t.folder.preview(AssetName)}
          title={t.folder.preview(AssetName)}
        >
          <Eye aria-hidden className="size-4.5" />
        </Link>
      )}
      <IconButton
        label={t.folder.download(AssetName)}
        disabled={limitReached}
        onClick={() => onDownload(AssetOverview)}
      >
        <DownloadIcon aria-hidden className="size-4.5" />
      </IconButton>
    </li>
  )
}
