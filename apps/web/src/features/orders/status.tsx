import type { OrderLabel } from '@tidenet/contract'
import { classes } from '../../ui/classes.ts'
import { t } from './texts.ts'

const QUIET = 'bg-sunken text-muted'
const tones: Record<OrderLabel, string> = {
  running: 'bg-good-soft text-good',
  created: 'bg-warn-soft text-warn',
  paid: 'bg-accent-soft text-accent',
  upgrading: 'bg-warn-soft text-warn',
  renewing: 'bg-warn-soft text-warn',
  replacing: 'bg-warn-soft text-warn',
  failed: 'bg-danger-soft text-danger',
  expired: QUIET,
  refunded: QUIET,
  cancelled: QUIET,
  replaced: QUIET,
  terminated: QUIET,
}

/** Badge with an order's status. */
export function Status({ label }: { label: OrderLabel }) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1.5 rounded-md px-2 py-0.5 text-sm font-medium whitespace-nowrap',
        tones[label],
      )}
    >
      {label === 'running' && <span aria-hidden className="size-2 rounded-full bg-good" />}
      {t.labels[label]}
    </span>
  )
}
