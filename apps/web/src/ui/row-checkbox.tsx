import { Check, Minus } from 'lucide-react'

/** The checkbox of a row of files. A plain input, because there are many; some lists handle the clicks themselves. */
export function RowCheckbox({
  label,
  checked,
  indeterminate = false,
  tabIndex,
  onChange,
}: {
  label: string
  checked: boolean
  indeterminate?: boolean
  tabIndex?: number
  onChange?: (checked: boolean) => void
}) {
  return (
    <span className="relative inline-flex size-5 shrink-0">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        tabIndex={tabIndex}
        ref={(box) => {
          if (box) box.indeterminate = indeterminate
        }}
        onChange={(event) => onChange?.(event.target.checked)}
        className="peer size-5 cursor-pointer appearance-none rounded-md border border-control bg-surface checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent"
      />
      <Check
        aria-hidden
        className="pointer-events-none absolute inset-0.5 hidden size-4 text-on-accent peer-checked:block peer-indeterminate:hidden"
      />
      <Minus
        aria-hidden
        className="pointer-events-none absolute inset-0.5 hidden size-4 text-on-accent peer-indeterminate:block"
      />
    </span>
  )
}
