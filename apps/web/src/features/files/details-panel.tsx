import { useQuery } from '@tanstack/react-query'
import { areaName } from '@tidenet/contract/areas'
import { SHARE_VISITS } from '@tidenet/contract/constants'
import type { ReactNode } from 'react'
import { formatDateTime, formatList, formatSize, shorten } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { lang, t } from '../../lib/texts.ts'
import { CopyLine } from '../../ui/copy.tsx'
import { Panel } from '../../ui/dialog.tsx'
import { Badge } from '../../ui/states.tsx'
import { dateOf, type Entry, isSpreading, nameOf, sizeOf, wantedCopies } from './entries.ts'

const REFRESH_MS = 3000

/** Everything that is known of one row. */
export function DetailsPanel({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  return (
    <Panel open onClose={onClose} title={nameOf(entry)}>
      {entry.kind === 'folder' ? (
        <dl className="flex flex-col gap-4">
          <Fact name={t.files.contents}>{t.files.filesInFolder(entry.group.AssetCount)}</Fact>
          <Fact name={t.files.folderSize}>{formatSize(sizeOf(entry))}</Fact>
          <Fact name={t.files.date}>{formatDateTime(dateOf(entry))}</Fact>
        </dl>
      ) : (
        <AssetFacts cid={entry.asset.AssetRecord.CID} />
      )}
    </Panel>
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

function AssetFacts({ cid }: { cid: string }) {
  const vip = useSession((session) => session.userinfo?.vip)
  const item = useQuery({
    ...query('folders.item', { cid }),
    refetchInterval: ({ state }) => (isSpreading(state.data?.AssetOverview) ? REFRESH_MS : false),
  })
  const places = useQuery({
    ...query('assets.location', { cid, page: 1, page_size: 50 }),
    refetchInterval: isSpreading(item.data?.AssetOverview) ? REFRESH_MS : false,
  })
  const asset = item.data?.AssetOverview
  return (
    <dl className="flex flex-col gap-4">
      <Fact name={t.files.cid}>
        <CopyLine text={cid} label={t.files.copyCid} />
      </Fact>
      {asset && (
        <>
          <Fact name={t.words.size}>{formatSize(asset.UserAssetDetail.TotalSize, 2)}</Fact>
          <Fact name={t.files.date}>{formatDateTime(asset.UserAssetDetail.CreatedTime)}</Fact>
          <Fact name={t.files.keptUntil}>{formatDateTime(asset.UserAssetDetail.Expiration)}</Fact>
          <Fact name={t.files.replicas}>
            {wantedCopies(asset) === 0
              ? asset.AssetRecord.replica_num
              : t.files.replicasText(asset.AssetRecord.replica_num, wantedCopies(asset))}
          </Fact>
          <Fact name={t.files.thirdParty}>{asset.FilcoinCount}</Fact>
          <Fact name={t.files.areas}>
            {asset.UserAssetDetail.area_ids.length > 0
              ? formatList(asset.UserAssetDetail.area_ids.map((area) => areaName(area, lang)))
              : t.files.anyArea}
          </Fact>
          <Fact name={t.files.format}>
            {asset.UserAssetDetail.Encrypted ? t.files.formatEncrypted : t.files.formatPlain}
          </Fact>
          <Fact name={t.files.sharedTimes}>
            {vip ? t.files.sharedUnlimited(asset.VisitCount) : t.files.sharedOf(asset.VisitCount, SHARE_VISITS)}
          </Fact>
        </>
      )}
      {places.data && (
        <Fact name={t.files.nodes}>
          {places.data.node_list.length === 0 ? (
            t.files.noNodes
          ) : (
            <ul className="mt-1 divide-y divide-line rounded-lg border border-line text-sm">
              {places.data.node_list.map(({ DeviceId, IpLocation, Status }) => (
                <li key={DeviceId} className="flex items-center gap-3 px-3 py-2">
                  <span className="font-mono text-[0.8125rem]" title={DeviceId}>
                    {shorten(DeviceId, 8, 4)}
                  </span>
                  <span className="min-w-0 flex-1 truncate text-muted">{countryOf(IpLocation)}</span>
                  <Badge tone={Status === 3 ? 'accent' : 'plain'}>{t.files.nodeStatus[Status]}</Badge>
                </li>
              ))}
            </ul>
          )}
        </Fact>
      )}
    </dl>
  )
}

/** An area id names continent, country, province and city; people are told the country. */
const countryOf = (area: string): string => areaName(area.split('-')[1] ?? area, lang)
