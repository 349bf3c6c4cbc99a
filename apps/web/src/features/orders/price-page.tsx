import { Link } from '@tanstack/react-router'
import { priceOf, type Resources } from '@tidenet/contract/price'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { useState } from 'react'
import { formatNumber, formatPercent } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Hero, Section } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { formatAmount } from '../wallet/amounts.ts'
import { formatCoins, formatHours, formatQuantity } from './format.ts'
import { machineParam } from './machine-param.ts'
import { t } from './price-texts.ts'
import { ResourceSliders } from './resource-sliders.tsx'
import { QUANTITIES, type Quantity } from './terms.ts'
import { sumOf, tiersOf } from './tiers.ts'
import { useOffers } from './use-offers.ts'

/** Hours for which the selected machine is priced for comparison. */
const SPANS = [1, 4, 24, 168, 720] as const
/** Public prices of containers: calculator, tariff, fees and refunds. */
export function PricePage() {
  usePageTitle()
  const offers = useOffers()
  const [resources, setResources] = useState<Resources>({ cpu: 2, ram: 4, storage: 80, duration: 24 })
  const terms = offers.data
  const prices = terms && { resources, factor: terms.factor, claim: terms.claim, symbol: terms.token.symbol }
  return (
    <>
      <Hero
        eyebrow={t.eyebrow}
        title={t.title}
        intro={t.intro}
        actions={
          <>
            <Link to="/testCoin" className={buttonClass('secondary', 'min-h-11 px-5')}>
              {t.claim}
            </Link>
            <Link to="/tc2" className={buttonClass('ghost', 'min-h-11 px-5')}>
              {t.about}
            </Link>
          </>
        }
      >
        <Availability />
      </Hero>

      <Section id="calculator" title={t.calculator} intro={t.calculatorIntro}>
        <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[1.25fr_1fr]">
          <ResourceSliders resources={resources} onChange={setResources} />
          {prices ? <Total {...prices} /> : <PriceUnavailable />}
        </div>
        <h3 className="mt-14 text-lg font-semibold">{t.spans}</h3>
        <p className="mt-1 mb-5 text-muted">{t.spansIntro}</p>
        {prices ? <Spans {...prices} /> : <PriceUnavailable />}
      </Section>

      <Section sunken title={t.tariff} intro={t.tariffIntro(terms ? formatPercent(terms.factor, 1) : '–')}>
        <div className="grid gap-6 md:grid-cols-2">
          {QUANTITIES.map((key) => (
            <Tariff key={key} quantity={key} symbol={terms?.token.symbol ?? ''} />
          ))}
        </div>
      </Section>

      <Section title={t.included}>
        <dl className="grid gap-x-12 md:grid-cols-2">
          <Rules grace={terms?.grace_hours} />
        </dl>
      </Section>
    </>
  )
}

/** Shown instead of prices until the terms of this portal are loaded. */
function PriceUnavailable() {
  const { isError } = useOffers()
  return (
    <div className="rounded-2xl border border-line bg-surface p-6">
      {isError ? <p className="text-muted">{t.soldFailed}</p> : <Loading />}
    </div>
  )
}

interface PriceProps {
  resources: Resources
  factor: number
  claim: number
  symbol: string
}

/** The total price and its calculation. */
function Total({ resources, factor, claim, symbol }: PriceProps) {
  const cost = priceOf(resources, factor)
  const hour = (['cpu', 'ram', 'storage'] as const).map((key) => sumOf(key, resources[key]))
  const sum = hour.reduce((all, each) => all + each, 0)
  const counted = sumOf('duration', resources.duration)
  const lines = [
    ...(['cpu', 'ram', 'storage'] as const).map((key, index) => [
      t.part(t.names[key], formatQuantity(key, resources[key])),
      formatNumber(hour[index] ?? 0, 2),
    ]),
    [t.anHour, formatNumber(sum, 2)],
    [t.counted, t.countedHours(formatNumber(counted, 2))],
    [t.factor, t.countedHours(formatNumber(factor, 3))],
    [t.rounded, formatNumber(cost)],
  ] as const
  return (
    <div className="rounded-2xl border border-line bg-surface p-6 lg:sticky lg:top-20">
      <h3 className="text-sm text-muted">{t.total}</h3>
      <p className="mt-1 font-mono text-3xl tabular-nums" aria-live="polite">
        {formatCoins(cost, symbol)}
      </p>
      <p className="mt-1 text-sm text-muted">{t.perHour(`${formatNumber(cost / resources.duration, 1)} ${symbol}`)}</p>
      <p className="text-sm text-muted">{t.claims(Math.ceil(cost / claim), formatCoins(claim, symbol))}</p>
      <h4 className="mt-5 text-sm font-medium">{t.how}</h4>
      <dl className="mt-1">
        {lines.map(([name, value], index) => (
          <div
            key={name}
            className={
              index === 3
                ? 'flex justify-between gap-4 border-t border-control py-1.5 text-sm font-medium'
                : 'flex justify-between gap-4 border-t border-line py-1.5 text-sm first:border-t-0'
            }
          >
            <dt className={index === 3 ? '' : 'text-muted'}>{name}</dt>
            <dd className="font-mono tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <Link
        to="/mycenter"
        search={{ tab: 2, machine: machineParam(resources) }}
        className={buttonClass('primary', 'mt-5 min-h-11 w-full')}
      >
        {t.order}
      </Link>
    </div>
  )
}

const figureClass = 'px-2 py-2.5 last:pr-3 text-right font-mono text-sm whitespace-nowrap tabular-nums sm:px-6'

function Spans({ resources, factor, claim, symbol }: PriceProps) {
  const spans = [...new Set([...SPANS, resources.duration])].sort((one, other) => one - other)
  return (
    <div className="overflow-x-auto rounded-2xl border border-line bg-surface">
      <table className="w-full text-left">
        <thead>
          <tr className="border-b border-line text-sm text-muted">
            {[t.span, t.spanTotal(symbol), t.spanHour(symbol), t.spanClaims].map((name, index) => (
              <th
                key={name}
                scope="col"
                className={classes(
                  'px-2 py-3 font-medium first:pl-3 last:pr-3 sm:px-6',
                  index > 0 && 'text-right',
                  index === 3 && 'whitespace-nowrap',
                )}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {spans.map((hours) => {
            const cost = priceOf({ ...resources, duration: hours }, factor)
            const chosen = hours === resources.duration
            return (
              <tr
                key={hours}
                className={
                  chosen
                    ? 'border-b border-line bg-accent-soft last:border-b-0'
                    : 'border-b border-line last:border-b-0'
                }
              >
                <th scope="row" className="px-3 py-2.5 font-medium whitespace-nowrap sm:px-6">
                  {formatHours(hours)}
                </th>
                <td className={figureClass}>{formatNumber(cost)}</td>
                <td className={figureClass}>{formatNumber(cost / hours, 1)}</td>
                <td className={figureClass}>{formatNumber(Math.ceil(cost / claim))}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Tariff({ quantity, symbol }: { quantity: Quantity; symbol: string }) {
  const formatRate = (rate: number) =>
    t.rates[quantity](quantity === 'duration' ? formatPercent(rate, 1) : `${formatNumber(rate, 2)} ${symbol}`)
  return (
    <div className="rounded-2xl border border-line bg-surface px-5 py-4 sm:px-6">
      <table className="w-full text-left">
        <caption className="pb-2 text-left text-lg font-semibold">{t.names[quantity]}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">{t.tier}</th>
            <th scope="col">{t.rate}</th>
          </tr>
        </thead>
        <tbody>
          {tiersOf(quantity, 0).map(({ from, to, rate }) => (
            <tr key={to} className="border-t border-line">
              <th scope="row" className="w-2/5 py-2 pr-4 text-sm font-normal whitespace-nowrap text-muted tabular-nums">
                {t.upTo(formatNumber(from), formatUnits(quantity, to))}
              </th>
              <td className="py-2 text-sm tabular-nums">{formatRate(rate)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const formatUnits = (quantity: Quantity, value: number): string =>
  quantity === 'duration' ? t.hours(value) : formatQuantity(quantity, value)

function Rules({ grace }: { grace: number | undefined }) {
  const settings = useQuery({ ...query('chain.settings', {}), staleTime: 5 * 60_000, retry: false })
  const { fee, coin = '', decimals = 0 } = settings.data ?? {}
  const feeText = fee ? `${formatAmount(BigInt(fee.amount), decimals)} ${coin}` : ''
  return t.rules(grace, feeText).map(([name, text]) => (
    <div key={name} className="border-t border-line py-4">
      <dt className="font-semibold">{name}</dt>
      <dd className="mt-0.5 text-muted">{text}</dd>
    </div>
  ))
}

/** Whether each region accepts orders and the chain accepts payments. */
function Availability() {
  const offers = useOffers()
  const list = offers.data
    ? [
        ...offers.data.clusters.map(({ name, ready, reason, shared_with: [other] }) => ({
          name: t.regions[name],
          place: t.places[name],
          ready,
          status: !ready ? reason || t.notReady : other ? t.shared(t.ready, t.regions[other]) : t.ready,
        })),
        {
          name: t.chain,
          place: '',
          ready: offers.data.chain.ready,
          status: offers.data.chain.ready ? t.chainReady : offers.data.chain.reason || t.chainNotReady,
        },
      ]
    : []
  return (
    <section data-sold aria-label={t.sold} className="min-h-64 rounded-2xl border border-line bg-surface p-6">
      <h2 className="mb-2 font-semibold">{t.sold}</h2>
      {offers.isPending ? (
        <Loading />
      ) : offers.isError ? (
        <p className="text-muted">{t.soldFailed}</p>
      ) : (
        <ul>
          {list.map(({ name, place, ready, status }) => (
            <li key={name} className="flex gap-3 border-t border-line py-3 first:border-t-0">
              {ready ? (
                <CircleCheck aria-hidden className="mt-1 size-5 shrink-0 text-good" />
              ) : (
                <CircleDashed aria-hidden className="mt-1 size-5 shrink-0 text-warn" />
              )}
              <div>
                <p className="font-medium">
                  {name}
                  {place && <span className="font-normal text-muted"> · {place}</span>}
                </p>
                <p className={ready ? 'text-sm text-good' : 'text-sm text-muted'}>{status}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
