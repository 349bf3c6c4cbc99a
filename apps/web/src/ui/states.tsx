import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf } from '../lib/api.ts'
import { t } from '../lib/texts.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'

export { Card } from './card.tsx'
export { Loading } from './loading.tsx'

/** A load error with its reason and a retry button. */
export function LoadFailed({ title, error, onRetry }: { title: string; error: unknown; onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-12 text-center">
      <CircleAlert aria-hidden className="size-6 text-danger" />
      <div>
        <p className="font-medium">{title}</p>
        <p className="text-sm text-muted">{messageOf(error)}</p>
      </div>
      <Button onClick={onRetry}>{t.words.retry}</Button>
    </div>
  )
}

/** An empty state: why there is nothing, and what to do next. */
export function Empty({ icon, title, children }: { icon: ReactNode; title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-2 px-4 py-14 text-center">
      <span className="flex size-12 items-center justify-center rounded-full bg-sunken text-muted">{icon}</span>
      <p className="font-medium">{title}</p>
      <div className="max-w-md text-sm text-muted">{children}</div>
    </div>
  )
}

const tones = {
  info: 'border-line bg-sunken text-text',
  bad: 'border-danger/40 bg-danger-soft text-danger',
  good: 'border-good/40 bg-good-soft text-good',
  warn: 'border-warn/40 bg-warn-soft text-warn',
} as const

/** An inline message. @param live announces it to screen readers when it appears */
export function Notice({
  tone = 'info',
  children,
  live,
}: {
  tone?: keyof typeof tones
  children: ReactNode
  live?: boolean
}) {
  return (
    <div
      role={live ? (tone === 'bad' ? 'alert' : 'status') : undefined}
      className={classes('rounded-lg border px-3.5 py-2.5 text-sm wrap-anywhere', tones[tone])}
    >
      {children}
    </div>
  )
}

/** A small label beside a name. */
export function Badge({ children, tone = 'plain' }: { children: ReactNode; tone?: 'plain' | 'accent' | 'warn' }) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1 rounded-md px-1.5 py-px text-xs leading-5 font-medium whitespace-nowrap',
        tone === 'accent'
          ? 'bg-accent-soft text-accent'
          : tone === 'warn'
            ? 'bg-warn-soft text-warn'
            : 'bg-sunken text-muted',
      )}
    >
      {children}
    </span>
  )
}
