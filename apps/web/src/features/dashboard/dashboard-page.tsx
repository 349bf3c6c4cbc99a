import { useQuery } from '@tanstack/react-query'
import { formatNumber, formatSize, formatSpeed } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { t } from '../../lib/texts.ts'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { usePageTitle } from '../shell/page-title.tsx'
import { Activity } from './activity.tsx'
import { Gauge } from './gauge.tsx'

const REFRESH_MS = 30_000

export function DashboardPage() {
  usePageTitle(t.dashboard.title)
  const size = useQuery({ ...query('usage.storageSize', {}), refetchInterval: REFRESH_MS })
  const count = useQuery({ ...query('assets.count', {}), refetchInterval: REFRESH_MS })
  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-5">
      <h1 className="text-2xl font-semibold">{t.dashboard.title}</h1>
      {size.isPending ? (
        <Loading />
      ) : size.isError ? (
        <LoadFailed title={t.dashboard.failed} error={size.error} onRetry={() => void size.refetch()} />
      ) : (
        <>
          <div className="grid gap-4 lg:grid-cols-2">
            <Gauge
              title={t.dashboard.storage}
              used={size.data.UsedSize}
              total={size.data.TotalSize}
              note={size.data.ReservedSize > 0 ? t.dashboard.reserved(formatSize(size.data.ReservedSize)) : undefined}
              says={t.dashboard.storageOf}
            />
            <Gauge
              title={t.dashboard.outflow}
              used={size.data.UsedTraffic}
              total={size.data.TotalTraffic}
              note={t.dashboard.outflowNote}
              says={t.dashboard.outflowOf}
            />
          </div>
          <Card className="overflow-hidden">
            <dl className="grid grid-cols-2 gap-px bg-line sm:grid-cols-3 lg:grid-cols-6">
              <Count name={t.dashboard.filesCount} value={formatNumber(size.data.AssetCount)} />
              <Count name={t.dashboard.foldersCount} value={formatNumber(size.data.FolderCount)} />
              <Count name={t.dashboard.areasUsed} note value={count.data && formatNumber(count.data.area_count)} />
              <Count
                name={t.dashboard.candidates}
                note
                value={count.data && formatNumber(count.data.candidate_count)}
              />
              <Count name={t.dashboard.edges} note value={count.data && formatNumber(count.data.edge_count)} />
              <Count name={t.dashboard.peak} value={formatSpeed(size.data.PeakBandwidth)} />
            </dl>
          </Card>
        </>
      )}
      <Activity />
    </div>
  )
}

function Count({ name, value, note = false }: { name: string; value: string | undefined; note?: boolean }) {
  return (
    <div className="bg-surface px-4 py-3.5">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-0.5 text-xl font-semibold tabular-nums">{value ?? '–'}</dd>
      {note && <dd className="text-xs text-muted">{t.dashboard.holding}</dd>}
    </div>
  )
}
