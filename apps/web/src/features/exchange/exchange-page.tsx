import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { EXCHANGE_STATES } from '@tidenet/contract/exchange'
import { lazy, Suspense } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { useSession } from '../../lib/session-store.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Hero, Section } from '../../ui/page.tsx'
import { Notice } from '../../ui/states.tsx'
import { Request, StateLine } from '../products/parts.tsx'
import { Exchange } from './exchange.tsx'
import { RateDrawing } from './rate-drawing.tsx'
import { Simulated } from './simulated.tsx'
import { ExchangeStatus } from './status.tsx'
import { t } from './texts.ts'
import { DEFAULT_RATE, useTerms } from './use-terms.ts'

const Records = lazy(() => import('./records.tsx'))
const OrderPanel = lazy(() => import('./order-panel.tsx'))

/** Exchange of TNT4 for credits at the partner. */
export function ExchangePage() {
  usePageTitle()
  const { order } = useSearch({ from: '/site/exchangePnuts' })
  const navigate = useNavigate()
  const signedIn = useSession((session) => session.token !== '')
  const { data: terms } = useTerms()
  const rate = terms ?? DEFAULT_RATE
  /** Not only for a moment. */
  const isMissing = terms !== undefined && (terms.partner === null || terms.token === null)
  return (
    <>
      <Hero
        eyebrow={t.eyebrow}
        title={t.title}
        intro={t.intro}
        actions={
          <>
            <a href="#exchange" className={buttonClass('primary', 'min-h-11 px-5')}>
              {t.begin}
            </a>
            <a href={isMissing ? '#request' : '#records'} className={buttonClass('secondary', 'min-h-11 px-5')}>
              {isMissing ? t.ask : t.toRecords}
            </a>
          </>
        }
        note={<StateLine name="exchange">{t.state}</StateLine>}
      >
        <RateDrawing rate={rate} />
      </Hero>

      <Section id="exchange" title={t.stepsTitle} intro={t.stepsIntro}>
        <div className="mb-8 grid gap-3 empty:hidden">
          {terms?.partner?.simulated && (
            <Notice>
              <Simulated /> {t.simulatedText}
            </Notice>
          )}
          {terms && terms.reason !== '' && (
            <Notice tone="warn" live>
              {terms.reason}
            </Notice>
          )}
        </div>
        <Exchange terms={terms} rate={rate} />
      </Section>

      <Section id="records" sunken title={t.recordsTitle} intro={t.recordsIntro}>
        {signedIn ? (
          <Suspense fallback={<Loading />}>
            <Records />
          </Suspense>
        ) : (
          <Link to="/login" search={{ redirect: '/exchangePnuts' }} className={buttonClass('secondary', 'min-h-11')}>
            {t.records.signIn}
          </Link>
        )}
      </Section>

      <Section title={t.statesTitle}>
        <dl className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
          {EXCHANGE_STATES.map((status) => (
            <div key={status} className="border-t-2 border-line pt-4">
              <dt>
                <ExchangeStatus status={status} />
              </dt>
              <dd className="mt-2 text-sm text-muted">{t.states[status]}</dd>
            </div>
          ))}
        </dl>
      </Section>

      {isMissing && (
        <Request
          kind="exchange"
          title={t.requestTitle}
          intro={t.requestIntro}
          hints={t.hints}
          textLabel={t.textLabel}
        />
      )}
      {signedIn && order && (
        <Suspense>
          <OrderPanel
            key={order}
            id={order}
            onClose={() => void navigate({ to: '/exchangePnuts', search: {}, resetScroll: false })}
          />
        </Suspense>
      )}
    </>
  )
}
