import { Link } from '@tanstack/react-router'
import { priceOf, RESOURCE_BOUNDS, type Resources } from '@tidenet/contract/price'
import { formatNumber } from '../../lib/format.ts'
import { linkTo } from '../../lib/link.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Hero, Section } from '../../ui/page.tsx'
import { useOffers } from '../orders/use-offers.ts'
import { ContainersDrawing } from './containers-drawing.tsx'
import { t } from './containers-texts.ts'
import { Facts, Questions, Request, StateLine } from './parts.tsx'

const quantities = ['cpu', 'ram', 'storage', 'duration'] as const
const machines: readonly Resources[] = [
  { cpu: 1, ram: 1, storage: 40, duration: 4 },
  { cpu: 8, ram: 16, storage: 100, duration: 5 },
  { cpu: 2, ram: 4, storage: 80, duration: 168 },
]

/** Containers: resources, prices, ordering and regions. */
export function ContainersPage() {
  usePageTitle()
  const { claim = 0, hourly = 0, token: { symbol = '' } = {} } = useOffers().data ?? {}
  return (
    <>
      <Hero
        eyebrow={t.eyebrow}
        title={t.title}
        intro={t.intro}
        actions={
          <>
            <Link to="/pricing" className={buttonClass('primary', 'min-h-11 px-5')}>
              {t.calculator}
            </Link>
            <Link to="/testCoin" className={buttonClass('secondary', 'min-h-11 px-5')}>
              {t.coin}
            </Link>
          </>
        }
        note={<StateLine name="containers">{t.state}</StateLine>}
      >
        <ContainersDrawing />
      </Hero>

      <Section id="prices" title={t.boundsTitle} intro={t.boundsIntro}>
        <Bounds />
        <h3 className="mt-14 mb-5 text-lg font-semibold">{t.examplesTitle}</h3>
        <Examples />
        <p className="mt-6 max-w-3xl text-sm text-muted">{t.tiers}</p>
        <Link to="/pricing" className={buttonClass('secondary', 'mt-4')}>
          {t.allPrices}
        </Link>
      </Section>

      <Section sunken title={t.orderTitle} intro={t.orderIntro}>
        <div className="grid gap-12 lg:grid-cols-[1.35fr_1fr] lg:gap-20">
          <ol className="relative ml-3.5 border-l border-control">
            {t.order.map(([name, text], index) => (
              <li key={name} className="relative pb-8 pl-9 last:pb-0">
                <span
                  aria-hidden
                  className="absolute top-0 -left-3.5 flex size-7 items-center justify-center rounded-full border border-control bg-surface font-mono text-sm text-accent"
                >
                  {index + 1}
                </span>
                <h3 className="text-lg font-semibold">{name}</h3>
                <p className="mt-1 text-muted">{text}</p>
              </li>
            ))}
          </ol>
          <div>
            <h3 className="mb-3 text-lg font-semibold">{t.rulesTitle}</h3>
            <dl className="border-t border-line">
              {t.rules.map(([name, value]) => (
                <div key={name} className="border-b border-line py-3">
                  <dt className="text-sm text-muted">{name}</dt>
                  <dd className="font-medium tabular-nums">{value}</dd>
                </div>
              ))}
            </dl>
          </div>
        </div>
      </Section>

      <Section title={t.regionsTitle}>
        <div className="grid gap-px overflow-hidden rounded-2xl border border-line bg-line md:grid-cols-2">
          {t.regions.map(([name, text]) => (
            <div key={name} className="bg-surface p-6">
              <h3 className="text-lg font-semibold">{name}</h3>
              <p className="mt-1.5 text-muted">{text}</p>
            </div>
          ))}
        </div>
        <h2 className="mt-20 mb-8 text-2xl leading-tight font-semibold tracking-tight sm:text-[2rem]">
          {t.todayTitle}
        </h2>
        <ul className="grid gap-x-10 gap-y-6 md:grid-cols-3">
          {t
            .today(claim && { claim: formatNumber(claim), hourly: formatNumber(hourly), symbol })
            .map(([name, text, href]) => (
              <li key={name} className="border-t-2 border-line pt-4">
                <h3 className="font-semibold">
                  <Link {...linkTo(href)} className="text-accent hover:underline">
                    {name}
                  </Link>
                </h3>
                <p className="mt-1 text-sm text-muted">{text}</p>
              </li>
            ))}
        </ul>
        <p className="mt-6 text-sm text-muted">{t.signInNote}</p>
      </Section>

      <Request
        kind="containers"
        title={t.requestTitle}
        intro={t.requestIntro}
        hints={t.hints}
        textLabel={t.textLabel}
      />
      <Questions list={t.questions} />
    </>
  )
}

function Bounds() {
  return (
    <div className="overflow-x-auto rounded-2xl border border-line bg-surface">
      <table className="w-full text-left">
        <thead>
          <tr className="border-b border-line text-sm text-muted">
            {[t.quantity, t.least, t.most, t.step].map((name) => (
              <th key={name} scope="col" className="px-4 py-3 font-medium sm:px-6">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {quantities.map((key) => {
            const { min, max, step } = RESOURCE_BOUNDS[key]
            return (
              <tr key={key} className="border-b border-line last:border-b-0">
                <th scope="row" className="px-4 py-3 font-medium sm:px-6">
                  {t.names[key]}
                </th>
                {[min, max, step].map((value, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: min, max and step may be equal
                  <td key={index} className="px-4 py-3 tabular-nums sm:px-6">
                    {t.units[key](formatNumber(value))}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Examples() {
  const { data: offers } = useOffers()
  return (
    <ul className="grid gap-x-10 gap-y-10 md:grid-cols-3">
      {machines.map((machine, index) => {
        const price = offers && priceOf(machine, offers.factor)
        return (
          <li key={t.examples[index]}>
            <h4 className="font-medium">{t.examples[index]}</h4>
            <p className="mt-1 mb-4 font-mono text-2xl font-medium tracking-tight tabular-nums">
              {price === undefined ? '–' : formatNumber(price)}{' '}
              <span className="text-base">{offers?.token.symbol}</span>
            </p>
            <Facts list={quantities.map((key) => [t.names[key], t.units[key](formatNumber(machine[key]))] as const)} />
            <p className="mt-3 text-sm text-muted">
              {offers &&
                price !== undefined &&
                `${t.perHour(`${formatNumber(price / machine.duration, 1)} ${offers.token.symbol}`)} · ${t.claims(Math.ceil(price / offers.claim))}`}
            </p>
          </li>
        )
      })}
    </ul>
  )
}
