import { classes } from './classes.ts'
import { NodeShape } from './node-mark.tsx'
import { type Group, markPositions } from './world-map-groups.ts'
import { t } from './world-map-texts.ts'
import type { MapPoint } from './world-map-types.ts'

interface GroupMarkProps {
  group: Group<MapPoint>
  unit: number
  /** The point in the tab order (roving tabindex). */
  current: string | undefined
  selected: string | undefined
  /** The point whose panel is open. */
  open: string | undefined
  hint: string
  onShow: (id: string | undefined) => void
  onPress: (id: string) => void
}

/** Accessible name of a point. */
export function markLabel({ title, detail, kind, status, alarm, count }: MapPoint): string {
  if (count !== undefined) return [title, detail].filter(Boolean).join(', ')
  return [title, detail, t.kinds[kind], alarm ?? t.status[status]].filter(Boolean).join(', ')
}

/** The marks of a group: a single one, several fanned out, or one with a number. */
export function GroupMark({ group, ...rest }: GroupMarkProps) {
  const { points, spot, fan, numbered } = group
  if (numbered) return <NumberMark group={group} {...rest} />
  const spots = markPositions(group)
  return (
    <g>
      {fan > 0 && (
        <g className="stroke-control" strokeWidth={rest.unit} strokeOpacity="0.6">
          {spots.map(({ x, y }, index) => (
            <line key={points[index]!.id} x1={spot.x} y1={spot.y} x2={x} y2={y} />
          ))}
        </g>
      )}
      {points.map((point, index) => (
        <Stop key={point.id} id={point.id} label={markLabel(point)} spot={spots[index]!} {...rest}>
          {point.id === rest.selected && <circle r="10" className="fill-none stroke-accent" strokeWidth="2" />}
          <NodeShape kind={point.kind} status={point.status} alarm={point.alarm !== undefined} />
        </Stop>
      ))}
    </g>
  )
}

/** The number of nodes at a place; the ring shows the share that is online. */
function NumberMark({ group, ...rest }: GroupMarkProps) {
  const { points, id, spot } = group
  const online = points.filter(({ status }) => status === 'online').length
  const alarms = points.flatMap(({ alarm }) => alarm ?? [])
  const hasAbnormal = alarms.length > 0 || points.some(({ status }) => status === 'abnormal')
  const areas = [...new Set(points.map(({ detail }) => detail).filter(Boolean))].slice(0, 3)
  const counted = points.some(({ count }) => count !== undefined)
  const number = points.reduce((sum, { count = 1 }) => sum + count, 0)
  const label = counted
    ? points.map(markLabel).join('; ')
    : [t.nodes(points.length), ...areas, t.onlineOf(online, points.length), ...alarms.slice(0, 1)].join(', ')
  const chosen = points.some((point) => point.id === rest.selected)
  const radius = number > 999 ? 21 : number > 99 ? 17 : number > 9 ? 14.5 : 12.5
  return (
    <Stop id={id} label={label} spot={spot} {...rest}>
      <circle r={radius + 2} className="fill-surface" />
      <circle r={radius} className="fill-surface stroke-control/60" strokeWidth="2" />
      <circle
        r={radius}
        pathLength="1"
        strokeDasharray={`${online / points.length} 1`}
        transform="rotate(-90)"
        className="fill-none stroke-accent"
        strokeWidth={chosen ? 4 : 2.5}
      />
      <text
        textAnchor="middle"
        dy="0.36em"
        fontSize="11.5"
        className={classes('font-mono font-medium', online > 0 ? 'fill-text' : 'fill-muted')}
      >
        {number}
      </text>
      {hasAbnormal && (
        <g transform={`translate(${radius * 0.8} ${-radius * 0.8}) scale(0.75)`}>
          <NodeShape kind={1} status="abnormal" alarm={alarms.length > 0} />
        </g>
      )}
    </Stop>
  )
}

interface StopProps extends Omit<GroupMarkProps, 'group'> {
  id: string
  label: string
  spot: { x: number; y: number }
  children: React.ReactNode
}

function Stop({ id, label, spot, unit, current, open, hint, onShow, onPress, children }: StopProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing has no button element
    <g
      role="button"
      tabIndex={id === current ? 0 : -1}
      data-stop={id}
      aria-label={label}
      aria-describedby={hint}
      transform={`translate(${spot.x.toFixed(1)} ${spot.y.toFixed(1)}) scale(${unit})`}
      className="group cursor-pointer outline-none"
      onPointerEnter={() => onShow(id)}
      onPointerLeave={() => onShow(undefined)}
      onFocus={() => onShow(id)}
      onBlur={() => onShow(undefined)}
      onClick={() => onPress(id)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        onPress(id)
      }}
    >
      {/* Touch target and focus ring. */}
      <circle
        r="12"
        className={classes(
          'fill-accent/0 stroke-transparent group-hover:fill-accent/10 group-focus-visible:stroke-accent',
          open === id && 'fill-accent/10',
        )}
        strokeWidth="2"
      />
      {children}
    </g>
  )
}
