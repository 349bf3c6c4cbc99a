import { t } from './containers-texts.ts'

/** Scales with `marks` marks; the smallest machine uses the first `taken`. */
const scales = [
  { key: 'cpu', y: 26, marks: 32, taken: 1 },
  { key: 'ram', y: 96, marks: 64, taken: 1 },
  { key: 'storage', y: 166, marks: 100, taken: 1 },
] as const

const [LEFT, WIDTH] = [20, 440]
const HOURS = 24
const USED = 7

/** Resource limits as scales, and an order that is terminated early. */
export function ContainersDrawing() {
  return (
    <svg viewBox="0 0 480 344" role="img" aria-label={t.drawing} className="h-auto w-full max-w-136">
      {scales.map(({ key, y, marks, taken }) => {
        const step = WIDTH / marks
        return (
          <g key={key}>
            <text x={LEFT} y={y - 8} fontSize="15" className="fill-muted">
              {t.scale[key]}
            </text>
            <text x={LEFT + WIDTH} y={y - 8} fontSize="15" textAnchor="end" className="fill-muted font-mono">
              {key === 'cpu' ? '32' : key === 'ram' ? '64 GB' : '4,000 GB'}
            </text>
            {Array.from({ length: marks }, (_, index) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: marks of a scale have no other name
                key={index}
                x={LEFT + index * step}
                y={y}
                width={Math.max(1.5, step - 3)}
                height="30"
                rx={step > 8 ? 2.5 : 0.75}
                strokeWidth="1.25"
                className={
                  index < taken
                    ? 'fill-accent stroke-accent'
                    : step > 8
                      ? 'fill-surface stroke-control'
                      : 'fill-control stroke-none'
                }
                opacity={index < taken || step > 8 ? 1 : 0.55}
              />
            ))}
          </g>
        )
      })}
      <Order />
    </svg>
  )
}

function Order() {
  const step = WIDTH / HOURS
  const end = LEFT + USED * step
  return (
    <g>
      <text x={LEFT} y="246" fontSize="15" className="fill-accent font-medium">
        {t.scale.used}
      </text>
      <text x={LEFT + WIDTH} y="246" fontSize="15" textAnchor="end" className="fill-muted">
        {t.scale.back}
      </text>
      <rect x={LEFT} y="256" width={end - LEFT} height="34" rx="4" className="fill-accent" />
      <rect
        x={end}
        y="256.75"
        width={LEFT + WIDTH - end - 0.75}
        height="32.5"
        rx="4"
        fill="none"
        strokeWidth="1.5"
        strokeDasharray="4 5"
        className="stroke-control"
      />
      {Array.from({ length: HOURS + 1 }, (_, hour) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: marks of a scale have no other name
          key={hour}
          d={`M${LEFT + hour * step} 298v${hour % 6 === 0 ? 10 : 5}`}
          strokeWidth="1.25"
          className="stroke-control"
        />
      ))}
      {[0, 6, 12, 18, 24].map((hour) => (
        <text
          key={hour}
          x={LEFT + hour * step}
          y="326"
          fontSize="14"
          textAnchor={hour === 0 ? 'start' : hour === 24 ? 'end' : 'middle'}
          className="fill-muted font-mono"
        >
          {hour}
        </text>
      ))}
      <path d={`M${end} 248v50`} strokeWidth="2" className="stroke-signal" />
    </g>
  )
}
