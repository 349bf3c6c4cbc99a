import type { Output, RouteOf } from '@tidenet/contract'
import { Boxes, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatNumber, formatSize } from '../../lib/format.ts'
import { queries, query, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Badge, Card, Empty, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './clusters-texts.ts'

type Cluster = Output<RouteOf<'clusters.state'>>['list'][number]

const MiB = 1024 ** 2
const GiB = 1024 ** 3

/** How to install a container engine. */
const INSTALLS = [
  ['Debian, Ubuntu', 'sudo apt install podman'],
  ['Fedora', 'sudo dnf install podman'],
  ['macOS', 'brew install colima docker && colima start'],
] as const

/** Clusters: state, reasons why they cannot sell, and capacity sold. */
export function ClustersView() {
  const question = query('clusters.state', {})
  const clusters = useQuery({ ...question, refetchInterval: 30_000 })
  const [busy, setBusy] = useState(false)
  const recheck = async () => {
    setBusy(true)
    try {
      queries.setQueryData(question.queryKey, await api('clusters.state', { again: true }))
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  if (clusters.isPending) return <Loading />
  if (clusters.isError)
    return <LoadFailed title={t.failed} error={clusters.error} onRetry={() => void clusters.refetch()} />
  return (
    <>
      <div className="mb-4 flex justify-end">
        <Button icon={<RotateCw aria-hidden className="size-4" />} busy={busy} onClick={() => void recheck()}>
          {t.again}
        </Button>
      </div>
      {clusters.data.list.length === 0 ? (
        <Card>
          <Empty icon={<Boxes aria-hidden className="size-6" />} title={t.none}>
            <p>{t.noneText}</p>
          </Empty>
        </Card>
      ) : (
        <ul className="grid gap-5">
          {clusters.data.list.map((cluster) => (
            <li key={cluster.regions.join()}>
              <ClusterCard cluster={cluster} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function ClusterCard({ cluster }: { cluster: Cluster }) {
  const { regions, kind, state, reason, facts, tried, capacity, sold } = cluster
  const resources = [
    [t.cpu, formatNumber(sold.cpu, 1), formatNumber(capacity.cpu, 1)],
    [t.memory, formatSize(sold.memory * MiB), formatSize(capacity.memory * MiB)],
    [t.storage, formatSize(sold.storage * GiB), formatSize(capacity.storage * GiB)],
  ] as const
  return (
    <Card className="grid gap-5 p-5 sm:p-6">
      <div>
        <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lg font-semibold">
          {regions.map((region) => t.region[region]).join(' · ')}
          <Badge tone={state === 'ready' ? 'accent' : 'warn'}>{t.state[state]}</Badge>
        </h2>
        <p className="text-sm text-muted">{t.kind[kind]}</p>
      </div>
      {state !== 'ready' && (
        <Notice tone={state === 'unknown' ? 'info' : 'warn'}>
          <p>{t.advice[state]}</p>
          {reason && (
            <p className="mt-1 font-mono text-xs wrap-anywhere" translate="no">
              {reason}
            </p>
          )}
        </Notice>
      )}
      {state === 'absent' && kind === 'engine' && (
        <div>
          <h3 className="mb-2 text-sm font-medium">{t.install}</h3>
          <ul className="grid gap-2">
            {INSTALLS.map(([system, line]) => (
              <li key={system} className="grid items-center gap-x-4 gap-y-1 sm:grid-cols-[9rem_1fr]">
                <span className="text-sm text-muted" translate="no">
                  {system}
                </span>
                <CopyField text={line} label={system} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {state === 'ready' && (
        <div>
          <h3 className="mb-2 text-sm font-medium">{t.sold}</h3>
          <dl className="grid gap-4 sm:grid-cols-3">
            {resources.map(([name, part, whole]) => (
              <div key={name}>
                <dt className="text-sm text-muted">{name}</dt>
                <dd className="font-mono text-sm tabular-nums">{t.of(part, whole)}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
      {Object.keys(facts).length > 0 && (
        <div>
          <h3 className="mb-2 text-sm font-medium">{t.facts}</h3>
          <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[minmax(8rem,16rem)_1fr]">
            {Object.entries(facts).map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-muted">{t.fact[name] ?? name}</dt>
                <dd className="wrap-anywhere max-sm:mb-1.5" translate={t.found[value] ? undefined : 'no'}>
                  {t.found[value] ?? value}
                </dd>
              </div>
            ))}
          </dl>
        </div>
      )}
      <Listed title={t.tried} rows={tried.map(({ what, result }) => [what, result])} />
    </Card>
  )
}

/** Untranslated names and values from the engine. */
function Listed({ title, rows }: { title: string; rows: readonly (readonly string[])[] }) {
  if (rows.length === 0) return null
  return (
    <div>
      <h3 className="mb-2 text-sm font-medium">{title}</h3>
      <dl className="grid gap-x-4 gap-y-1 font-mono text-xs sm:grid-cols-[minmax(8rem,16rem)_1fr]" translate="no">
        {rows.map(([name = '', value = '']) => (
          <div key={name + value} className="contents">
            <dt className="wrap-anywhere text-muted">{name}</dt>
            <dd className="wrap-anywhere max-sm:mb-1.5">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
