import type { Output, RouteOf } from '@tidenet/contract'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDay, formatHour, formatNumber, formatSize, formatSpeed } from '../../lib/format.ts'
import { paged, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { BarChart } from './bar-chart.tsx'
import { csvOf, isHourly, stepsOf } from './steps.ts'
import { t } from './texts.ts'

/** Ranges in days; a single day is shown by the hour. */
const RANGES = [1, 7, 30, 60, 90] as const

type Series = Output<RouteOf<'usage.daily'>>
type Point = Series['series_data'][number]
type Key = ReturnType<typeof seriesOf>[number]['key']

/** The label of a step: hours in local time, days in UTC like the server's. */
const labelOf = (step: number, hours: boolean): string => (hours ? formatHour(step) : formatDay(step))

const seriesOf = () =>
  [
    { key: 'TotalBandwidth', unit: 1024, name: t.sent, format: formatSize, headline: 'sum', look: 'fill-series-1' },
    { key: 'StorageSize', unit: 1024, name: t.stored, format: formatSize, headline: 'last', look: 'fill-series-3' },
    {
      key: 'PeakBandwidth',
      unit: 1024,
      name: t.peakSeries,
      format: formatSpeed,
      headline: 'most',
      look: 'fill-series-2',
    },
    {
      key: 'DownloadCount',
      unit: 1000,
      name: t.downloads,
      format: formatNumber,
      headline: 'sum',
      look: 'fill-series-1',
    },
    {
      key: 'UploadBandwidth',
      unit: 1024,
      name: t.received,
      format: formatSize,
      headline: 'sum',
      look: 'fill-series-4',
    },
  ] as const

/** A chart of the last hours or days: download traffic, or what the user chooses. */
export function Activity() {
  const [days, setDays] = useState<number>(1)
  const [key, setKey] = useState<Key>('TotalBandwidth')
  const series = useQuery<Series>({
    queryKey: days === 1 ? ['usage.hourly', {}] : ['usage.daily', { days }],
    queryFn: ({ signal }) =>
      days === 1 ? api('usage.hourly', {}, { signal }) : api('usage.daily', { days }, { signal }),
    // Keep the previous range until the next one has loaded, so that open tables stay open.
    ...paged,
  })
  const points = series.data?.series_data ?? []
  const hours = isHourly(points.length)
  const range = hours ? 1 : points.length
  // Based on the time of the response, so that charts and CSV have the same times.
  const steps = stepsOf(points.length, series.dataUpdatedAt || Date.now())
  const all = seriesOf()
  const { name, format, unit, headline, look } = all.find((each) => each.key === key) ?? all[0]
  const labels = steps.map((step) => labelOf(step, hours))
  return (
    <section aria-labelledby="activity" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="activity" className="text-lg font-semibold">
          {t.activity}
        </h2>
        <div className="flex flex-wrap items-center gap-2">
          <Segments
            label={t.range}
            options={RANGES.map((each) => ({ value: each, name: t.days(each), short: t.daysShort(each) }))}
            value={days}
            onChange={setDays}
          />
          <Button
            icon={<Download aria-hidden className="size-4" />}
            disabled={points.length === 0}
            onClick={() => saveCsv(points, steps, range)}
          >
            {t.export}
          </Button>
        </div>
      </div>
      {series.isError ? (
        <LoadFailed title={t.failed} error={series.error} onRetry={() => void series.refetch()} />
      ) : (
        <Card className="p-5">
          <div className="mb-4 overflow-x-auto">
            <Segments
              label={t.chart}
              options={all.map(({ key, name }) => ({ value: key, name }))}
              value={key}
              onChange={setKey}
            />
          </div>
          {series.isPending ? (
            // The height of a chart with its caption and table.
            <div className="min-h-59">
              <Loading />
            </div>
          ) : (
            <BarChart
              title={name}
              label={t.chartLabel(name, t.days(range))}
              labels={labels}
              values={points.map((point) => point[key])}
              format={(value) => format(value)}
              unit={unit}
              headline={headline}
              look={look}
            />
          )}
        </Card>
      )}
    </section>
  )
}

/** Saves the points of the charts with full timestamps. */
function saveCsv(points: readonly Point[], steps: readonly number[], days: number): void {
  const text = csvOf(
    seriesOf().map(({ key }) => key),
    points,
    steps,
  )
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `tidenet-usage-${days}d.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
