import { Meter } from '@base-ui/react/meter'
import { formatPercent, formatSize } from '../../lib/format.ts'
import { t as shell } from '../../lib/texts.ts'
import { classes } from '../../ui/classes.ts'
import { Badge, Card } from '../../ui/states.tsx'
import { t } from './texts.ts'

/** Share of a quota from which a warning is shown. */
const WARN_FROM = 0.9

interface GaugeProps {
  title: string
  /** Bytes; undefined while loading. */
  used: number | undefined
  total: number | undefined
  note: string | undefined
  format: (used: string, total: string) => string
}

/** Usage of a quota. */
export function Gauge({ title, used = 0, total, note, format }: GaugeProps) {
  // The same layout as below, so that nothing moves when the values have loaded.
  if (total === undefined)
    return (
      <Card className="p-5">
        <p className="flex items-baseline justify-between gap-3">
          <span className="font-semibold">{title}</span>
          <span className="text-sm text-muted">–</span>
        </p>
        <span className="mt-3 block h-2.5 rounded-full bg-sunken" />
        <p role="status" className="mt-2.5 text-muted">
          {shell.words.loading}
        </p>
        {note && <p className="mt-1 text-sm text-muted">{note}</p>}
      </Card>
    )
  const almost = total > 0 && used / total >= WARN_FROM
  const left = Math.max(0, total - used)
  return (
    <Card className="p-5">
      <Meter.Root
        value={Math.min(used, total)}
        max={Math.max(total, 1)}
        getAriaValueText={() => format(formatSize(used), formatSize(total))}
      >
        <div className="flex items-baseline justify-between gap-3">
          <Meter.Label className="font-semibold">{title}</Meter.Label>
          {almost ? (
            <Badge tone="warn">{t.almost}</Badge>
          ) : (
            <span className="text-sm text-muted tabular-nums">{formatPercent(used, total, 1)}</span>
          )}
        </div>
        <Meter.Track className="mt-3 block h-2.5 overflow-hidden rounded-full bg-sunken">
          <Meter.Indicator
            className={classes('block h-full rounded-full transition-[width]', almost ? 'bg-warn' : 'bg-accent')}
          />
        </Meter.Track>
      </Meter.Root>
      <p className="mt-2.5 flex flex-wrap justify-between gap-x-4 tabular-nums">
        <span>{format(formatSize(used), formatSize(total))}</span>
        <span className="text-muted">{t.left(formatSize(left))}</span>
      </p>
      {note && <p className="mt-1 text-sm text-muted">{note}</p>}
    </Card>
  )
}
