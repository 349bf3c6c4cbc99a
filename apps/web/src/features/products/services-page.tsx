import { Link } from '@tanstack/react-router'
import { priceOf } from '@tidenet/contract/price'
import { ArrowRight } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { linkTo } from '../../lib/link.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Metric } from '../../ui/metric.tsx'
import { Hero, Section } from '../../ui/page.tsx'
import { uptimeNote } from '../network/uptime.ts'
import { useOffers } from '../orders/use-offers.ts'
import { Questions, StateMark } from './parts.tsx'
import { ServicesDrawing } from './services-drawing.tsx'
import { t } from './services-texts.ts'
import { useStates } from './use-services.ts'

/** The smallest machine for an hour: the lowest price of containers. */
const LEAST = { cpu: 1, ram: 1, storage: 40, duration: 1 }

const rows: readonly { name: keyof typeof t.services; about: string; begin: string }[] = [
  { name: 'storage', about: '/tss', begin: '/Upload' },
  { name: 'anonymous', about: '/Upload', begin: '/Upload' },
  { name: 'acceleration', about: '/tss#plans', begin: '/center' },
  { name: 'thirdParty', about: '/tss#plans', begin: '/center' },
  { name: 'network', about: '/introduction', begin: '/download' },
  { name: 'pcdn', about: '/pcdn', begin: '/pcdn#request' },
  { name: 'aiData', about: '/aidata', begin: '/aidata#request' },
  { name: 'aiProxy', about: '/aiproxy', begin: '/aiproxy#request' },
  { name: 'containers', about: '/tc2', begin: '/pricing' },
  { name: 'whisper', about: '/whisper', begin: '/whisper' },
  { name: 'exchange', about: '/exchangePnuts', begin: '/exchangePnuts' },
]

/** All services with price and state. */
export function ServicesPage() {
  usePageTitle()
  return (
    <>
      <Hero
        eyebrow={t.eyebrow}
        title={t.title}
        intro={t.intro}
        actions={
          <>
            <Link to="/tss" className={buttonClass('primary', 'min-h-11 px-5')}>
              {t.start}
            </Link>
            <a href="#table" className={buttonClass('secondary', 'min-h-11 px-5')}>
              {t.table}
            </a>
          </>
        }
      >
        <ServicesDrawing />
      </Hero>

      <Section id="table" title={t.tableTitle} intro={t.tableIntro}>
        <Table />
      </Section>

      <Section sunken title={t.chooseTitle}>
        <ul className="grid gap-px overflow-hidden rounded-2xl border border-line bg-line md:grid-cols-2">
          {t.choose.map(([name, text, href, link]) => (
            <li key={name} className="flex flex-col items-start bg-surface p-6 sm:p-8">
              <h3 className="text-lg font-semibold">{name}</h3>
              <p className="mt-1 mb-5 text-muted">{text}</p>
              <Link
                {...linkTo(href)}
                className="mt-auto inline-flex min-h-7 items-center gap-1.5 font-medium text-accent hover:underline"
              >
                {link}
                <ArrowRight aria-hidden className="size-4" />
              </Link>
            </li>
          ))}
        </ul>
      </Section>

      <Section title={t.claimTitle} intro={t.claimIntro}>
        <Claims />
        <Link to="/earn" className="mt-10 inline-flex min-h-7 items-center text-accent underline">
          {t.toEarn}
        </Link>
      </Section>

      <Section sunken title={t.statesTitle}>
        <dl className="grid gap-x-10 gap-y-8 md:grid-cols-2">
          {(['available', 'unavailable', 'request', 'planned'] as const).map((state) => (
            <div key={state} className="border-t-2 border-line pt-4">
              <dt>
                <StateMark state={state} />
              </dt>
              <dd className="mt-1.5 text-sm text-muted">{t.states[state]}</dd>
            </div>
          ))}
        </dl>
      </Section>

      <Questions list={t.questions} />
    </>
  )
}

/** A table on wide screens, a list on narrow ones. */
function Table() {
  const c = t.columns
  const stateOf = useStates()
  const { data: offers } = useOffers()
  const { data: rate } = useQuery(query('exchange.rate', {}))
  const price = (name: keyof typeof t.services): string => {
    if (name === 'containers')
      return offers
        ? t.services.containers.price(`${formatNumber(priceOf(LEAST, offers.factor))} ${offers.token.symbol}`)
        : '–'
    if (name === 'exchange')
      return rate
        ? t.services.exchange.price(
            rate.usd_per_tnt4,
            formatNumber(Number(rate.usd_per_tnt4) * rate.credits_per_usd, 4),
          )
        : '–'
    return t.services[name].price
  }
  return (
    <div className="overflow-hidden rounded-2xl border border-line bg-surface">
      <table className="w-full text-left max-lg:block">
        <thead className="max-lg:sr-only">
          <tr className="border-b border-line text-sm text-muted">
            {[c.service, c.does, c.state, c.price, c.begin].map((name) => (
              <th key={name} scope="col" className="px-5 py-3.5 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-lg:block">
          {rows.map(({ name, about, begin }) => (
            <tr
              key={name}
              className="border-b border-line last:border-b-0 max-lg:grid max-lg:gap-1.5 max-lg:p-5 lg:align-baseline"
            >
              <th scope="row" className="font-semibold whitespace-nowrap lg:px-5 lg:py-4">
                <Link {...linkTo(about)} className="hover:text-accent hover:underline">
                  {t.services[name].name}
                </Link>
              </th>
              <td className="text-sm text-muted lg:px-5 lg:py-4">{t.services[name].does}</td>
              <td className="text-sm lg:px-5 lg:py-4">
                <StateMark state={stateOf(name).state} />
                {stateOf(name).reason && <span className="block text-muted">{stateOf(name).reason}</span>}
                {name === 'exchange' && rate?.partner?.simulated && (
                  <span className="block text-muted">{t.simulatedPartner}</span>
                )}
              </td>
              <td className="text-sm lg:px-5 lg:py-4">{price(name)}</td>
              <td className="text-sm whitespace-nowrap lg:px-5 lg:py-4">
                <Link
                  {...linkTo(begin)}
                  className="inline-flex min-h-7 items-center text-accent underline hover:text-accent-strong"
                >
                  {t.services[name].begin}
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Claims() {
  const { data: now } = useQuery(query('explorer.figures', {}))
  const c = t.claims
  return (
    <div className="grid gap-x-10 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
      <Metric {...c.cheaper} />
      <Metric {...c.delivery} />
      <Metric {...c.uptime} today={null} note={uptimeNote(now)} href="/storagenetwork" />
      <Metric {...c.ips} today={now ? formatNumber(now.unique_ips) : null} href="/storagenetwork" />
      <Metric {...c.countries} today={now ? formatNumber(now.countries) : null} href="/storagenetwork" />
      <Metric {...c.earnings} />
    </div>
  )
}
