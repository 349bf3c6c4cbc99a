import { Gauge, Target } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDate } from '../lib/format.ts'
import { t } from './metric-texts.ts'

const targetText = (today: string | null | undefined): string =>
  today === undefined ? t.target : today === null ? t.aim : t.today(today)

/**
 * A figure with its honesty. Measured: how and when stand beneath it. A target says that it is one, and what there is of it today, or that
 * nothing was measured.
 */
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
  /** How it was measured, or how it will be. */
  how: ReactNode
  /** When it was measured; without it the figure is a target. */
  when?: string | Date | undefined
  /** What is measured of a target today; null as long as that is not known here. */
  today?: string | null | undefined
  /** Says in a whole sentence what is measured of a target, instead of `today`. */
  note?: string | undefined
  /** Where the measurement can be seen. */
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
