import { Gauge, Target } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDate } from '../lib/format.ts'
import { t } from '../lib/texts.ts'

/**
 * A figure with its honesty. Measured: how and when stand beneath it. Not measured: it is shown as a target and says so.
 */
export function Claim({
  value,
  what,
  how,
  when,
  href,
}: {
  value: ReactNode
  what: ReactNode
  /** How it was measured, or how it will be. */
  how: ReactNode
  /** When it was measured; without it the figure is a target. */
  when?: string | Date | undefined
  /** Where the measurement can be seen. */
  href?: string
}) {
  const Icon = when ? Gauge : Target
  return (
    <div className="flex flex-col gap-1 border-t-2 border-line pt-4">
      <p className="font-mono text-2xl font-medium tracking-tight tabular-nums">{value}</p>
      <p className="font-medium">{what}</p>
      <p className="mt-1 flex gap-2 text-sm text-muted">
        <Icon aria-hidden className={when ? 'mt-1 size-4 shrink-0 text-good' : 'mt-1 size-4 shrink-0 text-warn'} />
        <span>
          <span className={when ? 'font-medium text-good' : 'font-medium text-warn'}>
            {when ? t.claims.measured(formatDate(when)) : t.claims.target}
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
