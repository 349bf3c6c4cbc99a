import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { useEffect } from 'react'
import { formatNumber, formatSize } from '../../lib/format.ts'
import { useSession } from '../../lib/session-store.ts'
import { t as shell } from '../../lib/texts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Eyebrow } from '../../ui/page.tsx'
import { usePolled } from '../network/use-polled.ts'
import { stateOf } from '../products/states.ts'
import { serviceDrawings } from './service-drawings.tsx'
import { ServiceState } from './service-state.tsx'
import { t } from './services-texts.ts'

const REFRESH_MS = 30_000
const nothing = {}

/** The home page of the services host: services for rent, and sign-in. */
export function ServicesHome() {
  useEffect(() => {
    document.title = shell.titles.home
  }, [])
  const signedIn = useSession((session) => session.address !== '')
  const figures = usePolled('explorer.figures', nothing, REFRESH_MS).data
  const services = usePolled('portal.services', nothing, REFRESH_MS)
  return (
    <div className="mx-auto max-w-6xl px-5 py-12 sm:px-8 sm:py-20">
      <Eyebrow>{t.eyebrow}</Eyebrow>
      <h1 className="max-w-3xl text-[2.375rem] leading-[1.1] font-semibold tracking-tight sm:text-[3.25rem]">
        {t.title}
      </h1>
      <p className="mt-5 max-w-2xl text-base leading-7 text-muted sm:text-lg sm:leading-8">{t.intro}</p>
      <div className="mt-8 flex flex-wrap gap-3">
        {signedIn ? (
          <Link to="/dashboard" className={buttonClass('primary', 'min-h-11 px-5 text-base')}>
            {t.console}
          </Link>
        ) : (
          <>
            <Link to="/login" search={{ mode: 'signup' }} className={buttonClass('primary', 'min-h-11 px-5 text-base')}>
              {t.signUp}
            </Link>
            <Link to="/login" className={buttonClass('secondary', 'min-h-11 px-5 text-base')}>
              {t.signIn}
            </Link>
          </>
        )}
      </div>
      <p className="mt-4 text-sm text-muted">{t.plan}</p>

      <h2 className="sr-only">{t.list}</h2>
      <ul className="mt-14 grid gap-px overflow-hidden rounded-2xl border border-line bg-line sm:mt-20 md:grid-cols-2">
        {t.services.map((service, index) => {
          const { state } = stateOf(services.data, services.failed, service.name)
          return (
            <li key={service.to} className="flex bg-surface">
              <Link
                to={service.to}
                className="group flex flex-1 flex-col p-6 hover:bg-sunken/60 focus-visible:-outline-offset-2 sm:p-8"
              >
                <span aria-hidden className="mb-6 block h-24 text-accent">
                  {serviceDrawings[index]}
                </span>
                <span className="flex items-baseline justify-between gap-4">
                  <h3 className="text-xl font-semibold group-hover:underline">{service.title}</h3>
                  <ServiceState state={state} />
                </span>
                <span className="mt-2 mb-5 text-muted">{service.text}</span>
                <span className="mt-auto inline-flex items-center gap-1.5 text-sm font-medium text-accent">
                  {state === 'request' || state === 'planned' ? t.ask : t.open}
                  <ArrowRight aria-hidden className="size-4" />
                </span>
              </Link>
            </li>
          )
        })}
      </ul>

      <p className="mt-8 text-muted">
        {figures
          ? t.runs(
              formatNumber(figures.online_devices),
              formatNumber(figures.countries),
              formatSize(figures.storage_space),
            )
          : t.runsOn}{' '}
        <Link to="/storagenetwork" className="text-accent underline underline-offset-4">
          {t.see}
        </Link>
      </p>
    </div>
  )
}
