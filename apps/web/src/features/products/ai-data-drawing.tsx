import { t } from './ai-data-texts.ts'

const homes = [52, 128, 204, 280]
/** One node owner does not participate. */
const participating = homes.filter((_, index) => index !== 2)

/** A job, the rules it is checked against, nodes that run it, the web page, and the resulting data set. */
export function AiDataDrawing() {
  return (
    <svg viewBox="0 0 480 376" role="img" aria-label={t.drawing} className="h-auto w-full max-w-136">
      <g fill="none" strokeWidth="1.5">
        {/* Accepted jobs go to a node and on to the web page. */}
        {participating.map((y) => (
          <path key={y} d={`M122 180C160 180 160 ${y} 196 ${y}`} className="stroke-accent" />
        ))}
        {participating.map((y) => (
          <path key={y} d={`M244 ${y}C290 ${y} 280 136 322 136`} className="stroke-control" strokeDasharray="3 5" />
        ))}
        <path d="M72 164h30M72 180h42M72 196h30" className="stroke-control" />
        {/* One job is rejected. */}
        <path d="M102 159l10 10M112 159l-10 10" className="stroke-signal" strokeWidth="2" />
        <path d="M386 182v52" className="stroke-accent" />
        <path d="M380 227l6 8 6-8" className="stroke-accent" />
      </g>

      <g strokeWidth="1.5" className="stroke-control">
        <rect x="20" y="144" width="52" height="72" rx="7" className="fill-surface" />
        <path d="M30 162l4 4 6-8M30 182l4 4 6-8M30 202l4 4 6-8" fill="none" className="stroke-accent" />
        <path d="M47 163h16M47 183h12M47 203h16" />
      </g>

      <g className="fill-surface stroke-accent" strokeWidth="1.5">
        <rect x="117" y="112" width="10" height="40" rx="5" />
        <rect x="117" y="160" width="10" height="40" rx="5" className="fill-accent-soft stroke-accent" />
        <rect x="117" y="208" width="10" height="40" rx="5" />
      </g>

      {homes.map((y) => (
        <g key={y} strokeWidth="1.5" strokeLinejoin="round" className="fill-surface stroke-control">
          <path d={`M200 ${y + 22}v-26l20-18 20 18v26z`} />
          <path d={`M214 ${y + 22}v-14h12v14`} className="fill-sunken stroke-control" />
          <circle
            cx="236"
            cy={y - 16}
            r="4"
            className={participating.includes(y) ? 'fill-signal stroke-none' : 'fill-surface stroke-control'}
          />
        </g>
      ))}

      <g strokeWidth="1.5" className="stroke-control">
        <rect x="322" y="92" width="128" height="90" rx="8" className="fill-surface" />
        <path d="M322 112h128" />
        <path d="M332 102h4M342 102h4M352 102h4" strokeLinecap="round" strokeWidth="3" />
        <path d="M336 128h60M336 142h84M336 156h72" className="stroke-line" strokeWidth="4" strokeLinecap="round" />
        <rect x="412" y="124" width="24" height="12" rx="2" className="fill-accent-soft stroke-accent" />
      </g>

      <g strokeWidth="1.5">
        {[0, 1, 2].map((row) => (
          <g key={row}>
            <rect
              x="336"
              y={244 + row * 26}
              width="100"
              height="20"
              rx="4"
              className="fill-accent-soft stroke-accent"
            />
            <path d={`M346 ${254 + row * 26}h16M372 ${254 + row * 26}h54`} className="stroke-accent" />
          </g>
        ))}
      </g>

      <g fontSize="15" textAnchor="middle" className="fill-muted">
        <text x="46" y="240">
          {t.labels.job}
        </text>
        <text x="122" y="274">
          {t.labels.rules}
        </text>
        <text x="220" y="334">
          {t.labels.homes}
        </text>
        <text x="386" y="80">
          {t.labels.page}
        </text>
        <text x="386" y="346">
          {t.labels.set}
        </text>
      </g>
    </svg>
  )
}
