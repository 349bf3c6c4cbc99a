import { Link } from '@tanstack/react-router'
import type { EarnedAmounts, Output, RouteOf } from '@tidenet/contract'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatNumber, formatPoints } from '../../lib/format.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.ts'
import { EarningsChart } from './earnings-chart.tsx'
import { t } from './earnings-texts.ts'
import { deviceName } from './format.ts'

type Summary = Output<RouteOf<'earnings.summary'>>

const REFRESH_MS = 60_000
/** Devices shown, those that earned most first. */
const SHOWN_MAX = 100
const PERIODS = ['today', 'week', 'month', 'total', 'running'] as const

export const sumOf = ({ traffic, storage }: EarnedAmounts): string => formatPoints(traffic + storage)

/** What the devices of the account earned; nothing for accounts that never had one. */
export function Earnings({ mails }: { mails: boolean }) {
  const state = useQuery({ ...query('earnings.summary', { page: 1, size: SHOWN_MAX }), refetchInterval: REFRESH_MS })
  const { data } = state
  if (data && data.total_devices === 0) return null
  return (
    <section aria-labelledby="earnings" className="mt-10">
      <h2 id="earnings" className="text-lg font-semibold">
        {t.title}
      </h2>
      <p className="mb-3 text-sm text-muted">
        {t.intro}{' '}
        <Link to="/earn" className="text-accent underline">
          {t.how}
        </Link>
      </p>
      <Card className="overflow-hidden">
        {data ? (
          <>
            <Sums summary={data} />
            <Balance summary={data} />
            <EarningsChart devices={data.list} />
            <ByDevice summary={data} />
            {mails && <WeeklySwitch weekly={data.weekly} />}
          </>
        ) : state.isError ? (
          <LoadFailed title={t.failed} error={state.error} onRetry={() => void state.refetch()} />
        ) : (
          <Loading />
        )}
      </Card>
    </section>
  )
}

function Sums({ summary }: { summary: Summary }) {
  return (
    <dl className="grid grid-cols-2 gap-px border-b border-line bg-line md:grid-cols-5">
      {PERIODS.map((period) => (
        <div key={period} className="bg-surface p-4 last:max-md:col-span-2 sm:p-5">
          <dt className="text-sm text-muted">{t.periods[period]}</dt>
          <dd className="mt-1">
            <span className="font-mono text-xl wrap-anywhere tabular-nums">{sumOf(summary[period])}</span>
            <Causes amounts={summary[period]} />
            {period === 'running' && <span className="block text-xs text-muted">{t.runningHint}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const Causes = ({ amounts }: { amounts: EarnedAmounts }) => (
  <span className="block text-xs text-muted tabular-nums">
    {(['traffic', 'storage'] as const).map((cause) => (
      <span key={cause} className="mr-3 inline-block">
        {t.cause(t[cause], formatPoints(amounts[cause]))}
      </span>
    ))}
  </span>
)

function Balance({ summary: { points, closes_after } }: { summary: Summary }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-line p-5">
      <div className="min-w-0 flex-1 basis-72">
        <p className="font-medium">{t.balance(formatNumber(points.not_withdrawn), formatNumber(points.accumulated))}</p>
        <p className="text-sm text-muted">{t.balanceText(Math.round(closes_after / 60))}</p>
      </div>
      <Link to="/testCoin" className={buttonClass()}>
        {t.redeem}
      </Link>
    </div>
  )
}

/** Sums per device; each opens its statement. */
function ByDevice({ summary: { list, total_devices } }: { summary: Summary }) {
  const columns = ['today', 'week', 'month', 'total'] as const
  return (
    <>
      <table aria-label={t.byDevice} className="w-full border-t border-line text-left text-sm max-md:block">
        <thead className="max-md:sr-only">
          <tr className="border-b border-line text-muted">
            <th scope="col" className="py-3 pr-4 pl-5 font-medium">
              {t.device}
            </th>
            {columns.map((period) => (
              <th key={period} scope="col" className="px-3 py-3 text-right font-medium">
                {t.periods[period]}
              </th>
            ))}
            <th scope="col" className="py-3 pr-5 pl-3">
              <span className="sr-only">{t.statement}</span>
            </th>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {list.map((device) => (
            <tr
              key={device.node_id}
              className="border-b border-line last:border-b-0 max-md:grid max-md:grid-cols-2 max-md:gap-x-4 max-md:gap-y-2 max-md:p-5"
            >
              <th scope="row" className="font-medium max-md:col-span-2 md:py-3 md:pr-4 md:pl-5">
                <span className="wrap-anywhere" translate="no">
                  {deviceName(device)}
                </span>
                {!device.owned && <span className="block text-xs font-normal text-muted">{t.gone}</span>}
                <span className="font-normal">
                  <Causes amounts={device.total} />
                </span>
              </th>
              {columns.map((period) => (
                <td key={period} className="tabular-nums md:px-3 md:py-3 md:text-right">
                  <span className="block text-xs text-muted md:hidden">{t.periods[period]}</span>
                  <span className="font-mono">{sumOf(device[period])}</span>
                </td>
              ))}
              <td className="max-md:col-span-2 md:py-3 md:pr-5 md:pl-3 md:text-right">
                <Link
                  to="/devices"
                  search={{ statement: device.node_id }}
                  resetScroll={false}
                  className="inline-flex min-h-7 items-center text-accent underline"
                  aria-label={t.statementOf(deviceName(device))}
                >
                  {t.statement}
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {total_devices > list.length && (
        <p className="border-t border-line px-5 py-3 text-sm text-muted">{t.hidden(total_devices - list.length)}</p>
      )}
    </>
  )
}

function WeeklySwitch({ weekly }: { weekly: boolean }) {
  const [pending, setPending] = useState<boolean>()
  const change = async (next: boolean) => {
    setPending(next)
    await api('earnings.mail', { weekly: next }).catch(toast.error)
    refresh('earnings.summary')
    setPending(undefined)
  }
  return (
    <div className={classes('flex items-center justify-between gap-4 border-t border-line px-5 py-4 text-sm')}>
      <p>
        <span className="font-medium">{t.weekly}</span>
        <span className="block text-muted">{t.weeklyHint}</span>
      </p>
      <Switch
        label={t.weekly}
        checked={pending ?? weekly}
        busy={pending !== undefined}
        onChange={(next) => void change(next)}
      />
    </div>
  )
}
