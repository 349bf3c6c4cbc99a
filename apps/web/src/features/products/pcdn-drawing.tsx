import { t } from './pcdn-texts.ts'

/** Regions: a node in the centre, and the angles of its visitors. */
const regions = [
  { x: 226, y: 86, visitors: [200, 245, 290, 335, 20, 65] },
  { x: 392, y: 176, visitors: [260, 300, 340, 20, 60, 100, 140] },
  { x: 238, y: 276, visitors: [330, 10, 50, 90, 130] },
] as const

const RADIUS = 66

/** One long transfer to each region, many short ones within. */
export function PcdnDrawing() {
  return (
    <svg viewBox="0 0 480 372" role="img" aria-label={t.drawing} className="h-auto w-full max-w-136">
      {regions.map(({ x, y }) => (
        <circle key={x} cx={x} cy={y} r={RADIUS + 14} strokeWidth="1.25" className="fill-sea stroke-line" />
      ))}
      {regions.map(({ x, y }) => (
        <path
          key={x}
          d={`M62 182C${(62 + x) / 2} 182 ${(62 + x) / 2} ${y} ${x - 15} ${y}`}
          fill="none"
          strokeWidth="1.5"
          className="stroke-accent"
        />
      ))}
      {/* The path that is not used. */}
      <path
        d="M62 196C150 214 290 246 419 231"
        fill="none"
        strokeWidth="1.5"
        strokeDasharray="2 6"
        strokeLinecap="round"
        className="stroke-control"
        opacity="0.7"
      />
      {regions.map(({ x, y, visitors }) => (
        <g key={x}>
          {visitors.map((angle) => {
            const [dx, dy] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)]
            const at = (distance: number) => `${(x + dx * distance).toFixed(1)} ${(y + dy * distance).toFixed(1)}`
            return (
              <g key={angle}>
                <path d={`M${at(16)}L${at(RADIUS - 7)}`} strokeWidth="1.5" className="stroke-signal" />
                <circle
                  cx={(x + dx * RADIUS).toFixed(1)}
                  cy={(y + dy * RADIUS).toFixed(1)}
                  r="6"
                  strokeWidth="1.5"
                  className="fill-surface stroke-control"
                />
              </g>
            )
          })}
          <rect
            x={x - 15}
            y={y - 15}
            width="30"
            height="30"
            rx="7"
            strokeWidth="1.5"
            className="fill-accent-soft stroke-accent"
          />
          <path d={`M${x - 7} ${y - 4}h14M${x - 7} ${y + 4}h9`} strokeWidth="1.5" className="stroke-accent" />
        </g>
      ))}
      <g strokeWidth="1.5" className="stroke-control">
        <rect x="20" y="148" width="42" height="68" rx="8" className="fill-surface" />
        <path d="M28 164h26M28 182h26M28 200h26" />
      </g>
      <text x="41" y="238" fontSize="15" textAnchor="middle" className="fill-muted">
        {t.labels.origin}
      </text>
      <text x="92" y="96" fontSize="15" textAnchor="middle" className="fill-accent">
        {t.labels.once}
      </text>
      <text x="392" y="280" fontSize="15" textAnchor="middle" className="fill-signal">
        {t.labels.many}
      </text>
    </svg>
  )
}
