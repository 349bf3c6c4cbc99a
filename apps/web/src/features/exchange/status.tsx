import type { ExchangeState } from '@tidenet/contract'
import { CircleCheck, CircleX, Clock, LoaderCircle } from 'lucide-react'
import { classes } from '../../ui/classes.ts'
import { t } from './texts.ts'

const looks = {
  in_progress: ['bg-accent-soft text-accent', LoaderCircle],
  incomplete: ['bg-warn-soft text-warn', Clock],
  completed: ['bg-good-soft text-good', CircleCheck],
  failure: ['bg-danger-soft text-danger', CircleX],
} as const

/** The state of an exchange as a word with an icon. */
export function ExchangeStatus({ status }: { status: ExchangeState }) {
  const [look, Icon] = looks[status]
  return (
    <span
      data-state={status}
      className={classes(
        'inline-flex items-center gap-1.5 rounded-md px-2 py-0.5 text-sm font-medium whitespace-nowrap',
        look,
      )}
    >
      <Icon aria-hidden className="size-4" />
      {t.statuses[status]}
    </span>
  )
}
