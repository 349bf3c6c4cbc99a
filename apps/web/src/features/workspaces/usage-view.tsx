import type { ConsoleWorkload } from '@tidenet/contract'
import { ChartLine } from 'lucide-react'
import { useState } from 'react'
import { formatNumber, formatSize } from '../../lib/format.ts'
import { Select } from '../../ui/select.tsx'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { Chart } from './chart.tsx'
import { consoleQuery, useConsoleQuery } from './queries.ts'
import { t } from './texts.ts'

const SPANS = [1, 6, 24, 168] as const
const MiB = 1024 ** 2
const GiB = 1024 ** 3

const cores = (value: number) => t.quota.cores(value, formatNumber(value, value > 0 && value < 0.1 ? 4 : 2))
const formatBytes = (value: number) => formatSize(value)

/** Resource usage of a program over time, with its limits. */
export function UsageView({ workload, network }: { workload: ConsoleWorkload; network: boolean }) {
  const [hours, setHours] = useState<(typeof SPANS)[number]>(1)
  const usage = useConsoleQuery({
    ...consoleQuery('clusters.usage', { id: workload.id, hours }),
    refetchInterval: 30_000,
  })
  const points = usage.data?.points ?? []
  const at = points.map((point) => Date.parse(point.at) / 1000)
  const span = t.usage.hours(hours)
  return (
    <>
      <div className="mb-4 flex items-center justify-end gap-3">
        <Select
          label={t.usage.span}
          value={hours}
          onChange={setHours}
          options={SPANS.map((value) => ({ value, label: t.usage.hours(value) }))}
        />
      </div>
      {usage.isPending ? (
        <Loading />
      ) : !usage.data ? (
        <LoadFailed title={t.usage.failed} error={usage.error} onRetry={() => void usage.refetch()} />
      ) : points.length === 0 ? (
        <Card>
          <Empty icon={<ChartLine aria-hidden className="size-6" />} title={t.usage.empty}>
            <p>{t.usage.emptyText}</p>
          </Empty>
        </Card>
      ) : (
        <div className="grid gap-5 md:grid-cols-2">
          <Chart
            title={t.usage.cpu}
            span={span}
            hours={hours}
            at={at}
            series={[{ name: t.usage.cpu, values: points.map(({ cpu }) => cpu) }]}
            limit={workload.cpu}
            format={cores}
          />
          <Chart
            title={t.usage.memory}
            span={span}
            hours={hours}
            at={at}
            series={[{ name: t.usage.memory, values: points.map(({ memory }) => memory) }]}
            limit={workload.memory * MiB}
            bytes
            format={formatBytes}
          />
          <Chart
            title={t.usage.storage}
            span={span}
            hours={hours}
            at={at}
            series={[{ name: t.usage.storage, values: points.map(({ storage }) => storage) }]}
            limit={workload.storage * GiB}
            bytes
            format={formatBytes}
          />
          {network ? (
            <Chart
              title={t.usage.traffic}
              span={span}
              hours={hours}
              at={at}
              series={[
                { name: t.usage.received, values: points.map(({ received }) => received) },
                { name: t.usage.sent, values: points.map(({ sent }) => sent) },
              ]}
              bytes
              format={formatBytes}
            />
          ) : (
            <Card className="p-5">
              <h2 className="font-medium">{t.usage.traffic}</h2>
              <p className="mt-2 text-sm text-muted">{t.usage.noNetwork}</p>
            </Card>
          )}
        </div>
      )}
    </>
  )
}
