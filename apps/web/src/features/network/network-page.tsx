import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { formatHour, formatNumber, formatSize } from '../../lib/format.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Eyebrow, Section } from '../../ui/page.tsx'
import { type MapArc, WorldMap } from '../../ui/world-map.tsx'
import { usePageTitle } from '../shell/page-title.tsx'
import { AreasSection } from './areas-section.tsx'
import { listen } from './live.ts'
import { NodesSection } from './nodes-section.tsx'
import { pointOf } from './points.ts'
import { t } from './texts.ts'
import { TransfersSection } from './transfers-section.tsx'
import type { ExplorerTransfer } from './types.ts'

const REFRESH_MS = 15_000
/** Of what happened while one looked. */
const KEPT = 30

/** The network as it is now, with everything that it counts. */
export function NetworkPage() {
  usePageTitle()
  const figures = useQuery({ ...query('explorer.figures', {}), refetchInterval: REFRESH_MS })
  const map = useQuery({ ...query('network.map', {}), refetchInterval: REFRESH_MS })
  const areas = useQuery({ ...query('explorer.areas', {}), refetchInterval: REFRESH_MS })
  const [live, setLive] = useState(false)
  const [online, setOnline] = useState<number>()
  const [fresh, setFresh] = useState<ExplorerTransfer[]>([])

  useEffect(
    () =>
      listen({
        onState: setLive,
        onOnline: setOnline,
        onTransfer: (transfer) => setFresh((list) => [transfer, ...list].slice(0, KEPT)),
      }),
    [],
  )

  const arcs = fresh.flatMap(({ id, kind, from, to }): MapArc[] => {
    const [begin, end] = [from ?? to, to ?? from]
    return begin && end ? [{ id, kind, from: begin, to: end }] : []
  })
  const f = figures.data
  return (
    <>
      <div className="mx-auto max-w-6xl px-5 pt-12 sm:px-8 sm:pt-16">
        <Eyebrow>{t.eyebrow}</Eyebrow>
        <h1 className="text-[2.125rem] leading-tight font-semibold tracking-tight sm:text-[2.875rem]">{t.title}</h1>
        <p className="mt-4 max-w-3xl text-lg leading-8 text-muted">{t.intro}</p>
        <div className="relative mt-8">
          <p className="absolute top-0 right-0 z-10 flex items-center gap-2 text-sm text-muted" role="status">
            <span aria-hidden className={live ? 'size-2 rounded-full bg-signal' : 'size-2 rounded-full bg-control'} />
            {live ? t.live : t.paused}
          </p>
          <WorldMap points={map.data?.list.map(pointOf) ?? []} arcs={arcs} label={t.mapLabel} listedIn="nodes" />
        </div>
        <dl className="mt-8 grid grid-cols-2 gap-px overflow-hidden rounded-2xl border border-line bg-line lg:grid-cols-3">
          <Figure
            name={t.figures.online}
            value={f && formatNumber(online ?? f.online_devices)}
            note={f && t.figures.ofNodes(formatNumber(f.registered_nodes))}
          />
          <Figure
            name={t.figures.countries}
            value={f && formatNumber(f.countries)}
            note={f && t.figures.ips(formatNumber(f.unique_ips))}
          />
          <Figure
            name={t.figures.space}
            value={f && formatSize(f.storage_space)}
            note={f && t.figures.used(formatSize(f.storage_used))}
          />
          <Figure
            name={t.figures.copies}
            value={f && formatNumber(f.replicas)}
            note={f && t.figures.stored(formatSize(f.bytes_stored))}
          />
          <Figure
            name={t.figures.moved}
            value={f && formatSize(f.bytes_transferred_24h)}
            note={f && t.figures.transfers(formatNumber(f.transfers_24h))}
          />
          <Figure
            name={t.figures.audits}
            value={f && formatNumber(f.audits_24h)}
            note={f && t.figures.failed(formatNumber(f.audits_failed_24h))}
          />
        </dl>
        <p className="mt-2 text-sm text-muted">
          {figures.isError ? t.failedLoad : f ? t.measured(formatHour(f.measured_at)) : ' '}
        </p>
      </div>
      <Section id="nodes" title={t.nodes} intro={t.nodesIntro}>
        <NodesSection areas={areas.data?.list.map(({ area }) => area) ?? []} />
      </Section>
      <Section id="areas" title={t.areas} intro={t.areasIntro} sunken>
        <AreasSection areas={areas.data?.list ?? []} />
      </Section>
      <Section id="transfers" title={t.transfers} intro={t.transfersIntro}>
        <TransfersSection fresh={fresh} />
      </Section>
      <Section sunken>
        <div className="grid gap-10 lg:grid-cols-2">
          <Onward title={t.how} text={t.howText}>
            <Link to="/learndetail" search={{ slug: 'replicas-audits-repair' }} className={buttonClass()}>
              {t.howLink}
            </Link>
          </Onward>
          <Onward title={t.join} text={t.joinText}>
            <Link to="/download" className={buttonClass('primary')}>
              {t.joinLink}
            </Link>
          </Onward>
        </div>
      </Section>
    </>
  )
}

function Figure({ name, value, note }: { name: string; value: string | undefined; note: string | undefined }) {
  return (
    <div className="flex flex-col bg-surface px-5 py-4">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-1 font-mono text-2xl tracking-tight tabular-nums">{value ?? '–'}</dd>
      <dd className="text-sm text-muted">{note ?? ' '}</dd>
    </div>
  )
}

function Onward({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-3">
      <h2 className="text-xl font-semibold">{title}</h2>
      <p className="text-muted">{text}</p>
      {children}
    </div>
  )
}
