import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { RedeemForm, type RewardState } from './redeem-form.tsx'
import { Redemptions } from './redemptions.tsx'
import { t } from './texts.ts'

const REFRESH_MS = 60_000
/** While a payout is pending. */
const PENDING_MS = 1500

/** Points of the account: totals, sources and redemptions. */
export default function Rewards() {
  const state = useQuery({
    ...query('rewards.state', {}),
    refetchInterval: ({ state: { data } }) => (data && data.withdrawing > 0 ? PENDING_MS : REFRESH_MS),
  })
  const { data } = state
  const credited = useRef<number>(undefined)
  useEffect(() => {
    const before = credited.current
    credited.current = data?.credited
    if (before === undefined || data === undefined || data.credited <= before) return
    refresh('rewards.history')
    toast.success(t.arrived)
  }, [data])

  return (
    <section className="mt-10">
      <h2 className="text-lg font-semibold">{t.title}</h2>
      <p className="mb-3 text-sm text-muted">{t.intro}</p>
      <Card>
        {data ? (
          <>
            <Numbers state={data} />
            <div className="grid gap-x-10 gap-y-8 p-6 lg:grid-cols-2">
              <div>
                <h3 className="mb-3 font-semibold">{t.redeem}</h3>
                <RedeemForm state={data} />
              </div>
              <Sources state={data} />
            </div>
          </>
        ) : state.isError ? (
          <LoadFailed title={t.failed} error={state.error} onRetry={() => void state.refetch()} />
        ) : (
          <Loading />
        )}
      </Card>
      {data && <Redemptions />}
    </section>
  )
}

/** Totals; the first is the sum of the others. */
function Numbers({ state }: { state: RewardState }) {
  const parts = [
    ['', t.accumulated, state.accumulated],
    ['=', t.notWithdrawn, state.not_withdrawn],
    ['+', t.withdrawing, state.withdrawing],
    ['+', t.credited, state.credited],
  ] as const
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-t-2xl border-b border-line bg-line md:grid-cols-4">
      {parts.map(([sign, name, value]) => (
        <div key={name} className="bg-surface p-5">
          <dt className="text-sm text-muted">
            {sign && (
              <span aria-hidden className="mr-1.5 font-mono">
                {sign}
              </span>
            )}
            {name}
          </dt>
          <dd className="mt-1 font-mono text-2xl tabular-nums">{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Sources({ state: { entries } }: { state: RewardState }) {
  return (
    <div>
      <h3 className="mb-3 font-semibold">{t.sources}</h3>
      <p className="text-sm text-muted">
        {t.sourcesText}{' '}
        <Link to="/devices" className="text-accent underline">
          {t.toDevices}
        </Link>
      </p>
      {entries.length === 0 ? (
        <p className="mt-4 text-sm">{t.noPoints}</p>
      ) : (
        <ul className="mt-3 divide-y divide-line text-sm">
          {entries.map(({ points, kind, reason, created_at }) => (
            <li key={`${created_at} ${points} ${reason}`} className="py-2.5">
              <p className="flex flex-wrap justify-between gap-x-4">
                <span className="font-mono whitespace-nowrap tabular-nums">{t.entry(points)}</span>
                <span className="text-muted">
                  {t.kinds[kind]} · <time dateTime={created_at}>{formatDate(created_at)}</time>
                </span>
              </p>
              <p className="wrap-anywhere">{reason}</p>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
