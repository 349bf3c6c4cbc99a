import type { AdminThirdParty } from '@tidenet/contract'
import { Cloud } from 'lucide-react'
import { formatDateTime, formatNumber, formatSize } from '../../lib/format.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Badge, Card, Empty, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { t as replicas } from '../third-party/texts.ts'
import { t } from './third-parties-texts.ts'

const REFRESH_MS = 10_000

/** Providers of third-party replicas: health, numbers and last failures. */
export function ThirdPartiesView() {
  const state = useQuery({ ...query('admin.thirdParties', {}), refetchInterval: REFRESH_MS })
  if (state.isPending) return <Loading />
  if (state.isError) return <LoadFailed title={t.failed} error={state.error} onRetry={() => void state.refetch()} />
  const { list, restoring, failures } = state.data
  return (
    <div className="grid gap-5">
      {restoring > 0 && (
        <Notice tone="warn">
          <p>{t.restoring(restoring)}</p>
        </Notice>
      )}
      {list.length === 0 ? (
        <Card>
          <Empty icon={<Cloud aria-hidden className="size-6" />} title={t.none}>
            <p>{t.noneText}</p>
          </Empty>
        </Card>
      ) : (
        <ul className="grid gap-5">
          {list.map((provider) => (
            <li key={provider.name}>
              <ProviderCard provider={provider} />
            </li>
          ))}
        </ul>
      )}
      <Card className="p-5 sm:p-6">
        <h2 className="mb-3 text-lg font-semibold">{t.failuresTitle}</h2>
        {failures.length === 0 ? (
          <p className="text-muted">{t.noFailures}</p>
        ) : (
          <ul className="divide-y divide-line">
            {failures.map(({ cid, provider, at, reason, error, tries }) => (
              <li key={`${provider} ${cid}`} className="grid gap-0.5 py-2.5 text-sm">
                <p>
                  <span className="font-medium">{provider}</span> · {formatDateTime(at)} · {t.tries(tries)}
                </p>
                <p>{replicas.reasons[reason]}</p>
                {error !== '' && (
                  <p className="text-muted wrap-anywhere" translate="no">
                    {error}
                  </p>
                )}
                <p className="font-mono text-xs text-muted wrap-anywhere" translate="no">
                  {cid}
                </p>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  )
}

function ProviderCard({ provider }: { provider: AdminThirdParty }) {
  const { name, kind, simulated, configured, answered_at, failed_at, error } = provider
  const counts: [string, string][] = [
    [t.stored, formatNumber(provider.stored)],
    [t.bytes, simulated ? '–' : formatSize(provider.bytes)],
    [t.inProgress, formatNumber(provider.in_progress)],
    [t.queued, formatNumber(provider.queued)],
    [t.late, formatNumber(provider.late)],
    [t.failures, formatNumber(provider.failed)],
    [t.removing, formatNumber(provider.removing)],
  ]
  const health = !configured ? t.unconfigured : failed_at ? t.failing : answered_at ? t.healthy : t.unknown
  return (
    <Card className="grid gap-4 p-5 sm:p-6">
      <div>
        <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lg font-semibold wrap-anywhere">
          {name}
          {simulated && <Badge tone="warn">{t.simulated}</Badge>}
          <Badge tone={!configured || failed_at ? 'warn' : answered_at ? 'accent' : 'plain'}>{health}</Badge>
        </h2>
        <p className="text-sm text-muted">{t.kinds[kind]}</p>
        {!configured && <p className="mt-1 text-sm">{t.unconfiguredText(provider.removing)}</p>}
        {answered_at && <p className="text-sm text-muted">{t.answered(formatDateTime(answered_at))}</p>}
        {failed_at && <p className="text-sm text-warn">{t.failedAt(formatDateTime(failed_at))}</p>}
        {error !== '' && (
          <p className="mt-1 text-sm wrap-anywhere" translate="no">
            {error}
          </p>
        )}
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
        {counts.map(([what, count]) => (
          <div key={what}>
            <dt className="text-sm text-muted">{what}</dt>
            <dd className="tabular-nums">{count}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
