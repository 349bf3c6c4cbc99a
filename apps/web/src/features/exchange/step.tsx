import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'

const circles = {
  done: 'border-good bg-good-soft text-good',
  current: 'border-accent bg-accent text-on-accent',
  waiting: 'border-control bg-surface text-muted',
}

/** One of the four steps. @param state `done` shows a check mark */
export function Step({
  number,
  title,
  text,
  state,
  children,
}: {
  number: number
  title: string
  text?: string
  state: keyof typeof circles
  children: ReactNode
}) {
  return (
    <li
      aria-current={state === 'current' ? 'step' : undefined}
      className="relative border-l border-control pb-10 pl-9 last:border-transparent last:pb-0"
    >
      <span
        aria-hidden
        className={classes(
          'absolute top-0 -left-3.5 flex size-7 items-center justify-center rounded-full border font-mono text-sm',
          circles[state],
        )}
      >
        {state === 'done' ? <Check className="size-4" /> : number}
      </span>
      <h3 className="text-lg font-semibold">{title}</h3>
      {text && <p className="mt-1 text-muted">{text}</p>}
      <div className="mt-4">{children}</div>
    </li>
  )
}
