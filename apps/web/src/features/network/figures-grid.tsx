import type { Output, RouteOf } from '@tidenet/contract'
import { formatHour, formatNumber, formatPercent, formatSize } from '../../lib/format.ts'
import { t } from './texts.ts'

type NetworkFigures = Output<RouteOf<'explorer.figures'>>

/** Network-wide figures, with the time of measurement. */
export function FiguresGrid({
  figures: { data, isError },
  online,
}: {
  figures: { data: NetworkFigures | undefined; isError: boolean }
  online: number | undefined
}) {
  const f = t.figures
  const cells: [name: string, value: (figures: NetworkFigures) => string, note: (figures: NetworkFigures) => string][] =
    [
      [f.online, (c) => formatNumber(online ?? c.online_devices), (c) => f.ofNodes(formatNumber(c.registered_nodes))],
      [f.countries, (c) => formatNumber(c.countries), () => f.withNodes],
      [f.addresses, (c) => formatNumber(c.unique_ips), () => f.ofOnline],
      [f.cores, (c) => formatNumber(c.cpu_cores), () => f.ofOnline],
      [
        f.space,
        (c) => formatSize(c.storage_space),
        (c) => f.used(formatSize(c.storage_used), formatPercent(c.storage_used, c.storage_space, 2)),
      ],
      [f.copies, (c) => formatNumber(c.replicas), (c) => f.stored(formatSize(c.bytes_stored))],
      [f.moved, (c) => formatSize(c.bytes_transferred_24h), (c) => f.transfers(c.transfers_24h)],
      [f.wallets, (c) => formatNumber(c.active_wallets), () => f.walletsBound],
      [f.audits, (c) => formatNumber(c.audits_24h), (c) => f.failed(formatNumber(c.audits_failed_24h))],
    ]
  return (
    <section id="figures" aria-labelledby="figures-title" className="mt-10 scroll-mt-20">
      <h2 id="figures-title" className="sr-only">
        {f.title}
      </h2>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-2xl border border-line bg-line md:grid-cols-3">
        {cells.map(([name, value, note]) => (
          <div key={name} className="flex flex-col bg-surface px-4 py-4 last:max-md:col-span-2 sm:px-5">
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="mt-1 font-mono text-2xl tracking-tight tabular-nums">{data ? value(data) : '–'}</dd>
            <dd className="text-sm text-muted">{data ? note(data) : ' '}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-sm text-muted">
        {isError ? t.failedLoad : data ? t.measured(formatHour(data.measured_at)) : ' '}
      </p>
    </section>
  )
}
