import { Gauge, Target } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDate } from '../lib/format.ts'
import { t } from './metric-texts.ts'

const targetText = (today: string | null | undefined): string =>
  today === undefined ? t.target : today === null ? t.aim : t.today(today)

/** A figure that is either measured, with method and date, or labelled as a target, with today's value if there is one. */
export function Metric({
  value,
  what,
  how,
  when,
  today,
  note,
  href,
}: {
  value: ReactNode
  what: ReactNode
  /** How it was or will be measured. */
  how: ReactNode
  /** When it was measured; without a date the figure is a target. */
  when?: string | Date | undefined
  /** Today's value of a target; null if it is not measured. */
  today?: string | null | undefined
  /** A whole sentence about today's value, instead of `today`. */
  note?: string | undefined
  /** A page that shows the measurement. */
  href?: string
}) {
  const Icon = when ? Gauge : Target
  return (
    <div data-metric className="flex flex-col gap-1 border-t-2 border-line pt-4">
      <p className="font-mono text-2xl font-medium tracking-tight tabular-nums">{value}</p>
      <p className="font-medium">{what}</p>
      <p className="mt-1 flex gap-2 text-sm text-muted">
        <Icon aria-hidden className={when ? 'mt-1 size-4 shrink-0 text-good' : 'mt-1 size-4 shrink-0 text-warn'} />
        <span>
          <span className={when ? 'font-medium text-good' : 'font-medium text-warn'}>
            {when ? t.measured(formatDate(when)) : (note ?? targetText(today))}
          </span>{' '}
          {href ? (
            <a href={href} className="underline hover:text-text">
              {how}
            </a>
          ) : (
            how
          )}
        </span>
      </p>
    </div>
  )
}
