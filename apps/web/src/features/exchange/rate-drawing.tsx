import { formatNumber } from '../../lib/format.ts'
import { locale } from '../../lib/texts.ts'
import { formatDecimal } from './credits.ts'
import { t } from './texts.ts'
import type { Terms } from './use-terms.ts'

/** Illustration: the two rates from TNT4 to credits, and the discount. */
export function RateDrawing({ rate }: { rate: Pick<Terms, 'usd_per_tnt4' | 'credits_per_usd' | 'discount'> }) {
  const usd = formatDecimal(rate.usd_per_tnt4, locale)
  const perUsd = formatNumber(rate.credits_per_usd)
  const perTnt4 = formatNumber(Number(rate.usd_per_tnt4) * rate.credits_per_usd, 4)
  const share = formatNumber(1 - rate.discount / 100, 2)
  const due = 440 * (1 - rate.discount / 100)
  return (
    <svg
      viewBox="0 0 480 316"
      role="img"
      aria-label={t.drawing(usd, perUsd, perTnt4, String(rate.discount), share)}
      className="h-auto w-full max-w-136"
    >
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
        <rect x="20" y="262" width={due} height="22" rx="4" className="fill-accent stroke-none" />
        {rate.discount > 0 && (
          <rect
            x={20 + due}
            y="262.75"
            width={439 - due}
            height="20.5"
            rx="4"
            fill="none"
            strokeDasharray="4 5"
            className="stroke-signal"
          />
        )}
      </g>
      <g textAnchor="middle" fontSize="20" className="font-mono font-medium">
        <text x="100" y="67" className="fill-text">
          1 TNT4
        </text>
        <text x="240" y="175" className="fill-text">
          ${usd}
        </text>
        <text x="380" y="67" className="fill-accent">
          {perTnt4}
        </text>
      </g>
      <g textAnchor="middle" fontSize="14" className="fill-muted font-mono">
        <text x="120" y="190">
          × {usd}
        </text>
        <text x="352" y="190">
          × {perUsd}
        </text>
        {rate.discount > 0 && (
          <text x={Math.min(430, 20 + (due + 440) / 2)} y="250" className="fill-signal">
            −{rate.discount}%
          </text>
        )}
        <text x={Math.max(60, 20 + due / 2)} y="250" className="fill-accent">
          {share} TNT4
        </text>
      </g>
    </svg>
  )
}
