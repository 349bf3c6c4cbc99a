import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { REPLICA_TARGET } from '@tidenet/contract/constants'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useMemo } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { t as shell } from '../../lib/texts.ts'
import { buttonClass, IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Eyebrow, Section } from '../../ui/page.tsx'
import { WorldMap } from '../../ui/world-map.tsx'
import { MapLegend } from '../../ui/world-map-legend.tsx'
import { AreasSection } from './areas-section.tsx'
import { FiguresGrid } from './figures-grid.tsx'
import { NodeDetails } from './node-details.tsx'
import { NodesSection } from './nodes-section.tsx'
import { pointOf } from './points.ts'
import { t } from './texts.ts'
import { TransfersSection } from './transfers-section.tsx'
import { useLive } from './use-live.ts'

const REFRESH_MS = 15_000

/** The network explorer: map, figures, nodes, areas and transfers, updated live. */
export function NetworkPage() {
  usePageTitle()
  const { node: chosen } = useSearch({ from: '/site/storagenetwork' })
  const navigate = useNavigate()
  const live = useLive()
  const figures = useQuery({ ...query('explorer.figures', {}), refetchInterval: REFRESH_MS })
  const map = useQuery({ ...query('network.map', {}), refetchInterval: REFRESH_MS })
  const areas = useQuery({ ...query('explorer.areas', {}), refetchInterval: REFRESH_MS })
  const points = useMemo(() => map.data?.list.map(pointOf) ?? [], [map.data])

  // Reload at once when a node goes online or offline.
  useEffect(() => {
    if (live.online !== undefined) refresh('network.map', 'explorer.figures', 'explorer.areas', 'explorer.nodes')
  }, [live.online])

  const choose = (node: string | undefined) =>
    void navigate({ to: '/storagenetwork', search: { node }, replace: true, resetScroll: false })
  return (
    <>
      <div className="mx-auto max-w-6xl px-5 pt-12 pb-4 sm:px-8 sm:pt-16">
        <Eyebrow>{t.eyebrow}</Eyebrow>
        <h1 className="text-[2.125rem] leading-[1.12] font-semibold tracking-tight sm:text-[2.875rem]">{t.title}</h1>
        <p className="mt-5 max-w-3xl text-base leading-7 text-muted sm:text-lg sm:leading-8">{t.intro}</p>
        <div className="relative -mx-5 mt-9 sm:mx-0">
          <LiveState open={live.open} online={live.online} />
          <WorldMap
            points={points}
            arcs={live.arcs}
            label={t.mapLabel}
            listedIn="nodes"
            selected={chosen}
            onSelect={choose}
          />
          <MapLegend className="mx-5 mt-4 sm:mx-0 lg:absolute lg:right-0 lg:bottom-0" />
        </div>
        {chosen && (
          <section
            aria-label={t.chosen}
            className="relative mt-8 rounded-2xl border border-accent bg-surface p-5 sm:p-7"
          >
            <NodeDetails key={chosen} id={chosen} titled />
            <IconButton label={shell.words.close} className="absolute top-3 right-3" onClick={() => choose(undefined)}>
              <X aria-hidden className="size-5" />
            </IconButton>
          </section>
        )}
        <FiguresGrid figures={figures} online={live.online} />
      </div>
      <Section id="nodes" title={t.nodes} intro={t.nodesIntro}>
        <NodesSection areas={areas.data?.list.map(({ area }) => area) ?? []} />
      </Section>
      <Section id="areas" title={t.areas} intro={t.areasIntro} sunken>
        <AreasSection areas={areas} />
      </Section>
      <Section id="transfers" title={t.transfers} intro={t.transfersIntro}>
        <TransfersSection live={live} />
      </Section>
      <Section sunken>
        <div className="grid gap-12 lg:grid-cols-3 lg:gap-16">
          <NextStep title={t.how} text={t.howText(REPLICA_TARGET)}>
            <Link to="/learndetail" search={{ slug: 'replicas-audits-repair' }} className={buttonClass()}>
              {t.howLink}
            </Link>
          </NextStep>
          <NextStep title={t.chain} text={t.chainText}>
            <Link to="/chain" className={buttonClass()}>
              {t.chainLink}
            </Link>
          </NextStep>
          <NextStep title={t.join} text={t.joinText}>
            <Link to="/download" className={buttonClass('primary')}>
              {t.joinLink}
            </Link>
          </NextStep>
        </div>
      </Section>
    </>
  )
}

/** Whether the page is live, and the number of online nodes. */
function LiveState({ open, online }: { open: boolean; online: number | undefined }) {
  return (
    <p className="mx-5 mb-2 flex items-center gap-2 text-sm sm:mx-0 sm:mb-0 lg:absolute lg:top-0 lg:left-0">
      <span aria-hidden className={classes('size-2 rounded-full', open ? 'bg-signal' : 'border border-control')} />
      <span className={open ? 'font-medium text-signal' : 'text-muted'}>{open ? t.live : t.paused}</span>
      {online !== undefined && <span className="text-muted tabular-nums">{t.onlineNow(online)}</span>}
    </p>
  )
}

function NextStep({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-3">
      <h2 className="text-xl font-semibold">{title}</h2>
      <p className="mb-1 text-muted">{text}</p>
      {children}
    </div>
  )
}
