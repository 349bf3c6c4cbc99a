import type { MapPoint } from '@tidenet/contract'
import { lazy, Suspense, useId, useMemo, useRef } from 'react'
import { countryOf } from '../../lib/areas.ts'
import { shorten } from '../../lib/phrases.ts'
import { classes } from '../../ui/classes.ts'
import { LoadFailed } from '../../ui/states.tsx'
import { WhenVisible } from '../../ui/when-visible.tsx'
import type { MapArc, MapPoint as Point } from '../../ui/world-map-types.ts'
import { nodePlace } from './node-labels.ts'
import { t } from './texts.ts'

const WorldMap = lazy(async () => ({ default: (await import('../../ui/world-map.tsx')).WorldMap }))

/** The nodes with copies of a file, on a map and as a list. New copies are animated. */
export function Holders({
  points,
  error,
  onRetry,
}: {
  points: readonly MapPoint[] | undefined
  error?: unknown
  onRetry?: () => void
}) {
  const list = useId()
  const arcs = useArrivals(points)
  const shown = useMemo(() => (points ?? []).map(pointOf), [points])
  if (error && onRetry) return <LoadFailed title={t.holders.failed} error={error} onRetry={onRetry} />
  const areas = new Set(points?.map(({ area_id }) => countryOf(area_id)))
  return (
    <section aria-labelledby={`${list}-title`}>
      <h2 id={`${list}-title`} className="text-lg font-semibold">
        {t.holders.title}
      </h2>
      <p className="mt-1 text-muted">{points ? t.holders.intro(points.length, areas.size) : ' '}</p>
      {/* Reserves the height of the map to avoid layout shift. */}
      <WhenVisible className="mt-4 aspect-2000/869 overflow-hidden rounded-2xl border border-line bg-sea">
        {points && (
          <Suspense>
            <WorldMap points={shown} arcs={arcs} label={t.holders.mapLabel} listedIn={list} />
          </Suspense>
        )}
      </WhenVisible>
      {points && <HolderList id={list} points={points} />}
    </section>
  )
}

const pointOf = ({ node_id, nodeType, status, area_id, value: [lat, lng] }: MapPoint): Point => ({
  id: node_id,
  kind: (nodeType === 1 || nodeType === 2 ? nodeType : 3) satisfies Point['kind'],
  status,
  lat,
  lng,
  title: shorten(node_id, 8, 4),
  detail: nodePlace({ area_id, nodeType }),
})

/** Arcs for replicas that appeared after the page was opened, from the first node that had one. */
function useArrivals(points: readonly MapPoint[] | undefined): readonly MapArc[] {
  const seen = useRef<Map<string, MapArc | undefined>>(undefined)
  return useMemo(() => {
    if (!points) return []
    const first = points[0]
    const before = seen.current
    const known = new Map(before)
    for (const point of points) {
      if (known.has(point.node_id)) continue
      const from = before && [...points].find(({ node_id }) => before.has(node_id))
      known.set(
        point.node_id,
        from && first ? { id: point.node_id, from: placeIn(from), to: placeIn(point), kind: 'replica' } : undefined,
      )
    }
    seen.current = known
    return [...known.values()].filter((arc) => arc !== undefined)
  }, [points])
}

const placeIn = ({ value: [lat, lng] }: MapPoint) => ({ lat, lng })

const dots = { online: 'bg-good', offline: 'bg-control', abnormal: 'bg-warn' } as const

function HolderList({ id, points }: { id: string; points: readonly MapPoint[] }) {
  return (
    <ul id={id} className="mt-3 grid gap-x-8 sm:grid-cols-2 lg:grid-cols-3">
      {points.map(({ node_id, area_id, nodeType, status }) => (
        <li
          key={node_id}
          className={classes(
            'flex items-center gap-3 border-b border-line py-2.5 text-sm',
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
