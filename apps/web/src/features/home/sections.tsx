import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { useSession } from '../../lib/session-store.ts'
import { buttonClass } from '../../ui/button.tsx'
import { NodeMark } from '../../ui/node-mark.tsx'
import { Section } from '../../ui/page.tsx'
import { usePolled } from '../network/use-polled.ts'
import { stateOf } from '../products/states.ts'
import { Code } from './code.tsx'
import { Copied, Cut, Fetched } from './drawings.tsx'
import { LatestArticles } from './latest-articles.tsx'
import { EarningsMetric, Metrics } from './metrics.tsx'
import { Onward } from './onward.tsx'
import { t } from './sections-texts.ts'
import { ServiceState } from './service-state.tsx'

const REFRESH_MS = 60_000
const nothing = {}

/** The sections below the map: how it works, services, code, node owners, targets and articles. */
export function Sections() {
  return (
    <>
      <How />
      <Services />
      <Code />
      <Owners />
      <Metrics />
      <LatestArticles />
      <End />
    </>
  )
}

function How() {
  const { eyebrow, title, intro, steps, drawings } = t.how
  const illustrations = [
    <Cut key="1" title={drawings.cut} />,
    <Copied key="2" title={drawings.copy} />,
    <Fetched key="3" title={drawings.fetch} />,
  ]
  return (
    <Section id="how" eyebrow={eyebrow} title={title} intro={intro}>
      <ol className="grid gap-x-10 gap-y-12 md:grid-cols-3">
        {steps.map((step, index) => (
          <li key={step.slug} className="flex flex-col">
            <div className="mb-6 rounded-2xl border border-line bg-surface p-6">
              <div className="mx-auto max-w-96">{illustrations[index]}</div>
            </div>
            <h3 className="flex items-baseline gap-3 text-lg font-semibold">
              <span className="font-mono text-base font-normal text-muted tabular-nums">{index + 1}</span>
              {step.title}
            </h3>
            <p className="mt-2 mb-3 text-muted">{step.text}</p>
            <div className="mt-auto">
              <Onward to="/learndetail" search={{ slug: step.slug }}>
                {step.link}
              </Onward>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
}

function Services() {
  const { eyebrow, title, intro, list, all } = t.services
  const { data, failed } = usePolled('portal.services', nothing, REFRESH_MS)
  return (
    <Section id="services" eyebrow={eyebrow} title={title} intro={intro} sunken>
      <ul className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface">
        {list.map((service) => (
          <li key={service.to}>
            <Link
              to={service.to}
              className="group grid items-baseline gap-x-8 gap-y-1 px-5 py-5 hover:bg-sunken/60 focus-visible:-outline-offset-2 sm:px-7 md:grid-cols-[15rem_1fr_9rem_1.25rem]"
            >
              <h3 className="text-lg font-semibold group-hover:underline">{service.title}</h3>
              <p className="text-muted">{service.text}</p>
              <ServiceState state={stateOf(data, failed, service.name).state} />
              <ArrowRight aria-hidden className="size-4 self-center text-muted max-md:hidden" />
            </Link>
          </li>
        ))}
      </ul>
      <div className="mt-5">
        <Onward to="/services">{all}</Onward>
      </div>
    </Section>
  )
}

function Owners() {
  const { eyebrow, title, intro, kinds, get, article } = t.owners
  return (
    <Section id="owners" eyebrow={eyebrow} title={title} intro={intro} sunken>
      <div className="grid gap-10 lg:grid-cols-[1fr_20rem] lg:gap-16">
        <ul className="grid gap-px overflow-hidden rounded-2xl border border-line bg-line sm:grid-cols-3">
          {kinds.map((kind, index) => (
            <li key={kind.title} className="bg-surface p-6">
              <NodeMark kind={(index + 1) as 1 | 2 | 3} status="online" className="size-7" />
              <h3 className="mt-4 text-lg font-semibold">{kind.title}</h3>
              <p className="mt-2 text-muted">{kind.text}</p>
            </li>
          ))}
        </ul>
        <div className="flex flex-col justify-between gap-6">
          <EarningsMetric />
          <div className="flex flex-col items-start gap-3">
            <Link to="/download" className={buttonClass('primary', 'min-h-10 px-5')}>
              {get}
            </Link>
            <Onward to="/learndetail" search={{ slug: 'run-a-node' }}>
              {article}
            </Onward>
          </div>
        </div>
      </div>
    </Section>
  )
}

function End() {
  const signedIn = useSession((session) => session.address !== '')
  const { title, text, start } = t.end
  return (
    <section className="border-t border-line bg-surface">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-12 gap-y-6 px-5 py-14 sm:px-8 sm:py-20">
        <div className="max-w-2xl">
          <h2 className="text-2xl leading-tight font-semibold tracking-tight sm:text-[2rem]">{title}</h2>
          <p className="mt-3 text-muted sm:text-[1.0625rem]">{text}</p>
        </div>
        <div className="flex flex-wrap gap-3">
          <Link to="/Upload" className={buttonClass('primary', 'min-h-11 px-5 text-base')}>
            {t.end.try}
          </Link>
          {!signedIn && (
            <Link
              to="/login"
              search={{ mode: 'signup' }}
              className={buttonClass('secondary', 'min-h-11 px-5 text-base')}
            >
              {start}
            </Link>
          )}
        </div>
      </div>
    </section>
  )
}
