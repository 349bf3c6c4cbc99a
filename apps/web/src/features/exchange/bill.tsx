import { formatNumber } from '../../lib/format.ts'
import { locale } from '../../lib/texts.ts'
import { formatDecimal } from './credits.ts'
import { t } from './texts.ts'
import { formatTnt4, formatUsd, type Price, type Terms } from './use-terms.ts'

const q = t.quote

/** The cost of the credits, line by line; without amounts if the input is invalid. */
export function Bill({
  credits,
  price,
  rate,
  fee,
}: {
  credits: number | undefined
  price: Price | undefined
  rate: Pick<Terms, 'usd_per_tnt4' | 'credits_per_usd' | 'discount'>
  /** Refund fee in TNT4; undefined until it is known. */
  fee: string | undefined
}) {
  const lines: [string, string][] = [
    [q.credits, credits === undefined ? '–' : formatNumber(credits)],
    [q.value, price ? formatUsd(price.usd) : '–'],
    [
      q.rate,
      `${q.rateText(formatDecimal(rate.usd_per_tnt4, locale))}\n${q.perUsd(formatNumber(rate.credits_per_usd))}`,
    ],
    ...(rate.discount > 0
      ? ([
          [q.full, price ? formatTnt4(price.full) : '–'],
          [q.discount, `${rate.discount}%`],
        ] as [string, string][])
      : []),
  ]
  return (
    <section
      aria-labelledby="bill"
      className="rounded-2xl border border-line bg-surface p-6 sm:p-7 lg:sticky lg:top-20"
    >
      <h3 id="bill" className="text-lg font-semibold">
        {t.quoteTitle}
      </h3>
      <dl className="mt-4 text-sm">
        {lines.map(([name, amount]) => (
          <div key={name} className="flex items-baseline justify-between gap-4 py-1.5">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right font-mono whitespace-pre-line tabular-nums">{amount}</dd>
          </div>
        ))}
        <div className="mt-3 border-t border-control pt-4">
          <dt className="font-medium">{q.due}</dt>
          <dd className="mt-1 font-mono text-2xl font-medium tracking-tight wrap-anywhere tabular-nums">
            {price ? formatTnt4(price.due) : '–'}
          </dd>
        </div>
      </dl>
      <div className="mt-4 grid gap-3 border-t border-line pt-4 text-sm text-muted">
        <p>{t.rounding}</p>
        <p>{t.validity}</p>
        {fee !== undefined && <p>{t.refundFee(formatTnt4(fee))}</p>}
      </div>
    </section>
  )
}
