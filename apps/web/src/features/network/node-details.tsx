import type { ReactNode } from 'react'
import { formatDateTime, formatDay, formatNumber, formatPercent, formatSize, formatSpeed } from '../../lib/format.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { t } from './texts.ts'

/** More of one node: its machine, its speeds, and each day of the last month. */
export function NodeDetails({ id }: { id: string }) {
  const node = useQuery(query('explorer.node', { node_id: id }))
  if (node.isPending) return <Loading />
  if (node.isError) return <LoadFailed title={t.nodeFailed} error={node.error} onRetry={() => void node.refetch()} />
  const { data } = node
  const speed = (value: number) => (value > 0 ? formatSpeed(value) : t.unmeasured)
  return (
    <div className="grid gap-6 lg:grid-cols-[1fr_1.2fr]">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3">
        <Fact name={t.since}>{data.online_since ? formatDateTime(data.online_since) : t.states[data.status]}</Fact>
        <Fact name={t.registered}>{formatDateTime(data.registered_at)}</Fact>
        <Fact name={t.speedIn}>{speed(data.upload_speed)}</Fact>
        <Fact name={t.speedOut}>{speed(data.download_speed)}</Fact>
        <Fact name={t.machine}>{t.machineOf(formatNumber(data.cpu_cores), formatSize(data.memory))}</Fact>
        <Fact name={t.version}>{data.version}</Fact>
      </dl>
      <div>
        <p className="mb-2 text-sm text-muted">{t.byDay}</p>
        <ol className="flex h-16 items-end gap-0.5">
          {data.days.map(({ date, uptime }) => {
            const says = t.dayOf(formatDay(date), formatPercent(uptime, 1, 2))
            return (
              <li key={date} title={says} className="flex h-full max-w-6 flex-1 items-end rounded-xs bg-line">
                <svg aria-hidden="true" viewBox="0 0 1 100" preserveAspectRatio="none" className="size-full">
                  <rect
                    x="0"
                    y={100 - uptime * 100}
                    width="1"
                    height={uptime * 100}
                    className={uptime > 0.99 ? 'fill-good' : uptime > 0.9 ? 'fill-series-1' : 'fill-warn'}
                  />
                </svg>
                <span className="sr-only">{says}</span>
              </li>
            )
          })}
        </ol>
      </div>
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
