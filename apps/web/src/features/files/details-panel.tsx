import { Link } from '@tanstack/react-router'
import { SHARE_DOWNLOADS, UPLOAD_RECEIPTS_PER_DAY } from '@tidenet/contract/constants'
import { SHARE } from '@tidenet/contract/storage-enums'
import { Download, Eye, FileArchive, FolderInput, PencilLine, Share2, Trash2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { areaName } from '../../lib/areas.ts'
import { formatDateTime, formatNumber, formatSize } from '../../lib/format.ts'
import { formatList } from '../../lib/phrases.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { useStorageAccount } from '../../lib/team.ts'
import { t as shell } from '../../lib/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Panel } from '../../ui/dialog.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { ReceiptButton } from '../../ui/receipt-button.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { thirdPartyReplicas } from '../third-party/query.ts'
import { addDownload } from '../transfers/downloads.ts'
import { dateOf, type Entry, isEncrypted, isFile, isReplicating, nameOf, targetCopies } from './entries.ts'
import type { EntryAction } from './entry-menu.tsx'
import { Replicas } from './replicas.tsx'
import { t } from './texts.ts'
import { isImage, Thumbnail } from './thumbnail.tsx'
import { useView } from './view.ts'

const Acceleration = lazy(async () => ({
  default: (await import('../acceleration/acceleration.tsx')).Acceleration,
}))
const FolderContents = lazy(async () => ({
  default: (await import('../preview/folder-contents.tsx')).FolderContents,
}))

const Versions = lazy(async () => ({ default: (await import('./versions.tsx')).Versions }))

const ThirdPartyReplicas = lazy(async () => ({
  default: (await import('../third-party/third-party-replicas.tsx')).ThirdPartyReplicas,
}))

const REFRESH_MS = 3000
const USUAL_REFRESH_MS = 30_000
/** How long the replicas are watched after a failed check. */
const WATCH_MS = 60_000

interface DetailsProps {
  entry: Entry
  onClose: () => void
  onAction: (action: EntryAction) => void
}

/** Details and actions of an entry. */
export function DetailsPanel({ entry, onClose, onAction }: DetailsProps) {
  const icon = 'size-4.5'
  return (
    <Panel open onClose={onClose} title={nameOf(entry)}>
      <div className="-mt-2 mb-4 -ml-2 flex flex-wrap gap-1">
        {isFile(entry) && (
          <IconButton label={t.files.preview} onClick={() => onAction('preview')}>
            <Eye aria-hidden className={icon} />
          </IconButton>
        )}
        <IconButton
          label={entry.kind === 'folder' ? t.files.downloadTar : shell.words.download}
          onClick={() => onAction('download')}
        >
          <Download aria-hidden className={icon} />
        </IconButton>
        {!isFile(entry) && (
          <IconButton label={t.files.downloadZip} onClick={() => onAction('zip')}>
            <FileArchive aria-hidden className={icon} />
          </IconButton>
        )}
        <IconButton label={t.files.share} onClick={() => onAction('share')}>
          <Share2 aria-hidden className={icon} />
        </IconButton>
        <IconButton label={t.files.rename} onClick={() => onAction('rename')}>
          <PencilLine aria-hidden className={icon} />
        </IconButton>
        <IconButton label={t.files.move} onClick={() => onAction('move')}>
          <FolderInput aria-hidden className={icon} />
        </IconButton>
        <IconButton label={t.files.toTrash} onClick={() => onAction('delete')}>
          <Trash2 aria-hidden className={icon} />
        </IconButton>
      </div>
      {entry.kind === 'folder' ? (
        <>
          <FolderFacts entry={entry} />
          <Suspense fallback={<Loading />}>
            <Acceleration target={{ group_id: entry.group.ID }} />
          </Suspense>
        </>
      ) : (
        <AssetFacts entry={entry} />
      )}
    </Panel>
  )
}

/** The list shows what is directly in a folder; here it is all that is below. */
function FolderFacts({ entry }: { entry: Extract<Entry, { kind: 'folder' }> }) {
  const { data, isError } = useQuery(query('folders.item', { groupid: entry.group.ID, total: true }))
  const unknown = isError ? '—' : '…'
  return (
    <dl className="flex flex-col gap-4">
      <Fact name={t.details.contents}>
        {data?.total ? t.details.below(data.total.files, data.total.folders) : unknown}
      </Fact>
      <Fact name={t.details.folderSize}>{data?.total ? formatSize(data.total.bytes) : unknown}</Fact>
      <Fact name={t.files.date}>{formatDateTime(dateOf(entry))}</Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  )
}

function AssetFacts({ entry }: { entry: Extract<Entry, { kind: 'asset' }> }) {
  const { AssetID: asset_id } = entry.asset.UserAssetDetail
  const vip = useSession((session) => session.userinfo?.vip)
  const address = useStorageAccount()
  const previews = useView((view) => view.previews)
  const item = useQuery({
    ...query('folders.item', { asset_id }),
    refetchInterval: ({ state }) => (isReplicating(state.data?.AssetOverview) ? REFRESH_MS : false),
  })
  // The content may have been replaced since the list was loaded.
  const asset = item.data?.AssetOverview ?? entry.asset
  const cid = asset.UserAssetDetail.Cid
  /** Until when the replicas are watched, because the network audits and replaces one that failed a check. */
  const [watchUntil, setWatchUntil] = useState(0)
  const replicas = useQuery({
    ...query('assets.replicas', { cid }),
    refetchInterval: () =>
      isReplicating(item.data?.AssetOverview) || Date.now() < watchUntil ? REFRESH_MS : USUAL_REFRESH_MS,
  })
  // Newer than the asset: the section of these replicas refreshes them while they change.
  const thirdParty = useQuery(thirdPartyReplicas(cid)).data ?? {
    stored: asset.FilcoinCount,
    simulated: asset.third_party.simulated,
  }
  const { UserAssetDetail, AssetRecord } = asset
  const target = targetCopies(asset)
  const path = item.data?.path
  return (
    <>
      {isImage(entry) && !isEncrypted(entry) && (
        <Thumbnail
          entry={entry}
          fetchIt={previews}
          className="mb-5 h-40 w-full rounded-xl border border-line bg-sunken"
        />
      )}
      <dl>
        <Fact name={t.details.cid}>
          <CopyField text={cid} label={t.details.copyCid} />
        </Fact>
      </dl>
      <dl className="my-4 grid grid-cols-2 gap-4">
        <Fact name={shell.words.size}>{formatSize(UserAssetDetail.TotalSize, 2)}</Fact>
        <Fact name={t.details.format}>
          {UserAssetDetail.Encrypted ? t.details.formatEncrypted : t.details.formatPlain}
        </Fact>
        <Fact name={t.files.date}>{formatDateTime(UserAssetDetail.CreatedTime)}</Fact>
        <Fact name={t.details.keptUntil}>{formatDateTime(UserAssetDetail.Expiration)}</Fact>
        <Fact name={t.details.sharedTimes}>
          {vip ? t.details.sharedUnlimited(asset.VisitCount) : t.details.sharedOf(asset.VisitCount, SHARE_DOWNLOADS)}
        </Fact>
        <Fact name={t.details.thirdParty}>
          {thirdParty.simulated > 0
            ? t.details.thirdPartySimulated(thirdParty.stored, thirdParty.simulated)
            : formatNumber(thirdParty.stored)}
        </Fact>
        <Fact name={t.details.proof}>
          {UserAssetDetail.receipt_id === null ? (
            t.details.noProof(formatNumber(UPLOAD_RECEIPTS_PER_DAY.free), formatNumber(UPLOAD_RECEIPTS_PER_DAY.vip))
          ) : (
            <ReceiptButton id={UserAssetDetail.receipt_id} of={UserAssetDetail.AssetName} />
          )}
        </Fact>
      </dl>
      <dl className="flex flex-col gap-4">
        {path && <Fact name={t.details.location}>{[t.files.root, ...path.map(({ Name }) => Name)].join(' / ')}</Fact>}
        <Fact name={t.details.areas}>
          {UserAssetDetail.area_ids.length > 0
            ? formatList(UserAssetDetail.area_ids.map((area) => areaName(area)))
            : t.details.anyArea}
        </Fact>
        <Fact name={t.details.replicas}>
          <span className="tabular-nums">
            {target === 0 ? t.details.deciding : t.details.replicasText(AssetRecord.replica_num, target)}
          </span>
          {target > 0 && (
            <div className="mt-2">
              <ProgressBar
                label={t.details.replicas}
                value={Math.min(100, (AssetRecord.replica_num / target) * 100)}
                tone={AssetRecord.replica_num >= target ? 'good' : 'accent'}
              />
            </div>
          )}
        </Fact>
      </dl>
      {UserAssetDetail.ShareStatus !== SHARE.off && (
        <p className="mt-4">
          <Link
            to="/distributionstatus"
            search={{ cid, address }}
            className="text-accent underline hover:text-accent-strong"
          >
            {t.details.openShare}
          </Link>
        </p>
      )}
      {UserAssetDetail.AssetType === 'folder' && (
        <UploadedFolderContents
          cid={cid}
          owner={address}
          name={UserAssetDetail.AssetName}
          encrypted={UserAssetDetail.Encrypted}
        />
      )}
      <Suspense fallback={<Loading />}>
        <Versions entry={entry.asset === asset ? entry : { ...entry, asset }} />
      </Suspense>
      <Suspense fallback={<Loading />}>
        <Acceleration target={{ cid }} />
      </Suspense>
      <h3 className="mt-7 mb-3 text-lg font-semibold">{t.details.nodes}</h3>
      {replicas.data ? (
        <Replicas cid={cid} list={replicas.data.list} onFailed={() => setWatchUntil(Date.now() + WATCH_MS)} />
      ) : replicas.isError ? (
        <LoadFailed title={t.details.loadFailed} error={replicas.error} onRetry={() => void replicas.refetch()} />
      ) : (
        <Loading />
      )}
      <Suspense fallback={<Loading />}>
        <ThirdPartyReplicas cid={cid} />
      </Suspense>
    </>
  )
}

/** The contents of an uploaded folder. */
function UploadedFolderContents({
  cid,
  owner,
  ...folder
}: {
  cid: string
  owner: string
  name: string
  encrypted: boolean
}) {
  const [path, setPath] = useState('')
  return (
    <>
      <h3 className="mt-7 mb-3 text-lg font-semibold">{t.details.contents}</h3>
      <div className="overflow-hidden rounded-xl border border-line">
        <Suspense fallback={<Loading />}>
          <FolderContents
            {...folder}
            source={{ kind: 'open', cid, owner, areas: [] }}
            path={path}
            onPath={setPath}
            onDownload={(wish) => addDownload(wish)}
            height="max-h-[26rem]"
          />
        </Suspense>
      </div>
    </>
  )
}
