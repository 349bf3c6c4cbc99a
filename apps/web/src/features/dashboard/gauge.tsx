import { Meter } from '@base-ui/react/meter'
import { formatPercent, formatSize } from '../../lib/format.ts'
import { t as shell } from '../../lib/texts.ts'
import { classes } from '../../ui/classes.ts'
import { Badge, Card } from '../../ui/states.tsx'
import { t } from './texts.ts'

/** From here on the rest is called small. */
const ALMOST = 0.9

interface GaugeProps {
  title: string
  /** Bytes; undefined until they are known. */
  used: number | undefined
  total: number | undefined
  note: string | undefined
  says: (used: string, total: string) => string
}

/** How much of an allowance is used. */
export function Gauge({ title, used = 0, total, note, says }: GaugeProps) {
  // The same lines as later: nothing moves when the figures come.
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
  const almost = total > 0 && used / total >= ALMOST
  const left = Math.max(0, total - used)
  return (
    <Card className="p-5">
      <Meter.Root
        value={Math.min(used, total)}
        max={Math.max(total, 1)}
        getAriaValueText={() => says(formatSize(used), formatSize(total))}
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
        <span>{says(formatSize(used), formatSize(total))}</span>
        <span className="text-muted">{t.left(formatSize(left))}</span>
      </p>
      {note && <p className="mt-1 text-sm text-muted">{note}</p>}
    </Card>
  )
}
