import { type KeyboardEvent, lazy, Suspense, useEffect, useId, useMemo, useRef, useState } from 'react'
import { classes } from './classes.ts'
import './world-map.css'
import { type Group, groupPoints } from './world-map-groups.ts'
import land from './world-map-land.svg'
import { GroupMark, markLabel } from './world-map-marks.tsx'
import { greatCircle, MAP, project } from './world-map-projection.ts'
import { t } from './world-map-texts.ts'
import type { MapArc, MapPoint } from './world-map-types.ts'

interface WorldMapProps {
  points: readonly MapPoint[]
  arcs?: readonly MapArc[]
  /** Accessible name of the map and its list. */
  label: string
  /** Called when a point is pressed; without it, pressing pins the panel. */
  onSelect?: (id: string) => void
  selected?: string | undefined
  /** Any CSS length; by default, the height follows the width. */
  height?: string
  /** Id of a list or table on the page that contains the points; then the map renders no hidden list. */
  listedIn?: string
  className?: string
}

// Loaded when the first panel opens.
const MapPanel = lazy(async () => ({ default: (await import('./world-map-panel.tsx')).MapPanel }))

/** Assumed width in pixels, until the map has been measured. */
const INITIAL_WIDTH = 800

/**
 * A world map with nodes and transfers. Points that would overlap are fanned out or shown as a number. Arrow keys move between
 * points; screen readers get a list.
 */
export function WorldMap(props: WorldMapProps) {
  const { points, arcs = [], label, onSelect, selected, height, listedIn, className } = props
  const frame = useRef<HTMLElement>(null)
  const unit = useUnit(frame)
  const groups = useMemo(() => groupPoints(points, unit), [points, unit])
  // The hovered or focused point, and the one pinned by a press.
  const [hovered, setHovered] = useState<string>()
  const [pinned, setPinned] = useState<string>()
  const [stop, setStop] = useState<string>()
  const hint = useId()

  const open = find(groups, pinned ?? hovered)
  const stops = groups.flatMap(stopsOf)
  const current = stop && stops.includes(stop) ? stop : stops[0]

  const moveFocus = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      setPinned(undefined)
      setHovered(undefined)
      return
    }
    const step = /Arrow(Right|Down)/.test(event.key) ? 1 : /Arrow(Left|Up)/.test(event.key) ? -1 : 0
    if (step === 0 || stops.length === 0) return
    event.preventDefault()
    const next = stops[(stops.indexOf(current ?? '') + step + stops.length) % stops.length]!
    setPinned(undefined)
    setStop(next)
    frame.current?.querySelector<SVGGElement>(`[data-stop="${CSS.escape(next)}"]`)?.focus()
  }
  const press = (id: string) => {
    setStop(id)
    const single = find(groups, id)?.points.length === 1
    if (onSelect && single) onSelect(id)
    else setPinned((before) => (before === id ? undefined : id))
  }

  return (
    <figure ref={frame} className={classes('relative', className)}>
      {/* biome-ignore lint/a11y/useSemanticElements: an SVG cannot be a fieldset */}
      <svg
        ref={(svg) => {
          if (svg && height) svg.style.height = height
        }}
        role="group"
        aria-label={label}
        viewBox={`0 0 ${MAP.width} ${MAP.height}`}
        className="block h-auto w-full"
        onKeyDown={moveFocus}
      >
        <g>
          <use href={`${land}#sea`} className="fill-sea" />
          <use href={`${land}#net`} className="fill-none stroke-line" strokeWidth={0.75 * unit} />
          <use
            href={`${land}#land`}
            className="fill-land stroke-coast"
            strokeWidth={0.75 * unit}
            strokeLinejoin="round"
          />
          {arcs.map((arc) => (
            <Arc key={arc.id} arc={arc} unit={unit} />
          ))}
        </g>
        {groups.map((group) => (
          <GroupMark
            key={group.id}
            group={group}
            unit={unit}
            current={current}
            selected={selected}
            open={pinned ?? hovered}
            hint={hint}
            onShow={setHovered}
            onPress={press}
          />
        ))}
      </svg>
      {open && (
        <Suspense>
          <MapPanel
            {...open}
            frame={frame}
            pinned={pinned !== undefined}
            onSelect={onSelect}
            onClose={() => {
              setPinned(undefined)
              setHovered(undefined)
            }}
          />
        </Suspense>
      )}
      <p id={hint} hidden>
        {t.hint}
      </p>
      {!listedIn && (
        <ul className="sr-only" aria-label={label}>
          {points.map((point) => (
            <li key={point.id}>{markLabel(point)}</li>
          ))}
        </ul>
      )}
    </figure>
  )
}

/** Keyboard stops of a group: each point, or the numbered mark. */
const stopsOf = (group: Group<MapPoint>): string[] => (group.fan > 0 ? group.points.map(({ id }) => id) : [group.id])

function find(groups: readonly Group<MapPoint>[], id: string | undefined) {
  for (const group of groups) {
    const point = group.points.find((each) => each.id === id)
    if (point) return { group, points: group.fan > 0 ? [point] : group.points }
  }
}

/** Map units per screen pixel; follows the size of the map. */
function useUnit(frame: React.RefObject<HTMLElement | null>): number {
  const [unit, setUnit] = useState(MAP.width / INITIAL_WIDTH)
  useEffect(() => {
    const svg = frame.current?.querySelector('svg')
    if (!svg) return
    const measure = () => {
      const { width, height } = svg.getBoundingClientRect()
      // Rounded to tenths, so that the marks are not laid out for every pixel while the window is resized.
      if (width > 0) setUnit(Math.round(Math.max(MAP.width / width, MAP.height / height) * 10) / 10)
    }
    const observer = new ResizeObserver(measure)
    observer.observe(svg)
    return () => observer.disconnect()
  }, [frame])
  return unit
}

function Arc({ arc: { from, to, kind, still = false }, unit }: { arc: MapArc; unit: number }) {
  const end = project(to)
  const start = project(from)
  const moves = Math.hypot(start.x - end.x, start.y - end.y) > 4 * unit
  // Computed once per arc, because it is expensive.
  const path = useMemo(() => (moves ? greatCircle(from, to) : ''), [from, to, moves])
  return (
    <g className="fill-none stroke-signal">
      {moves && (
        <path
          d={path}
          className="map-trail"
          strokeWidth={unit}
          strokeOpacity={still ? 0.3 : 0.5}
          strokeDasharray={kind === 'replica' ? `${2 * unit} ${3 * unit}` : undefined}
        />
      )}
      {!still && (
        <>
          {moves && (
            <path d={path} pathLength="1" className="map-travel" strokeWidth={2.5 * unit} strokeLinecap="round" />
          )}
          <circle cx={end.x} cy={end.y} r={20 * unit} className="map-arrive" strokeWidth={1.5 * unit} />
          <circle cx={end.x} cy={end.y} r={10 * unit} className="map-trail" strokeWidth={unit} strokeOpacity="0.7" />
        </>
      )}
    </g>
  )
}
