import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { formatDateTime, formatNumber, formatSize, formatSpeed } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { actingTeam } from '../../lib/team.ts'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { WhenVisible } from '../../ui/when-visible.tsx'
import { Activity } from './activity.tsx'
import { Areas } from './areas-card.tsx'
import { Attention } from './attention.tsx'
import { Events } from './events.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Gauge } from './gauge.tsx'
import { t } from './texts.ts'
import { Transfers } from './transfers-card.tsx'

const TraceView = lazy(async () => ({ default: (await import('./trace-view.tsx')).TraceView }))

const REFRESH_MS = 30_000

export function DashboardPage() {
  const { trace } = useSearch({ from: '/console/dashboard' })
  return (
    <div className="mx-auto max-w-6xl">
      {trace ? (
        <Suspense fallback={<Loading />}>
          <TraceView id={trace} />
        </Suspense>
      ) : (
        <Overview />
      )}
    </div>
  )
}

function Overview() {
  usePageTitle()
  // It is about the person's own account, not about a team's files.
  const isOwn = actingTeam() === undefined
  const first = useQuery({ ...query('dashboard.overview', {}), refetchInterval: REFRESH_MS, enabled: isOwn })
  const size = useQuery({ ...query('usage.storageSize', {}), refetchInterval: REFRESH_MS })
  const count = useQuery({ ...query('assets.count', {}), refetchInterval: REFRESH_MS })
  return (
    <div className="flex flex-col gap-6">
      <h1 className="text-2xl leading-8 font-semibold tracking-tight">{t.title}</h1>
      {first.isError ? (
        <LoadFailed title={t.failed} error={first.error} onRetry={() => void first.refetch()} />
      ) : first.data ? (
        <>
          <FirstSteps steps={first.data.steps} />
          <Attention list={first.data.attention} />
          <Events list={first.data.events} />
        </>
      ) : (
        isOwn && <Loading />
      )}
      {/* Loads at the same time, but appears below what comes first, so that nothing moves. */}
      <div className="flex flex-col gap-6" hidden={isOwn && first.isPending}>
        {size.isError ? (
          <LoadFailed title={t.failed} error={size.error} onRetry={() => void size.refetch()} />
        ) : (
          <>
            <div className="grid gap-4 lg:grid-cols-2">
              <Gauge
                title={t.storage}
                used={size.data?.UsedSize}
                total={size.data?.TotalSize}
                note={size.data && storageNote(size.data)}
                format={t.storageOf}
              />
              <Gauge
                title={t.outflow}
                used={size.data?.UsedTraffic}
                total={size.data?.TotalTraffic}
                note={
                  size.data &&
                  t.outflowNote(formatDateTime(size.data.TrafficSince), formatDateTime(size.data.TrafficUntil))
                }
                format={t.outflowOf}
              />
            </div>
            <Card className="overflow-hidden">
              <dl className="grid grid-cols-2 gap-px bg-line sm:grid-cols-3 lg:grid-cols-6">
                <Count name={t.filesCount} value={size.data && formatNumber(size.data.AssetCount)} />
                <Count name={t.foldersCount} value={size.data && formatNumber(size.data.FolderCount)} />
                <Count name={t.areasUsed} note value={count.data && formatNumber(count.data.area_count)} />
                <Count name={t.candidates} note value={count.data && formatNumber(count.data.candidate_count)} />
                <Count name={t.edges} note value={count.data && formatNumber(count.data.edge_count)} />
                <Count name={t.peak} value={size.data && formatSpeed(size.data.PeakBandwidth)} />
              </dl>
            </Card>
          </>
        )}
        <WhenVisible hasText className="flex min-h-64 flex-col gap-6">
          <Activity />
          <Areas />
          <Transfers />
        </WhenVisible>
      </div>
    </div>
  )
}

function Count({ name, value, note = false }: { name: string; value: string | undefined; note?: boolean }) {
  return (
    <div className="bg-surface px-4 py-3.5">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-0.5 text-xl font-semibold tabular-nums">{value ?? '–'}</dd>
      {note && <dd className="text-xs text-muted">{t.holding}</dd>}
    </div>
  )
}

/** What else takes storage: unfinished uploads, and earlier versions, which give way to uploads. */
function storageNote({ ReservedSize, VersionSize }: { ReservedSize: number; VersionSize: number }): string | undefined {
  const notes = [
    ...(ReservedSize > 0 ? [t.reserved(formatSize(ReservedSize))] : []),
    ...(VersionSize > 0 ? [t.versions(formatSize(VersionSize))] : []),
  ]
  return notes.length > 0 ? notes.join(' · ') : undefined
}
