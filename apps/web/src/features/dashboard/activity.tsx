import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay, formatHour, formatNumber, formatSize } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { t } from '../../lib/texts.ts'
import { classes } from '../../ui/classes.ts'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { BarChart } from './bar-chart.tsx'

type Range = 'day' | 'month'
const DAYS = 30
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The name of a step so many steps ago: hours in the person's own time, days as the server counts them (UTC). */
function labelOf(range: Range, ago: number): string {
  if (range === 'month') return formatDay(Date.now() - ago * DAY_MS)
  return formatHour(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - ago * HOUR_MS)
}

/** What happened in the last hours or days. */
export function Activity() {
  const [range, setRange] = useState<Range>('day')
  const hours = useQuery({ ...query('usage.hourly', {}), enabled: range === 'day' })
  const days = useQuery({ ...query('usage.daily', { days: DAYS }), enabled: range === 'month' })
  const shown = range === 'day' ? hours : days
  const points = shown.data?.series_data ?? []
  const labels = points.map((_, index) => labelOf(range, points.length - 1 - index))
  const span = range === 'day' ? t.dashboard.day : t.dashboard.month
  const series = [
    { name: t.dashboard.sent, values: points.map((point) => point.TotalBandwidth), format: formatSize, sums: true },
    {
      name: t.dashboard.downloads,
      values: points.map((point) => point.DownloadCount),
      format: formatNumber,
      sums: true,
    },
    {
      name: t.dashboard.received,
      values: points.map((point) => point.UploadBandwidth),
      format: formatSize,
      sums: true,
    },
    { name: t.dashboard.stored, values: points.map((point) => point.StorageSize), format: formatSize, sums: false },
  ]
  return (
    <section aria-labelledby="activity" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="activity" className="text-lg font-semibold">
          {t.dashboard.activity}
        </h2>
        <div className="flex rounded-lg bg-sunken p-1">
          {(['day', 'month'] as const).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={range === each}
              onClick={() => setRange(each)}
              className={classes(
                'min-h-8 rounded-md px-3 text-sm',
                range === each ? 'bg-surface font-medium shadow-sm' : 'text-muted hover:text-text',
              )}
            >
              {each === 'day' ? t.dashboard.day : t.dashboard.month}
            </button>
          ))}
        </div>
      </div>
      {shown.isPending ? (
        <Loading />
      ) : shown.isError ? (
        <LoadFailed title={t.dashboard.failed} error={shown.error} onRetry={() => void shown.refetch()} />
      ) : (
        <div className="grid gap-4 md:grid-cols-2">
          {series.map(({ name, values, format, sums }) => (
            <Card key={name} className="p-5">
              <BarChart
                title={name}
                label={t.dashboard.chartLabel(name, span)}
                labels={labels}
                values={values}
                format={(value) => format(value)}
                sums={sums}
              />
            </Card>
          ))}
        </div>
      )}
    </section>
  )
}
