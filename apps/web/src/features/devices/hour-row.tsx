import type { EarningHour } from '@tidenet/contract'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatGigabytes, formatNumber, formatPoints, formatUtc, formatUtcHour } from '../../lib/format.ts'
import { ReceiptButton } from '../../ui/receipt-button.tsx'
import { Badge } from '../../ui/states.tsx'
import { t } from './earnings-texts.ts'

const MILLION = 1_000_000

/** `13:00–14:00`, in UTC like the days. */
export function formatHourSpan(hour: number): string {
  return `${formatUtcHour(hour)}–${formatUtcHour(hour + 3600)}`
}

/** An hour with what it earned; it opens to show the inputs of the formula in words. */
export function HourRow({
  hour: { hour, hindrance, traffic, storage, receipt, inputs, unearned, version },
}: {
  hour: EarningHour
}) {
  const amount = traffic + storage
  const span = formatHourSpan(hour)
  const reason = hindrance ? t.hindrances[hindrance] : amount === 0 ? t.idle : undefined
  const i = t.inputs
  return (
    <li className="border-b border-line last:border-b-0">
      <details className="group">
        <summary className="flex min-h-11 cursor-pointer list-none items-center gap-3 py-2 text-sm">
          <ChevronDown aria-hidden className="size-4 shrink-0 text-muted transition-transform group-open:rotate-180" />
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-center gap-x-3">
              <span className="font-mono whitespace-nowrap tabular-nums">{span}</span>
              {receipt === null && <Badge tone="accent">{t.running}</Badge>}
            </span>
            {reason && <span className="block text-muted">{reason}</span>}
          </span>
          <span className="self-start pt-0.5 font-mono whitespace-nowrap tabular-nums">
            {amount === 0 ? <span className="font-sans text-muted">{t.nothing}</span> : formatPoints(amount)}
          </span>
        </summary>
        <div className="pb-4 pl-7 text-sm">
          <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 gap-y-1.5">
            <Fact name={t.facts.traffic}>{i.traffic(formatGigabytes(inputs.signed), formatPoints(traffic))}</Fact>
            {unearned.length > 0 && (
              <Fact name={t.facts.unearned}>
                {unearned.map(({ kind, bytes }) => (
                  <span key={kind} className="block">
                    {i.unearned(formatGigabytes(bytes), t.unearned[kind])}
                  </span>
                ))}
              </Fact>
            )}
            <Fact name={t.facts.storage}>{i.storage(formatPoints(storage))}</Fact>
            <Fact name={t.facts.held}>{i.held(formatGigabytes(inputs.held))}</Fact>
            <Fact name={t.facts.online}>{i.online(formatNumber(inputs.online / 60, 1))}</Fact>
            <Fact name={t.facts.paid}>{i.paid(`${formatNumber((inputs.paid_share / MILLION) * 100, 4)}%`)}</Fact>
            <Fact name={t.facts.crowd}>{i.crowd(formatNumber(inputs.crowd), inputs.crowd > 1)}</Fact>
            <Fact name={t.facts.audits}>
              {i.audits(formatNumber(inputs.passed), formatNumber(inputs.failed))}
              {inputs.audited > 0 && ` · ${i.lastAudit(formatUtc(inputs.audited))}`}
            </Fact>
            <Fact name={t.facts.formula}>{i.version(version)}</Fact>
            {receipt !== null && (
              <Fact name={t.facts.receipt}>
                <ReceiptButton id={receipt} of={span} />
              </Fact>
            )}
          </dl>
        </div>
      </details>
    </li>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </>
)
