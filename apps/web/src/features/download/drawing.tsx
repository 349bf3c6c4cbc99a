import { t } from './texts.ts'

/** Illustration: a computer whose free disk space fills with copies of blocks. */
export function LeaseDrawing() {
  const cells = Array.from({ length: 40 }, (_, index) => ({
    x: (index % 8) * 26,
    y: Math.floor(index / 8) * 26,
    index,
  }))
  const kind = (index: number) =>
    index < 11 ? 'own' : [13, 14, 18, 21, 22, 27, 30, 33].includes(index) ? 'copy' : 'free'
  return (
    <svg viewBox="0 0 440 280" role="img" aria-label={t.drawing} className="h-auto w-full text-muted">
      <g fill="none" stroke="currentColor" strokeWidth="1.25">
        <rect x="150" y="24" width="250" height="184" rx="14" className="stroke-control" />
        <path d="M235 236h80M275 208v28" className="stroke-control" />
        <path d="M150 176h250" className="stroke-line" />
        <path d="M20 60h26M20 118h26M20 176h26" className="stroke-control" />
        <path
          d="M60 60c60 0 70 26 108 26M60 118h108M60 176c60 0 70-32 108-32"
          className="stroke-accent"
          strokeDasharray="3 5"
        />
      </g>
      <g transform="translate(172 36)">
        {cells.map(({ x, y, index }) => (
          <rect
            key={index}
            x={x}
            y={y}
            width="20"
            height="20"
            rx="3"
            strokeWidth="1.25"
            className={
              kind(index) === 'own'
                ? 'fill-sunken stroke-line'
                : kind(index) === 'copy'
                  ? 'fill-accent-soft stroke-accent'
                  : 'fill-none stroke-line'
            }
          />
        ))}
      </g>
      {[60, 118, 176].map((y) => (
        <g key={y}>
          <circle cx="33" cy={y} r="13" className="fill-surface stroke-control" strokeWidth="1.25" />
          <circle cx="33" cy={y} r="3" className="fill-signal" />
          <rect
            x="96"
            y={y === 60 ? 60 : y === 118 ? 110 : 158}
            width="14"
            height="14"
            rx="3"
            className="fill-accent-soft stroke-accent"
            strokeWidth="1.25"
          />
        </g>
      ))}
    </svg>
  )
}
