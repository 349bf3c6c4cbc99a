import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { locale } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyIcon } from '../../ui/copy.tsx'
import { Card, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { formatDecimal } from '../exchange/credits.ts'
import { Simulated } from '../exchange/simulated.tsx'
import { formatTnt4 } from '../exchange/use-terms.ts'
import { parseAmount } from '../wallet/amounts.ts'
import { ExchangeRateDialog } from './exchange-rate-dialog.tsx'
import { t } from './exchange-texts.ts'
import { type ExchangeTotals, useExchangeTotals } from './exchange-totals-query.ts'
import { totalsDifference } from './exchange-totals-sum.ts'

/** Blocks are read every few seconds. */
const READ_LATE_MS = 60_000
const h = t.health

/** What was paid and what became of it, and whether partner and chain answer. */
export function ExchangeTotalsCards() {
  const state = useExchangeTotals()
  if (state.isPending) return <Loading />
  if (state.isError)
    return <LoadFailed title={t.totals.failed} error={state.error} onRetry={() => void state.refetch()} />
  return (
    <div className="mb-8 grid gap-6">
      <Totals totals={state.data} />
      <Health totals={state.data} />
    </div>
  )
}

function Totals({ totals }: { totals: ExchangeTotals }) {
  const parts = [
    ['', t.totals.paid, totals.paid],
    ['=', t.totals.credited, totals.credited],
    ['+', t.totals.refunded, totals.refunded],
    ['+', t.totals.refunding, totals.refunding],
    ['+', t.totals.fees, totals.fees],
    ['+', t.totals.pending, totals.pending],
  ] as const
  const difference = totalsDifference(totals)
  return (
    <section aria-label={t.totals.title}>
      {difference !== '0' && (
        <div className="mb-4">
          <Notice tone="bad">{t.totals.mismatch(difference)}</Notice>
        </div>
      )}
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-2xl border border-line bg-line md:grid-cols-3 xl:grid-cols-6">
        {parts.map(([sign, name, amount]) => (
          <div key={name} className="bg-surface px-4 py-4">
            <dt className="text-sm text-muted">
              {sign && (
                <span aria-hidden className="mr-1.5 font-mono">
                  {sign}
                </span>
              )}
              {name}
            </dt>
            <dd className="mt-1 font-mono text-lg wrap-anywhere tabular-nums">{formatDecimal(amount, locale)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-sm text-muted">
        {t.totals.equation}
        <br />
        {t.totals.points(formatNumber(totals.points))}
      </p>
    </section>
  )
}

function Health({ totals: { partner, read, address, balance, refunding, rate } }: { totals: ExchangeTotals }) {
  const [changing, setChanging] = useState(false)
  const isLate = read !== null && Date.now() - Date.parse(read.at) > READ_LATE_MS
  const owed = parseAmount(refunding, 18)
  const held = balance === null ? undefined : parseAmount(balance, 18)
  const isShort = typeof owed === 'bigint' && typeof held === 'bigint' && held < owed
  return (
    <Card label={h.title} className="grid gap-x-10 gap-y-5 p-5 sm:grid-cols-2 sm:p-6">
      <Fact name={h.partner}>
        {partner ? (
          <>
            <p>{partner.simulated ? <Simulated /> : partner.name}</p>
            <p className={partner.reachable ? 'text-good' : 'text-danger'}>
              {partner.reachable ? h.reachable(formatNumber(partner.ms)) : h.unreachable}
            </p>
            {partner.error && <p className="text-danger wrap-anywhere">{partner.error}</p>}
          </>
        ) : (
          <p className="text-warn">{h.noPartner}</p>
        )}
      </Fact>
      <Fact name={h.chain}>
        {read ? (
          <p className="tabular-nums">{h.readTo(formatNumber(read.height), formatDateTime(read.block_time))}</p>
        ) : (
          <p className="text-warn">{h.never}</p>
        )}
        {isLate && <p className="text-danger">{h.late}</p>}
      </Fact>
      <Fact name={h.address}>
        {address ? (
          <>
            <p className="flex items-center gap-1">
              <Link
                to="/chain/address/$address"
                params={{ address }}
                className="inline-flex min-h-6 items-center font-mono text-xs text-accent hover:underline"
                translate="no"
              >
                {shorten(address, 12, 6)}
              </Link>
              <CopyIcon text={address} label={h.address} />
            </p>
            <p>
              <span className="text-muted">{h.balance}</span>{' '}
              <span className="tabular-nums">{balance === null ? h.unknown : formatTnt4(balance)}</span>
            </p>
            {isShort && <p className="text-danger">{h.short}</p>}
          </>
        ) : (
          <p className="text-warn">{h.noAddress}</p>
        )}
      </Fact>
      <Fact name={h.rate}>
        <p>
          {h.rateOf(
            formatDecimal(rate.usd_per_tnt4, locale),
            formatNumber(rate.credits_per_usd),
            String(rate.discount),
          )}
        </p>
        {rate.since && <p className="text-muted">{h.since(rate.by, formatDateTime(rate.since))}</p>}
        <Button className="mt-2" onClick={() => setChanging(true)}>
          {h.changeRate}
        </Button>
      </Fact>
      {changing && <ExchangeRateDialog rate={rate} onClose={() => setChanging(false)} />}
    </Card>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0 text-sm">
    <h3 className="mb-1 font-medium">{name}</h3>
    {children}
  </div>
)
