import { t } from './texts.ts'

/** Loudness along the recording: three people speak, with silence between them. */
const loud = [
  2, 2, 9, 22, 34, 28, 38, 26, 30, 18, 24, 12, 4, 2, 2, 12, 30, 44, 36, 48, 40, 26, 34, 22, 30, 16, 8, 2, 2, 3, 18, 26,
  20, 30, 22, 14, 20, 10, 4, 2,
]
const spoken = [
  { from: 2, lines: [92, 64] },
  { from: 15, lines: [104, 88, 46] },
  { from: 30, lines: [84, 58] },
] as const
const STEP = 11
const LEFT = 20
const MIDDLE = 92

/** A recording and its transcript. */
export function WaveDrawing() {
  return (
    <svg viewBox="0 0 480 316" role="img" aria-label={t.drawing} className="h-auto w-full max-w-136">
      <path d={`M${LEFT} ${MIDDLE}h440`} strokeWidth="1" className="stroke-line" />
      {loud.map((height, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a moment has no other name
          key={index}
          x={LEFT + index * STEP}
          y={MIDDLE - height}
          width="5"
          height={height * 2}
          rx="2.5"
          className={height > 5 ? 'fill-accent' : 'fill-control'}
        />
      ))}
      {spoken.map(({ from, lines }, speaker) => {
        const x = LEFT + from * STEP + 2
        return (
          <g key={from}>
            <path d={`M${x} ${MIDDLE + 4}V196`} strokeWidth="1.5" strokeDasharray="2 5" className="stroke-control" />
            <circle cx={x} cy="204" r="5" className={speaker === 2 ? 'fill-signal' : 'fill-accent'} />
            {lines.map((width, line) => (
              <rect
                key={width}
                x={x + 14}
                y={198 + line * 26}
                width={width}
                height="12"
                rx="6"
                className={speaker === 2 && line === lines.length - 1 ? 'fill-signal-soft' : 'fill-line'}
              />
            ))}
            {speaker === 2 && <path d={`M${x + 14 + 66} 222v16`} strokeWidth="2" className="stroke-signal" />}
          </g>
        )
      })}
    </svg>
  )
}
