import type { ReactNode } from 'react'
import { ApiError } from '../../lib/api.ts'
import { areaName, countryOf } from '../../lib/areas.ts'
import { formatDateTime, formatDay, formatNumber, formatPercent, formatSize, formatSpeed } from '../../lib/format.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { NodeMark } from '../../ui/node-mark.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { Uptime, uptimeTone } from './bars.tsx'
import { nodeName } from './node-row.tsx'
import { t } from './texts.ts'
import { uptimes } from './uptime.ts'

const REFRESH_MS = 15_000

/** Details of a node: hardware, speeds, and uptime per day. `titled`: shows the node's name, for use outside the table. */
export function NodeDetails({ id, titled = false }: { id: string; titled?: boolean }) {
  const node = useQuery({ ...query('explorer.node', { node_id: id }), refetchInterval: REFRESH_MS })
  if (node.isPending) return <Loading />
  if (node.isError)
    return node.error instanceof ApiError && node.error.kind === 'refused' ? (
      <p className="py-2 pr-12 text-muted">{t.nodeUnknown}</p>
    ) : (
      <LoadFailed title={t.nodeFailed} error={node.error} onRetry={() => void node.refetch()} />
    )
  const { data } = node
  const speed = (value: number) => (value > 0 ? formatSpeed(value) : t.unmeasured)
  return (
    <>
      {titled && (
        <div className="mb-6 flex items-center gap-3 pr-12">
          <NodeMark kind={data.type as 1 | 2 | 3} status={data.status} className="size-6" />
          <div>
            <h2 className="text-lg leading-6 font-semibold wrap-anywhere" translate="no">
              {nodeName(data)}
            </h2>
            <p className="text-sm text-muted">
              {areaName(data.area)}
              {data.declared_area && t.declaredToo(countryOf(data.declared_area))} · {t.types[data.type - 1]} ·{' '}
              {t.states[data.status]}
            </p>
          </div>
        </div>
      )}
      <div className="grid gap-x-12 gap-y-7 lg:grid-cols-[1.3fr_1fr]">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-4 text-sm sm:grid-cols-3">
          {data.declared_area && (
            <div className="col-span-full">
              <dt className="text-muted">{t.area}</dt>
              <dd>
                {areaName(data.area)} · {t.declared(countryOf(data.declared_area))}
              </dd>
              <dd className="text-xs text-muted">{t.areaNote}</dd>
            </div>
          )}
          <Fact name={t.since}>{data.online_since ? formatDateTime(data.online_since) : t.states[data.status]}</Fact>
          <Fact name={t.registered}>{formatDateTime(data.registered_at)}</Fact>
          <Fact name={t.storage}>{t.storageOf(formatSize(data.used), formatSize(data.capacity))}</Fact>
          <Fact name={t.copies}>{formatNumber(data.replicas)}</Fact>
          <Fact name={t.standing}>{t.standings[data.standing]}</Fact>
          <Fact name={t.reached}>{data.relayed ? t.relayed : t.direct}</Fact>
          <Fact name={t.audits}>{t.auditsOf(data.audits_passed_7d, data.audits_failed_7d)}</Fact>
          <Fact name={t.machine}>{t.machineOf(formatNumber(data.cpu_cores), formatSize(data.memory))}</Fact>
          <Fact name={t.speedIn}>{speed(data.upload_speed)}</Fact>
          <Fact name={t.speedOut}>{speed(data.download_speed)}</Fact>
          {data.passed_on && (
            <Fact name={t.passedOn}>
              {t.passedOnOf(formatSize(data.passed_on.signed), formatSize(data.passed_on.paid))}
            </Fact>
          )}
          <Fact name={t.version}>{data.version}</Fact>
          <div className="col-span-full">
            <dt className="text-muted">{t.id}</dt>
            <dd className="font-mono text-xs wrap-anywhere" translate="no">
              {data.node_id}
            </dd>
          </div>
        </dl>
        <div className="text-sm">
          <ul className="mb-5 flex gap-8">
            {uptimes(data).map((share, index) => (
              <li key={t.uptimeSpan[index]}>
                <span className="block text-muted">{t.uptimeIn(t.uptimeSpan[index] ?? '')}</span>
                <Uptime share={share} />
              </li>
            ))}
          </ul>
          <Days days={data.days} />
        </div>
      </div>
    </>
  )
}

function Days({ days }: { days: readonly { date: string; uptime: number }[] }) {
  return (
    <>
      <p className="mb-1.5 text-muted">{t.byDay(days.length)}</p>
      <ol className="flex h-14 items-end gap-0.5">
        {days.map(({ date, uptime }) => {
          const label = t.dayOf(formatDay(date), formatPercent(uptime, 1, 2))
          return (
            <li
              key={date}
              title={label}
              className="flex h-full max-w-5 flex-1 items-end overflow-hidden rounded-xs bg-line"
            >
              <svg aria-hidden="true" viewBox="0 0 1 100" preserveAspectRatio="none" className="size-full">
                <rect x="0" y={100 - uptime * 100} width="1" height={uptime * 100} className={uptimeTone(uptime)} />
              </svg>
              <span className="sr-only">{label}</span>
            </li>
          )
        })}
      </ol>
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}
