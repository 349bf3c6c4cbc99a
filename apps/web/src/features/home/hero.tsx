import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { useMemo } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useSession } from '../../lib/session-store.ts'
import { buttonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { WorldMap } from '../../ui/world-map.tsx'
import { MapLegend } from '../../ui/world-map-legend.tsx'
import { pointOf } from '../network/points.ts'
import { useLive } from '../network/use-live.ts'
import { usePolled } from '../network/use-polled.ts'
import { AnonymousUpload } from './anonymous-upload.tsx'
import { Figures } from './figures.tsx'
import { RecentTransfers } from './recent-transfers.tsx'
import { t } from './texts.ts'

const REFRESH_MS = 15_000
const nothing = {}

/** Introduction, anonymous upload and the live map. */
export function Hero() {
  const navigate = useNavigate()
  const live = useLive()
  // Reload at once when a node comes online or goes offline.
  const nodes = usePolled('network.map', nothing, REFRESH_MS, live.online)
  const figures = usePolled('explorer.figures', nothing, REFRESH_MS, live.online)
  const points = useMemo(() => nodes.data?.list.map(pointOf) ?? [], [nodes.data])
  const online = live.online ?? figures.data?.online_devices
  return (
    <>
      <div className="overflow-x-clip border-b border-line">
        <div className="mx-auto max-w-6xl px-5 pt-10 pb-8 sm:px-8 sm:pt-14 lg:pb-10">
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-14 gap-y-8 lg:grid-cols-[1fr_25rem]">
            <Introduction />
            <div className="order-last lg:order-none">
              <AnonymousUpload />
            </div>
            <div className="relative -mx-5 sm:mx-0 lg:col-span-2 lg:mt-2">
              <p
                className="mx-5 mb-2 flex items-center gap-2 text-sm sm:mx-0 sm:mb-0 lg:absolute lg:top-0 lg:left-0"
                title={nodes.failed ? t.map.failed : undefined}
              >
                <span
                  aria-hidden
                  className={classes('size-2 rounded-full', live.open ? 'bg-signal' : 'border border-control')}
                />
                <span className={live.open ? 'font-medium text-signal' : 'text-muted'}>
                  {live.open ? t.map.live : t.map.waiting}
                </span>
                {online !== undefined && (
                  <span className="text-muted tabular-nums">{t.map.online(formatNumber(online))}</span>
                )}
              </p>
              <WorldMap
                points={points}
                arcs={live.arcs}
                label={t.map.label}
                onSelect={(node) => void navigate({ to: '/storagenetwork', search: { node } })}
              />
              <div className="mx-5 mt-4 flex flex-wrap items-end justify-between gap-x-8 gap-y-5 sm:mx-0 lg:absolute lg:right-0 lg:bottom-0 lg:left-0 lg:mt-0">
                <RecentTransfers transfers={live.transfers} fresh={live.fresh} />
                <MapLegend className="lg:justify-end" />
              </div>
            </div>
          </div>
        </div>
      </div>
      <Figures figures={figures} online={online} />
    </>
  )
}

function Introduction() {
  const signedIn = useSession((session) => session.address !== '')
  return (
    <div className="max-w-2xl">
      <h1 className="text-[2.375rem] leading-[1.1] font-semibold tracking-tight sm:text-[3.25rem]">{t.title}</h1>
      <p className="mt-5 text-base leading-7 text-muted sm:text-lg sm:leading-8">{t.intro}</p>
      <div className="mt-7 flex flex-wrap items-center gap-3">
        {signedIn ? (
          <Link to="/dashboard" className={buttonClass('primary', 'min-h-11 px-5 text-base')}>
            {t.console}
          </Link>
        ) : (
          <Link to="/login" search={{ mode: 'signup' }} className={buttonClass('primary', 'min-h-11 px-5 text-base')}>
            {t.start}
          </Link>
        )}
        <Link to="/storagenetwork" className={buttonClass('secondary', 'min-h-11 px-5 text-base')}>
          {t.explore}
          <ArrowRight aria-hidden className="size-4" />
        </Link>
      </div>
      <p className="mt-4 text-sm text-muted">{t.plan}</p>
    </div>
  )
}
