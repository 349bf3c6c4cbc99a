import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox'
import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { Check } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classes } from './classes.ts'

interface CheckboxProps {
  checked: boolean
  /** Only some of the items it stands for are selected. */
  indeterminate?: boolean
  onChange: (checked: boolean) => void
  /** Visible label. Without it, set `label`. */
  children?: ReactNode
  label?: string
  hint?: ReactNode
  /** Error message shown below. */
  error?: string | undefined
  disabled?: boolean
}

export function Checkbox({
  checked,
  indeterminate = false,
  onChange,
  children,
  label,
  hint,
  error,
  disabled,
}: CheckboxProps) {
  const id = useId()
  const box = (
    <BaseCheckbox.Root
      checked={checked}
      indeterminate={indeterminate}
      onCheckedChange={onChange}
      disabled={disabled ?? false}
      aria-label={label}
      aria-labelledby={children ? id : undefined}
      aria-describedby={error ? `${id}-error` : hint ? `${id}-hint` : undefined}
      aria-invalid={error ? true : undefined}
      className={classes(
        'flex size-5 shrink-0 cursor-pointer items-center justify-center rounded-md border border-control bg-surface aria-invalid:border-danger',
        'data-checked:border-accent data-checked:bg-accent data-indeterminate:border-accent data-indeterminate:bg-accent',
        'data-disabled:cursor-default data-disabled:opacity-55',
      )}
    >
      <BaseCheckbox.Indicator className="text-on-accent">
        {indeterminate ? (
          <span className="block h-0.5 w-2.5 rounded bg-on-accent" />
        ) : (
          <Check aria-hidden className="size-4" />
        )}
      </BaseCheckbox.Indicator>
    </BaseCheckbox.Root>
  )
  if (!children) return box
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the box is the control, with an input of its own inside
    <label className="flex items-start gap-2.5">
      <span className="mt-0.5">{box}</span>
      <span>
        <span id={id}>{children}</span>
        {hint && (
          <span id={`${id}-hint`} className="block text-sm text-muted">
            {hint}
          </span>
        )}
        {error && (
          <span id={`${id}-error`} className="block text-sm text-danger">
            {error}
          </span>
        )}
      </span>
    </label>
  )
}

interface RadioCardsProps<T extends string> {
  label: string
  value: T
  onChange: (value: T) => void
  options: readonly { value: T; title: string; hint?: string; disabled?: boolean }[]
  columns?: string
}

/** A radio group of cards, each with a title and a hint. */
export function RadioCards<T extends string>({ label, value, onChange, options, columns }: RadioCardsProps<T>) {
  const id = useId()
  return (
    <div>
      <p id={id} className="mb-1.5 text-sm font-medium">
        {label}
      </p>
      <RadioGroup
        value={value}
        onValueChange={(next) => onChange(next as T)}
        aria-labelledby={id}
        className={classes('grid gap-2', columns ?? 'sm:grid-cols-2')}
      >
        {options.map((option) => (
          // biome-ignore lint/a11y/noLabelWithoutControl: the radio is the control, with an input of its own inside
          <label
            key={option.value}
            className={classes(
              'flex items-start gap-2.5 rounded-lg border border-control/60 px-3 py-2 not-has-data-disabled:hover:bg-sunken',
              'has-data-checked:border-accent has-data-checked:bg-accent-soft',
            )}
          >
            <Radio.Root
              value={option.value}
              disabled={option.disabled ?? false}
              aria-labelledby={`${id}-${option.value}`}
              aria-describedby={option.hint ? `${id}-${option.value}-hint` : undefined}
              className="mt-0.5 flex size-5 shrink-0 cursor-pointer items-center justify-center rounded-full border border-control bg-surface data-checked:border-accent data-disabled:cursor-default data-disabled:opacity-55"
            >
              <Radio.Indicator className="size-2.5 rounded-full bg-accent" />
            </Radio.Root>
            <span>
              <span id={`${id}-${option.value}`} className="block font-medium">
                {option.title}
              </span>
              {option.hint && (
                <span id={`${id}-${option.value}-hint`} className="block text-sm text-muted">
                  {option.hint}
                </span>
              )}
            </span>
          </label>
        ))}
      </RadioGroup>
    </div>
  )
}
