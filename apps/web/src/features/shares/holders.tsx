import type { MapPoint } from '@tidenet/contract'
import { shorten } from '../../lib/format.ts'
import { classes } from '../../ui/classes.ts'
import { LoadFailed } from '../../ui/states.tsx'
import { countryOf } from './senders.ts'
import { t } from './texts.ts'

/** The nodes that hold a file: on the map, and as a list that says the same. */
export function Holders({
  points,
  error,
  onRetry,
}: {
  points: readonly MapPoint[] | undefined
  error?: unknown
  onRetry?: () => void
}) {
  if (error && onRetry) return <LoadFailed title={t.holders.failed} error={error} onRetry={onRetry} />
  const areas = new Set(points?.map(({ area_id }) => countryOf(area_id)))
  return (
    <section aria-labelledby="holders">
      <h2 id="holders" className="text-lg font-semibold">
        {t.holders.title}
      </h2>
      <p className="mt-1 text-muted">{points ? t.holders.intro(points.length, areas.size) : ' '}</p>
      {points && points.length > 0 && <HolderList points={points} />}
    </section>
  )
}

const dots = { online: 'bg-good', offline: 'bg-control', abnormal: 'bg-warn' } as const

function HolderList({ points }: { points: readonly MapPoint[] }) {
  return (
    <ul className="mt-3 grid gap-x-8 sm:grid-cols-2 lg:grid-cols-3">
      {points.map(({ node_id, area_id, nodeType, status }) => (
        <li
          key={node_id}
          className={classes(
            'flex items-center gap-3 border-t border-line py-2.5 text-sm',
            status === 'offline' && 'text-muted',
          )}
        >
          <span aria-hidden className={classes('size-2 shrink-0 rounded-full', dots[status])} />
          <span className="min-w-0 flex-1">
            <span className="block truncate">{countryOf(area_id)}</span>
            <span className="block text-xs text-muted">{t.theatre.nodeKind[nodeType]}</span>
          </span>
          <span className="text-right">
            <span className="block font-mono text-xs" title={node_id}>
              {shorten(node_id, 8, 4)}
            </span>
            <span className="block text-xs text-muted">{t.holders.status[status]}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
