import { Link } from '@tanstack/react-router'
import { areaName } from '../../lib/areas.ts'
import { formatDateTime, formatSize } from '../../lib/format.ts'
import { classes } from '../../ui/classes.ts'
import type { ExplorerTransfer } from '../network/types.ts'
import { t } from './texts.ts'

const MAX_LISTED = 4

/** The latest transfers of the map as text. */
export function RecentTransfers({
  transfers,
  fresh,
}: {
  transfers: readonly ExplorerTransfer[]
  fresh: ReadonlySet<number>
}) {
  const m = t.moves
  return (
    <section
      aria-labelledby="moves"
      className="w-full rounded-xl border border-line bg-surface/90 px-4 py-3 text-sm sm:w-92"
    >
      <div className="flex items-baseline justify-between gap-3">
        <h2 id="moves" className="font-medium">
          {m.title}
        </h2>
        <Link to="/storagenetwork" hash="transfers" className="text-accent hover:underline">
          {m.all}
        </Link>
      </div>
      {transfers.length === 0 ? (
        <p className="mt-1 text-muted">{m.none}</p>
      ) : (
        <ol className="mt-1">
          {transfers.slice(0, MAX_LISTED).map((transfer) => (
            <li
              key={transfer.id}
              title={formatDateTime(transfer.at)}
              className="flex animate-rise items-baseline gap-2 py-0.5"
            >
              <span
                aria-hidden
                className={classes(
                  'size-1.5 shrink-0 self-center rounded-full',
                  fresh.has(transfer.id) ? 'bg-signal' : 'bg-control/60',
                )}
              />
              <span className="min-w-0 flex-1 truncate">
                {m.kind[transfer.kind]} <span className="text-muted">{routeOf(transfer)}</span>
              </span>
              <span className="font-mono text-xs whitespace-nowrap text-muted tabular-nums">
                {formatSize(transfer.size)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function routeOf({ from, to }: ExplorerTransfer): string {
  const [begin, end] = [from, to].map((place) => (place ? areaName(place.area) : t.moves.someone))
  return from && to && begin === end ? t.moves.within(begin ?? '') : t.moves.way(begin ?? '', end ?? '')
}
