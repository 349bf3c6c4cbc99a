import { CircleAlert, CircleCheck, CircleSlash } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'
import { t } from './texts.ts'

type Tone = 'live' | 'good' | 'bad' | 'quiet'

const icons = {
  live: <span aria-hidden className="mx-0.5 size-2 shrink-0 animate-pulse self-center rounded-full bg-signal" />,
  good: <CircleCheck aria-hidden className="size-4 shrink-0 self-center" />,
  bad: <CircleAlert aria-hidden className="size-4 shrink-0 self-center" />,
  quiet: <CircleSlash aria-hidden className="size-4 shrink-0 self-center" />,
} as const

/** One upload or transcription: its name, its state as a word, and what can be done. */
export function TaskFrame({
  name,
  state,
  tone,
  actions,
  children,
}: {
  name: string
  state: string
  tone: Tone
  actions: ReactNode
  children: ReactNode
}) {
  return (
    <li aria-label={t.tasks.of(name)} className="rounded-2xl border border-line bg-surface p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">{name}</p>
          <p
            role="status"
            className={classes(
              'mt-0.5 flex items-baseline gap-1.5 text-sm font-medium',
              tone === 'good' ? 'text-good' : tone === 'bad' ? 'text-danger' : 'text-muted',
            )}
          >
            {icons[tone]}
            {state}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">{actions}</div>
      </div>
      <div className="mt-3 empty:hidden">{children}</div>
    </li>
  )
}
