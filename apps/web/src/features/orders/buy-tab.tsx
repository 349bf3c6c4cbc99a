import { Link, useNavigate } from '@tanstack/react-router'
import type { Order } from '@tidenet/contract'
import type { ClusterName, Resources } from '@tidenet/contract/price'
import { useId, useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatNumber } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choices.tsx'
import { Card, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { tell, warn } from '../../ui/toast.ts'
import { writeAmount } from '../wallet/amounts.ts'
import { lazyView } from '../wallet/lazy-view.tsx'
import { Amount } from './amount.tsx'
import { refreshOrders } from './changes.ts'
import { sayCoins, sayQuantity } from './said.ts'
import { exceeds, QUANTITIES, upgradeCost, upgradeProblem } from './terms.ts'
import { t } from './texts.ts'
import { useOffers } from './use-offers.ts'
import { usePrice } from './use-price.ts'

const PaymentDialog = lazyView(async () => (await import('./payment-dialog.tsx')).default)

const b = t.buy
const SMALLEST: Resources = { cpu: 1, ram: 1, storage: 40, duration: 4 }

/** Resources to buy; with `upgrade` in the place of a running order. */
export function BuyTab({ upgrade, machine }: { upgrade: string | undefined; machine: Resources | undefined }) {
  const details = useQuery({ ...query('orders.details', { id: upgrade ?? '' }), enabled: upgrade !== undefined })
  if (upgrade === undefined) return <Choice key="new" machine={machine} />
  if (details.isPending) return <Loading />
  if (details.isError)
    return <LoadFailed title={t.details.failed} error={details.error} onRetry={() => void details.refetch()} />
  const { order, refund } = details.data
  return <Choice key={upgrade} old={order} back={refund?.exact} />
}

interface ChoiceProps {
  /** The running order that is to be replaced. */
  old?: Order
  /** What to begin with. */
  machine?: Resources | undefined
  /** Coins that its end gives back, as a decimal. */
  back?: string | undefined
}

/** Region, four sliders, and what they cost. */
function Choice({ old, machine, back }: ChoiceProps) {
  const offers = useOffers()
  const info = useQuery(query('wallets.bindInfo', {}))
  const bound = Boolean(info.data?.keplr)
  const balance = useQuery({ ...query('faucet.balance', {}), enabled: bound })
  const [chosen, setChosen] = useState<ClusterName>()
  const [wanted, setWanted] = useState<Resources>(() => (old ? pick(old) : (machine ?? SMALLEST)))
  const [busy, setBusy] = useState(false)
  const [paying, setPaying] = useState<{ order: string; cost: number }>()
  const navigate = useNavigate()
  const price = usePrice(wanted)
  const id = useId()

  // What was not chosen yet is a region that sells.
  const first = offers.data?.clusters.find(({ ready }) => ready)?.name ?? 'distributed'
  const region = old?.kub_name ?? chosen ?? first
  const { token, chain, fee, claim = 400, grace_hours: grace = 72 } = offers.data ?? {}
  const symbol = token?.symbol ?? 'cTNT'
  const cluster = offers.data?.clusters.find(({ name }) => name === region)
  const cost = old && price.cost !== undefined ? upgradeCost(price.cost, old, wanted.duration) : price.cost
  const over = cost !== undefined && balance.data !== undefined && exceeds(cost, balance.data.balance)
  const wrong = old && upgradeProblem(old, wanted)
  const gone = old && !old.actions.includes('upgrade')

  /** What stands in the way of buying, as sentences. */
  const obstacles = [
    info.data && !bound && b.needWallet,
    chain && !chain.ready && chain.reason,
    cluster && !cluster.ready && `${b.notReady(t.regions[region])}${cluster.reason && `: ${cluster.reason}`}`,
    gone && b.upgradeGone,
    wrong && b[wrong],
    over && b.over,
  ].filter((each): each is string => typeof each === 'string' && each !== '')
  const ready = obstacles.length === 0 && cost !== undefined && balance.data !== undefined && offers.data !== undefined

  const buy = async () => {
    if (cost === undefined) return
    setBusy(true)
    try {
      const made = old
        ? await api('orders.upgrade', { ...wanted, id: old.id })
        : await api('orders.create', { ...wanted, kub_name: region })
      refreshOrders()
      setPaying({ order: made.id, cost })
    } catch (error) {
      warn(error)
    } finally {
      setBusy(false)
    }
  }
  const toOrders = () => void navigate({ to: '/mycenter', search: { tab: 1 } })
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1.6fr_1fr]">
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
            onChange={setChosen}
            columns="sm:grid-cols-2"
            options={(['distributed', 'centralized'] as const).map((name) => {
              const offer = offers.data?.clusters.find((each) => each.name === name)
              const hint = offer && !offer.ready ? offer.reason || b.notReady(t.regions[name]) : t.regionHints[name]
              return { value: name, title: t.regions[name], hint }
            })}
          />
        )}
        <div className="mt-7 grid gap-7">
          {QUANTITIES.map((key) => (
            <Amount
              key={key}
              quantity={key}
              name={t.names[key]}
              says={sayQuantity(key, wanted[key])}
              exact={t.exact(t.names[key])}
              value={wanted[key]}
              note={old && b.old(sayQuantity(key, old[key]))}
              onChange={(value) => setWanted({ ...wanted, [key]: value })}
            />
          ))}
        </div>
      </Card>
      <Card className="p-6 lg:sticky lg:top-20">
        <dl className="flex items-baseline justify-between gap-4 border-b border-line pb-4">
          <dt className="text-sm text-muted">{b.balance}</dt>
          <dd className="font-mono tabular-nums">
            {balance.data ? sayCoins(balance.data.balance, symbol) : `– ${symbol}`}
          </dd>
        </dl>
        <h2 className="mt-4 text-sm text-muted">{b.price}</h2>
        {price.error ? (
          <LoadFailed title={b.priceFailed} error={price.error} onRetry={price.retry} />
        ) : (
          <>
            <p className="mt-1 font-mono text-3xl tabular-nums" aria-live="polite" aria-busy={cost === undefined}>
              {cost === undefined ? <span className="text-muted">{b.pricing}</span> : sayCoins(cost, symbol)}
            </p>
            <p className="mt-1 min-h-6 text-sm text-muted">
              {cost !== undefined && b.perHour(t.coin(formatNumber(cost / wanted.duration, 1), symbol))}
            </p>
            <p className="min-h-6 text-sm text-muted">{cost !== undefined && b.claims(Math.ceil(cost / claim))}</p>
          </>
        )}
        {old && (
          <p className="mt-2 text-sm text-muted">
            {b.upgradeBack}
            {back && b.upgradeBackAbout(sayCoins(back, symbol))}
          </p>
        )}
        <div id={`${id}-why`} className="grid gap-2" role="status">
          {obstacles.map((each) => (
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
          onClick={() => void buy()}
          className="mt-5 min-h-11 w-full"
        >
          {old ? b.upgradeNow : b.now}
        </Button>
        {old && (
          <Button look="ghost" className="mt-2 w-full" onClick={toOrders}>
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
      {paying && (
        <PaymentDialog
          order={paying.order}
          kind={old ? 'upgrade' : 'create'}
          expected={paying.cost}
          onClose={() => {
            setPaying(undefined)
            // What was made and not paid waits there.
            toOrders()
          }}
          onPaid={() => {
            refreshOrders()
            tell(t.done.created)
            toOrders()
          }}
        />
      )}
    </div>
  )
}

/** What the chain takes, in whole coins of its own. */
function Fee({ amount }: { amount: string }) {
  const settings = useQuery({ ...query('chain.settings', {}), staleTime: 5 * 60_000 })
  if (!settings.data) return null
  const { coin, decimals } = settings.data
  return <li>{b.fee(t.coin(writeAmount(BigInt(amount), decimals), coin))}</li>
}

const pick = ({ cpu, ram, storage, duration }: Resources): Resources => ({ cpu, ram, storage, duration })
