import { Field as Base } from '@base-ui/react/field'
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { t } from '../lib/texts.ts'
import { classes } from './classes.ts'

export const inputClass =
  'w-full min-h-10 rounded-lg border border-control bg-surface px-3 py-2 text-text transition-colors ' +
  'focus-visible:outline-2 focus-visible:-outline-offset-1 aria-invalid:border-danger disabled:opacity-60'

interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  /** Error message; marks the control as invalid. */
  error?: string | undefined
  children: ReactNode
}

/** A control with label, hint and error message, connected for assistive technology. */
export function Field({ label, hint, error, children }: FieldProps) {
  return (
    <Base.Root invalid={Boolean(error)} data-field className="flex flex-col gap-1.5">
      <Base.Label className="text-sm font-medium">{label}</Base.Label>
      {children}
      {error && (
        <Base.Error match className="text-sm text-danger">
          {error}
        </Base.Error>
      )}
      {hint && <Base.Description className="text-sm text-muted">{hint}</Base.Description>}
    </Base.Root>
  )
}

/** A text input inside a `Field`. */
export function TextInput({ className, ...rest }: ComponentProps<typeof Base.Control>) {
  return <Base.Control {...rest} className={classes(inputClass, className as string | undefined)} />
}

/** A password input with a show button, inside a `Field`. */
export function PasswordInput(props: ComponentProps<typeof Base.Control>) {
  const [visible, setVisible] = useState(false)
  const Icon = visible ? EyeOff : Eye
  return (
    <div className="relative">
      <Base.Control {...props} type={visible ? 'text' : 'password'} className={classes(inputClass, 'pr-11')} />
      <button
        type="button"
        className="absolute inset-y-0 right-0 flex w-11 items-center justify-center rounded-lg text-muted hover:text-text"
        aria-label={visible ? t.words.hide : t.words.show}
        aria-pressed={visible}
        onClick={() => setVisible(!visible)}
      >
        <Icon aria-hidden className="size-4" />
      </button>
    </div>
  )
}
