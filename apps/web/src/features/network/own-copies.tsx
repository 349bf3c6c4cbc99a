import { Link } from '@tanstack/react-router'
import { Files } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { countryOf } from '../../lib/areas.ts'
import { formatNumber, formatPercent } from '../../lib/format.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { WorldMap } from '../../ui/world-map.tsx'
import type { MapPoint } from '../../ui/world-map-types.ts'
import { Bar } from './bars.tsx'
import { SelectField } from './controls.tsx'
import { statusOf } from './points.ts'
import { t } from './texts.ts'

const REFRESH_MS = 15_000
/** Number of newest files offered; older ones show their copies in the file details. */
const MAX_FILES = 100

interface AreaCopies {
  area: string
  name: string
  copies: number
  note: string
}

/** Where the copies of the account's files are stored: of all files, or of one. */
export function OwnCopies() {
  const [cid, setCid] = useState('')
  const files = useQuery(query('assets.list', { group_id: 0, page: 1, page_size: MAX_FILES }))
  const named = files.data?.list.map(
    ({ UserAssetDetail, AssetRecord }) => [AssetRecord.CID, UserAssetDetail.AssetName] as const,
  )
  return (
    <>
      {named && named.length > 0 && (
        <div className="mt-6 w-full max-w-80">
          <SelectField
            label={t.distribution.file}
            value={cid}
            onChange={setCid}
            options={[['', t.distribution.allFiles], ...named]}
          />
        </div>
      )}
      {cid ? <OneFile cid={cid} /> : <AllFiles />}
    </>
  )
}

function AllFiles() {
  const areas = useQuery({ ...query('assets.areas', {}), refetchInterval: REFRESH_MS })
  const centres = useQuery(query('explorer.areas', {}))
  const d = t.distribution
  if (areas.isPending) return <Loading />
  if (areas.isError) return <LoadFailed title={d.failed} error={areas.error} onRetry={() => void areas.refetch()} />
  if (areas.data.copies === 0)
    return (
      <Card className="mt-8">
        <Empty icon={<Files aria-hidden className="size-5" />} title={d.none}>
          <p className="mb-4">{d.noneText}</p>
          <Link to="/fileStorage" className={buttonClass('primary')}>
            {d.toFiles}
          </Link>
        </Empty>
      </Card>
    )
  const spread = areas.data.list.map(({ area, name, copies, files, nodes, nodes_online }) => ({
    area,
    name,
    copies,
    status: statusOf(nodes_online),
    note: d.areaNote(files, nodes_online, nodes),
  }))
  const points = spread.flatMap(({ area, name, copies, status, note }): MapPoint[] => {
    const centre = centres.data?.list.find((each) => each.area === area)
    if (!centre) return []
    const { lat, lng } = centre
    return [
      {
        id: area,
        lat,
        lng,
        kind: 1,
        status,
        title: name,
        detail: `${d.copies(copies)}, ${note}`,
        count: copies,
      },
    ]
  })
  return (
    <>
      <OnMap points={points} />
      <Areas spread={spread} total={areas.data.copies} />
    </>
  )
}

function OneFile({ cid }: { cid: string }) {
  const replicas = useQuery({ ...query('assets.replicas', { cid }), refetchInterval: REFRESH_MS })
  const d = t.distribution
  if (replicas.isPending) return <Loading />
  if (replicas.isError)
    return <LoadFailed title={d.failed} error={replicas.error} onRetry={() => void replicas.refetch()} />
  const stored = replicas.data.list.filter(({ state }) => state === 'stored')
  const names = [...new Set(stored.map(({ area_id }) => countryOf(area_id)))]
  const spread = names.map((name) => {
    const copies = stored.filter(({ area_id }) => countryOf(area_id) === name)
    const online = copies.filter(({ status }) => status === 'online').length
    return { area: name, name, copies: copies.length, note: d.onlineNote(online, copies.length) }
  })
  return (
    <>
      <OnMap
        points={stored.map(({ node_id, name, area_id, value: [lat, lng], nodeType, status }) => ({
          id: node_id,
          lat,
          lng,
          kind: nodeType === 2 || nodeType === 3 ? nodeType : 1,
          status,
          title: name,
          detail: countryOf(area_id),
        }))}
      >
        <p role="status" className="mt-4 text-sm text-muted">
          {d.storedOf(stored.length, replicas.data.wanted)}
        </p>
      </OnMap>
      <Areas spread={spread} total={stored.length} />
    </>
  )
}

function OnMap({ points, children }: { points: readonly MapPoint[]; children?: ReactNode }) {
  return (
    <div className="-mx-5 mt-6 sm:mx-0">
      <WorldMap points={points} label={t.distribution.mineTitle} listedIn="own-areas" />
      <div className="mx-5 sm:mx-0">{children}</div>
    </div>
  )
}

/** Areas by number of copies, descending. */
function Areas({ spread, total }: { spread: readonly AreaCopies[]; total: number }) {
  return (
    <>
      <h2 className="mt-10 mb-4 text-xl font-semibold">{t.areas}</h2>
      <ul
        id="own-areas"
        className="grid gap-px overflow-hidden rounded-2xl border border-line bg-line sm:grid-cols-2 lg:grid-cols-3"
      >
        {spread
          .toSorted((a, b) => b.copies - a.copies)
          .map(({ area, name, copies, note }) => (
            <li key={area} className="bg-surface p-5">
              <p className="flex items-baseline justify-between gap-4">
                <span className="font-medium">{name}</span>
                <span className="font-mono text-lg tabular-nums">{formatNumber(copies)}</span>
              </p>
              <Bar share={total > 0 ? copies / total : 0} className="my-2 h-1.5" />
              <p className="flex justify-between gap-4 text-sm text-muted">
                <span>{note}</span>
                <span className="tabular-nums">{formatPercent(copies, total)}</span>
              </p>
            </li>
          ))}
      </ul>
    </>
  )
}
