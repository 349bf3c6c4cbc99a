import { t } from './texts.ts'

/** Illustration: the two rates from TNT4 to credits, and the discount. */
export function RateDrawing() {
  return (
    <svg viewBox="0 0 480 316" role="img" aria-label={t.drawing} className="h-auto w-full max-w-136">
      <g strokeWidth="1.5">
        <path
          d="M100 92V150a18 18 0 0 0 18 18h58M304 168h58a18 18 0 0 0 18-18V92"
          fill="none"
          className="stroke-control"
        />
        <path d="M170 162l6 6-6 6M374 98l6-6 6 6" fill="none" className="stroke-control" />
        <rect x="20" y="28" width="160" height="64" rx="12" className="fill-surface stroke-control" />
        <rect x="176" y="136" width="128" height="64" rx="12" className="fill-surface stroke-control" />
        <rect x="300" y="28" width="160" height="64" rx="12" className="fill-accent-soft stroke-accent" />
        <path d="M180 60h120" fill="none" strokeDasharray="3 5" className="stroke-accent" />
        <rect x="20" y="262" width="330" height="22" rx="4" className="fill-accent stroke-none" />
        <rect
          x="350"
          y="262.75"
          width="109"
          height="20.5"
          rx="4"
          fill="none"
          strokeDasharray="4 5"
          className="stroke-signal"
        />
      </g>
      <g textAnchor="middle" fontSize="20" className="font-mono font-medium">
        <text x="100" y="67" className="fill-text">
          1 TNT4
        </text>
        <text x="240" y="175" className="fill-text">
          $0.0508
        </text>
        <text x="380" y="67" className="fill-accent">
          20.32
        </text>
      </g>
      <g textAnchor="middle" fontSize="14" className="fill-muted font-mono">
        <text x="120" y="190">
          × 0.0508
        </text>
        <text x="352" y="190">
          × 400
        </text>
        <text x="405" y="250" className="fill-signal">
          −25%
        </text>
        <text x="185" y="250" className="fill-accent">
          0.75 TNT4
        </text>
      </g>
    </svg>
  )
}
