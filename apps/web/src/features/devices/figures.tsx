import type { Output, RouteOf } from '@tidenet/contract'
import { formatNumber, formatPercent, formatSize } from '../../lib/format.ts'
import { classes } from '../../ui/classes.ts'
import { Bar } from '../network/bars.tsx'
import { tones } from './format.ts'
import { t } from './texts.ts'

/** Number of devices by state, and their storage. */
export function Figures({ counted }: { counted: Output<RouteOf<'devices.list'>> }) {
  const f = t.figures
  const { total, used, capacity } = counted
  return (
    <section aria-label={f.title}>
      <dl className="grid grid-cols-4 gap-px overflow-hidden rounded-2xl border border-line bg-line lg:grid-cols-[repeat(4,1fr)_2.4fr]">
        <Figure name={f.all} value={formatNumber(total)} />
        {(['online', 'offline', 'abnormal'] as const).map((state) => (
          <Figure
            key={state}
            name={f[state]}
            value={formatNumber(counted[state])}
            tone={counted[state] > 0 ? tones[state] : 'text-muted'}
          />
        ))}
        <div className="col-span-4 bg-surface px-4 py-3.5 sm:px-5 lg:col-span-1">
          <dt className="text-sm text-muted">{f.storage}</dt>
          <dd className="mt-1 flex items-baseline justify-between gap-3 tabular-nums">
            <span className="font-mono text-lg leading-8 tracking-tight">
              {f.of(formatSize(used), formatSize(capacity))}
            </span>
            <span className="text-sm text-muted">{formatPercent(used, capacity, 1)}</span>
          </dd>
          <dd>
            <Bar share={capacity > 0 ? used / capacity : 0} />
          </dd>
        </div>
      </dl>
    </section>
  )
}

const Figure = ({ name, value, tone }: { name: string; value: string; tone?: string }) => (
  <div className="bg-surface px-3 py-3.5 sm:px-5">
    <dt className="text-sm text-muted">{name}</dt>
    <dd className={classes('mt-1 font-mono text-2xl tracking-tight tabular-nums', tone)}>{value}</dd>
  </div>
)
