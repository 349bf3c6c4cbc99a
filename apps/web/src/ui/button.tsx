import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classes } from './classes.ts'

const looks = {
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border-control/60 bg-surface text-text hover:bg-sunken',
  ghost: 'border-transparent text-text hover:bg-sunken',
  quietDanger: 'border-transparent text-danger hover:bg-danger-soft',
  danger: 'border-transparent bg-danger text-on-accent hover:bg-danger-strong',
} as const

export type ButtonLook = keyof typeof looks

/** Class names of a button, also for links and menu triggers. */
export const buttonClass = (look: ButtonLook = 'secondary', more = '') =>
  classes(
    'inline-flex min-h-9 items-center justify-center gap-2 rounded-lg border px-3.5 py-1.5 text-sm font-medium leading-5',
    'select-none transition-colors disabled:pointer-events-none disabled:opacity-55 aria-disabled:opacity-55 data-disabled:opacity-55',
    looks[look],
    more,
  )

interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonLook
  icon?: ReactNode
  /** Shows a spinner and ignores clicks. The button keeps the focus, so that the keyboard continues from it. */
  busy?: boolean
}

export function Button({ look, icon, busy = false, className, children, type, onClick, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={buttonClass(look, className)}
      {...(busy && { 'aria-busy': true, 'aria-disabled': true })}
      // Enter in a form's field clicks its submit button, too.
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <LoaderCircle aria-hidden className="size-4 animate-spin" /> : icon}
      {children}
    </button>
  )
}

/** A square button with an icon; `label` is its accessible name. */
export function IconButton({
  label,
  className,
  children,
  type,
  ...rest
}: ComponentProps<'button'> & { label: string }) {
  return (
    <button {...rest} type={type ?? 'button'} aria-label={label} title={label} className={iconButtonClass(className)}>
      {children}
    </button>
  )
}

export const iconButtonClass = (more = '') =>
  classes(
    'inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-muted transition-colors',
    'hover:bg-sunken hover:text-text data-popup-open:bg-sunken data-popup-open:text-text',
    'disabled:pointer-events-none disabled:opacity-50',
    more,
  )
