import { Link } from '@tanstack/react-router'
import type { Output, RouteOf } from '@tidenet/contract'
import { formatHour, formatNumber, formatSize } from '../../lib/format.ts'
import type { Polled } from '../network/use-polled.ts'
import { t } from './texts.ts'

type Counted = Output<RouteOf<'explorer.figures'>>

/** Figures of the network; each links to its source. */
export function Figures({
  figures: { data, failed },
  online,
}: {
  figures: Polled<Counted>
  online?: number | undefined
}) {
  const f = t.figures
  const cells: [name: string, value: (counted: Counted) => string, note: (counted: Counted) => string, hash: string][] =
    [
      [f.registered, (c) => formatNumber(c.registered_nodes), () => f.sinceBegin, 'nodes'],
      [f.online, (c) => formatNumber(online ?? c.online_devices), () => f.now, 'nodes'],
      [f.space, (c) => formatSize(c.storage_space), (c) => f.used(formatSize(c.storage_used)), 'areas'],
      [f.countries, (c) => formatNumber(c.countries), () => f.ofOnline, 'areas'],
      [f.ips, (c) => formatNumber(c.unique_ips), () => f.ofOnline, 'figures'],
      [f.cores, (c) => formatNumber(c.cpu_cores), () => f.ofOnline, 'figures'],
      [f.wallets, (c) => formatNumber(c.active_wallets), () => f.walletsBound, 'figures'],
      [f.moved, (c) => formatSize(c.bytes_transferred_24h), (c) => f.transfers(c.transfers_24h), 'transfers'],
    ]
  return (
    <section aria-labelledby="figures" className="border-b border-line bg-surface">
      <div className="mx-auto max-w-6xl px-5 sm:px-8">
        <h2 id="figures" className="sr-only">
          {f.title}
        </h2>
        <ul className="-mx-5 grid grid-cols-2 sm:grid-cols-4 lg:grid-cols-8">
          {cells.map(([name, value, note, hash]) => (
            <li key={name} className="flex">
              <Link
                to="/storagenetwork"
                hash={hash}
                className="group flex flex-1 flex-col px-5 py-5 hover:bg-sunken focus-visible:-outline-offset-2"
              >
                <span className="font-mono text-2xl tracking-tight tabular-nums">{data ? value(data) : '–'}</span>
                <span className="mt-1 text-sm leading-5 font-medium group-hover:underline">{name}</span>
                <span className="text-sm leading-5 text-muted">{data ? note(data) : ' '}</span>
              </Link>
            </li>
          ))}
        </ul>
        <p className="border-t border-line py-3 text-sm text-muted">
          {failed ? f.failed : data ? f.measured(formatHour(data.measured_at)) : f.loading}
        </p>
      </div>
    </section>
  )
}
