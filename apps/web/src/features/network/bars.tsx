import { formatPercent } from '../../lib/format.ts'
import { classes } from '../../ui/classes.ts'
import { t } from './texts.ts'

/** A thin bar for a share of a whole. Decorative: its value is also shown as text. */
export function Bar({ share, tone, className }: { share: number; tone?: string; className?: string }) {
  // Keep tiny shares visible.
  const width = share > 0 ? Math.max(2, Math.min(1, share) * 100) : 0
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      className={classes('block h-1 w-full overflow-hidden rounded-full bg-line', className)}
    >
      <rect width={width} height="4" className={tone ?? 'fill-accent'} />
    </svg>
  )
}

/** Fill class of an uptime: good from 99 %, fair from 90 %, otherwise a warning. */
export const uptimeTone = (share: number): string =>
  share >= 0.99 ? 'fill-good' : share >= 0.9 ? 'fill-accent' : 'fill-warn'

/** Uptime over one period, as a percentage above a bar. `share` is undefined if the node is not that old. */
export function Uptime({ share }: { share: number | undefined }) {
  if (share === undefined)
    return (
      <span className="block w-16 font-mono text-muted" title={t.notThatOld}>
        <span aria-hidden>–</span>
        <span className="sr-only">{t.notThatOld}</span>
      </span>
    )
  return (
    <span className="block w-16">
      <span className="block font-mono tabular-nums">{formatPercent(share, 1, share === 1 ? 0 : 2)}</span>
      <Bar share={share} tone={uptimeTone(share)} />
    </span>
  )
}
