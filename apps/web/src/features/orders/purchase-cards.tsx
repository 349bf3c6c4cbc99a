import { Link } from '@tanstack/react-router'
import type { Order } from '@tidenet/contract'
import { useId } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choices.tsx'
import { Select } from '../../ui/select.tsx'
import { Card, LoadFailed, Notice } from '../../ui/states.tsx'
import { formatAmount } from '../wallet/amounts.ts'
import { formatCoins } from './format.ts'
import { ResourceSliders } from './resource-sliders.tsx'
import { t } from './texts.ts'
import type { Purchase } from './use-purchase.ts'

const b = t.buy

interface PurchaseCardProps {
  purchase: Purchase
  /** The running order to replace. */
  old: Order | undefined
}

/** Region and amounts of resources. */
export function ResourcesCard({
  purchase: { offers, region, setRegion, resources, setResources, gpusOffered },
  old,
}: PurchaseCardProps) {
  const gpusNow = old?.gpus ?? 0
  return (
    <Card className="p-6">
      {old ? (
        <div className="border-b border-line pb-5">
          <h2 className="font-semibold">{b.upgradeTitle}</h2>
          <p className="mt-1 text-sm text-muted">{b.upgradeText(shorten(old.id, 8, 4), t.regions[old.kub_name])}</p>
        </div>
      ) : (
        <RadioCards
          label={b.region}
          value={region}
          onChange={setRegion}
          columns="sm:grid-cols-2"
          options={(['distributed', 'centralized'] as const).map((name) => {
            const offer = offers?.clusters.find((each) => each.name === name)
            const shared = offer?.shared_with.map((other) => b.shared(t.regions[other])) ?? []
            const hint = offer && !offer.ready ? offer.reason || b.notReady(t.regions[name]) : t.regionHints[name]
            // One that is away for a moment can be chosen; the reason is beside the price, too.
            const disabled = offer?.configured === false
            return { value: name, title: t.regions[name], hint: [hint, ...shared].join(' · '), disabled }
          })}
        />
      )}
      <div className="mt-7">
        <ResourceSliders resources={resources} onChange={setResources} old={old} />
        {gpusOffered > 0 && (
          <div className="mt-7 grid justify-items-start gap-1.5">
            <span className="text-sm font-medium">{b.gpus}</span>
            <Select
              label={b.gpus}
              value={resources.gpus}
              options={Array.from({ length: Math.max(0, gpusOffered - gpusNow) + 1 }, (_, index) => {
                const value = index + gpusNow
                return { value, label: value === 0 ? b.noGpu : t.units.gpus(formatNumber(value)) }
              })}
              onChange={(gpus) => setResources({ ...resources, gpus })}
            />
            <p className="text-sm text-muted">{b.gpusHint}</p>
          </div>
        )}
      </div>
    </Card>
  )
}

interface CostCardProps extends PurchaseCardProps {
  /** Coins refunded for the replaced order, as a decimal. */
  refund: string | undefined
  onLeave: () => void
}

/** The price, what blocks the purchase, and the button to buy. */
export function CostCard({ purchase, old, refund, onLeave }: CostCardProps) {
  const { offers, symbol, balance, blockedBy, ready, busy, buy } = purchase
  const { fee, grace_hours: grace = 72 } = offers ?? {}
  const id = useId()
  return (
    <Card className="p-6 lg:sticky lg:top-20">
      <dl className="flex items-baseline justify-between gap-4 border-b border-line pb-4">
        <dt className="text-sm text-muted">{b.balance}</dt>
        <dd className="font-mono tabular-nums">
          {balance.data ? formatCoins(balance.data.balance, symbol) : `– ${symbol}`}
        </dd>
      </dl>
      <h2 className="mt-4 text-sm text-muted">{b.price}</h2>
      <Price purchase={purchase} />
      {old && (
        <p className="mt-2 text-sm text-muted">
          {b.upgradeBack}
          {refund && b.upgradeBackAbout(formatCoins(refund, symbol))}
        </p>
      )}
      <div id={`${id}-why`} className="grid gap-2" role="status">
        {blockedBy.map((each) => (
          <div key={each} className="mt-3">
            <Notice tone="warn">{each}</Notice>
          </div>
        ))}
      </div>
      {balance.isError && (
        <div className="mt-3">
          <LoadFailed title={t.use.balanceFailed} error={balance.error} onRetry={() => void balance.refetch()} />
        </div>
      )}
      <Button
        look="primary"
        disabled={!ready}
        busy={busy}
        aria-describedby={`${id}-why`}
        onClick={buy}
        className="mt-5 min-h-11 w-full"
      >
        {old ? b.upgradeNow : b.now}
      </Button>
      {old && (
        <Button look="ghost" className="mt-2 w-full" onClick={onLeave}>
          {b.leave}
        </Button>
      )}
      <ul className="mt-5 grid list-disc gap-1.5 border-t border-line pt-4 pl-5 text-sm text-muted">
        <li>{b.early}</li>
        <li>{b.after(grace)}</li>
        {fee && fee.denom !== '' && <Fee amount={fee.amount} />}
      </ul>
      <Link to="/pricing" className={buttonClass('ghost', 'mt-3 -ml-3.5')}>
        {b.terms}
      </Link>
    </Card>
  )
}

function Price({ purchase: { offers, symbol, price, resources } }: { purchase: Purchase }) {
  if (price.error) return <LoadFailed title={b.priceFailed} error={price.error} onRetry={price.retry} />
  const { cost } = price
  const { claim = 400 } = offers ?? {}
  return (
    <>
      <p className="mt-1 font-mono text-3xl tabular-nums" aria-live="polite" aria-busy={cost === undefined}>
        {cost === undefined ? <span className="text-muted">{b.pricing}</span> : formatCoins(cost, symbol)}
      </p>
      <p className="mt-1 min-h-6 text-sm text-muted">
        {cost !== undefined && b.perHour(t.coin(formatNumber(cost / resources.duration, 1), symbol))}
      </p>
      <p className="min-h-6 text-sm text-muted">{cost !== undefined && b.claims(Math.ceil(cost / claim))}</p>
    </>
  )
}

/** The gas fee, in whole coins of the chain. */
function Fee({ amount }: { amount: string }) {
  const settings = useQuery({ ...query('chain.settings', {}), staleTime: 5 * 60_000 })
  if (!settings.data) return null
  const { coin, decimals } = settings.data
  return <li>{b.fee(t.coin(formatAmount(BigInt(amount), decimals), coin))}</li>
}
