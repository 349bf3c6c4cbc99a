import type { RefObject } from 'react'
import { classes } from './classes.ts'
import { NodeMark } from './node-mark.tsx'
import type { Group } from './world-map-groups.ts'
import { markPositions } from './world-map-groups.ts'
import { MAP } from './world-map-projection.ts'
import { t } from './world-map-texts.ts'
import type { MapPoint } from './world-map-types.ts'

/** Points listed by name; the rest is counted. */
const MAX_LISTED = 7

interface MapPanelProps {
  group: Group<MapPoint>
  /** The points of the group that the panel describes. */
  points: readonly MapPoint[]
  frame: RefObject<HTMLElement | null>
  pinned: boolean
  onSelect: ((id: string) => void) | undefined
  onClose: () => void
}

/** Details of a point or group, beside it. When pinned, its points can be selected. */
export function MapPanel({ group, points, frame, pinned, onSelect, onClose }: MapPanelProps) {
  const spots = markPositions(group)
  const spot = points.length === 1 ? (spots[group.points.indexOf(points[0]!)] ?? group.spot) : group.spot
  const [single] = points.length === 1 ? points : []
  const position = (panel: HTMLDivElement | null) => {
    const svg = frame.current?.querySelector('svg')
    if (panel && svg && frame.current) place(panel, svg, frame.current, spot)
  }
  return (
    <div
      ref={position}
      aria-hidden={pinned && onSelect ? undefined : true}
      className={classes(
        'absolute top-0 left-0 z-20 w-max max-w-72 rounded-xl border border-line bg-surface px-3.5 py-2.5 text-sm shadow-raised',
        !pinned && 'pointer-events-none',
      )}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      {single ? (
        <>
          <p className="flex items-center gap-2 font-medium">
            {single.count === undefined && (
              <NodeMark kind={single.kind} status={single.status} alarm={single.alarm !== undefined} />
            )}
            {single.title}
          </p>
          {single.detail && <p className="text-muted">{single.detail}</p>}
          {single.count === undefined && (
            <p className="text-muted">
              {t.kinds[single.kind]} · {single.alarm ?? t.status[single.status]}
            </p>
          )}
        </>
      ) : (
        <>
          {points[0]?.count === undefined && <p className="font-medium">{t.nodes(points.length)}</p>}
          <ul className="mt-1 flex flex-col">
            {points.slice(0, MAX_LISTED).map((point) => (
              <li key={point.id}>
                <Line point={point} onSelect={pinned ? onSelect : undefined} />
              </li>
            ))}
          </ul>
          {points.length > MAX_LISTED && <p className="mt-1 text-muted">{t.further(points.length - MAX_LISTED)}</p>}
        </>
      )}
    </div>
  )
}

function Line({ point, onSelect }: { point: MapPoint; onSelect: ((id: string) => void) | undefined }) {
  const line = (
    <>
      {point.count === undefined && (
        <NodeMark kind={point.kind} status={point.status} alarm={point.alarm !== undefined} />
      )}
      <span className="truncate">{point.title}</span>
      <span className="ml-auto pl-3 whitespace-nowrap text-muted">
        {point.count === undefined ? (point.alarm ?? t.status[point.status]) : point.detail}
      </span>
    </>
  )
  return onSelect ? (
    <button
      type="button"
      className="-mx-2 flex min-h-7 w-[calc(100%+1rem)] items-center gap-2 rounded-lg px-2 text-left hover:bg-sunken"
      onClick={() => onSelect(point.id)}
    >
      {line}
    </button>
  ) : (
    <span className="flex min-h-7 items-center gap-2">{line}</span>
  )
}

/** Places the panel beside the spot, on the side with more space, within the map's left and right edge. */
function place(panel: HTMLElement, svg: SVGSVGElement, frame: HTMLElement, { x, y }: { x: number; y: number }): void {
  const box = svg.getBoundingClientRect()
  const origin = frame.getBoundingClientRect()
  const scale = Math.min(box.width / MAP.width, box.height / MAP.height)
  const left = box.left - origin.left + (box.width - MAP.width * scale) / 2 + x * scale
  const top = box.top - origin.top + (box.height - MAP.height * scale) / 2 + y * scale
  const { offsetWidth: width, offsetHeight: height } = panel
  const beside = left + 18 + width <= origin.width ? left + 18 : left - 18 - width
  panel.style.left = `${Math.max(0, Math.min(origin.width - width, beside))}px`
  panel.style.top = `${top > height ? top - height / 2 - Math.min(height / 2, 12) : top + 10}px`
}
