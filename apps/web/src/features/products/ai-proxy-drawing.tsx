import { t } from './ai-proxy-texts.ts'

const LANES = 4
const GAP = 26
const [LEFT, STEP] = [44, 36]

/** Index of the IP address that each request uses. */
const sticky = [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2]
const fresh = [0, 2, 1, 3, 0, 3, 2, 0, 1, 3, 1]
/** The request before which the second IP address goes offline. */
const LEAVES = 7

/** Two patterns of requests over time: a sticky IP address, and a new one for each request. */
export function AiProxyDrawing() {
  return (
    <svg viewBox="0 0 480 352" role="img" aria-label={t.drawing} className="h-auto w-full max-w-136">
      <Pattern top={56} title={t.labels.sticky} taken={sticky} leaves />
      <Pattern top={232} title={t.labels.fresh} taken={fresh} />
    </svg>
  )
}

function Pattern({
  top,
  title,
  taken,
  leaves = false,
}: {
  top: number
  title: string
  taken: readonly number[]
  leaves?: boolean
}) {
  const points = taken.map((lane, index) => ({ x: LEFT + 30 + index * STEP, y: top + lane * GAP }))
  const gone = LEFT + 30 + (LEAVES - 0.5) * STEP
  return (
    <g>
      <text x="20" y={top - 26} fontSize="15" className="fill-text font-medium">
        {title}
      </text>
      {Array.from({ length: LANES }, (_, lane) => {
        const y = top + lane * GAP
        const end = leaves && lane === 1 ? gone : 462
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lanes have no id
          <g key={lane}>
            <path
              d={`M21 ${y + 5}v-6l7-6 7 6v6z`}
              strokeWidth="1.5"
              strokeLinejoin="round"
              className="fill-surface stroke-control"
            />
            <path d={`M${LEFT} ${y}H${end}`} strokeWidth="1.5" className="stroke-line" />
          </g>
        )
      })}
      {leaves && (
        <>
          <path
            d={`M${gone - 5} ${top + GAP - 5}l10 10M${gone + 5} ${top + GAP - 5}l-10 10`}
            strokeWidth="2"
            className="stroke-signal"
          />
          <text x={gone + 14} y={top + GAP + 5} fontSize="14" className="fill-signal">
            {t.labels.moved}
          </text>
        </>
      )}
      <path
        d={points
          .map(({ x, y }, index) => {
            const before = points[index - 1]
            if (!before) return `M${x} ${y}`
            const middle = (before.x + x) / 2
            return `C${middle} ${before.y} ${middle} ${y} ${x} ${y}`
          })
          .join('')}
        fill="none"
        strokeWidth="1.75"
        className="stroke-accent"
      />
      {points.map(({ x, y }) => (
        <circle key={x} cx={x} cy={y} r="6" strokeWidth="1.75" className="fill-accent-soft stroke-accent" />
      ))}
    </g>
  )
}
