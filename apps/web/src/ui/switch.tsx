import { Switch as Base } from '@base-ui/react/switch'
import { classes } from './classes.ts'

/** A switch that takes effect at once. It cannot be changed while `busy`. */
export function Switch({
  label,
  checked,
  busy = false,
  onChange,
}: {
  label: string
  checked: boolean
  busy?: boolean
  onChange: (checked: boolean) => void
}) {
  return (
    <Base.Root
      aria-label={label}
      checked={checked}
      readOnly={busy}
      onCheckedChange={onChange}
      className={classes(
        'relative flex h-6 w-10 shrink-0 cursor-pointer items-center rounded-full border transition-colors',
        // A larger touch target.
        'after:absolute after:-inset-2',
        checked ? 'border-accent bg-accent' : 'border-control bg-surface hover:bg-sunken',
      )}
    >
      <Base.Thumb
        className={classes(
          'ml-0.75 block size-4 rounded-full transition-transform data-checked:translate-x-4',
          checked ? 'bg-on-accent' : 'bg-control',
        )}
      />
    </Base.Root>
  )
}
