import { t } from './texts.ts'

/** Illustration: blocks from three nodes are verified before the program receives them. */
export function VerifiedDrawing() {
  const rows = [40, 120, 200]
  return (
    <svg viewBox="0 0 440 260" role="img" aria-label={t.drawing} className="h-auto w-full text-muted">
      <g fill="none" stroke="currentColor" strokeWidth="1.25">
        {rows.map((y) => (
          <g key={y}>
            <rect x="8" y={y} width="64" height="44" rx="6" className="stroke-control" />
            <path d={`M18 ${y + 12}h44M18 ${y + 22}h28`} className="stroke-line" />
            <circle cx="60" cy={y + 33} r="2.5" className="fill-signal stroke-none" />
            <path d={`M72 ${y + 22}C130 ${y + 22} 130 ${y + 22} 170 ${y + 22}`} className="stroke-line" />
            <path d={`M254 ${y + 22}C290 ${y + 22} 290 142 322 142`} className="stroke-accent" />
          </g>
        ))}
        <rect x="322" y="96" width="108" height="92" rx="10" className="stroke-accent" />
        <path d="M322 118h108" className="stroke-line" />
        <path d="m336 138 8 7-8 7M352 154h22" className="stroke-text" />
      </g>
      {rows.map((y) => (
        <g key={y}>
          <rect
            x="112"
            y={y + 13}
            width="18"
            height="18"
            rx="3"
            className="fill-accent-soft stroke-accent"
            strokeWidth="1.25"
          />
          <rect
            x="170"
            y={y + 6}
            width="84"
            height="32"
            rx="16"
            className="fill-surface stroke-line"
            strokeWidth="1.25"
          />
          <text x="212" y={y + 26} textAnchor="middle" className="fill-good font-mono text-[11px]">
            {t.drawn.checked}
          </text>
        </g>
      ))}
      <text x="376" y="111" textAnchor="middle" className="fill-muted text-[11px]">
        {t.drawn.program}
      </text>
    </svg>
  )
}
