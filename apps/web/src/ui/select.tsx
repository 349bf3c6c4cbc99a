import { CSPProvider } from '@base-ui/react/csp-provider'
import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronsUpDown } from 'lucide-react'
import { menuPopup } from './menu.tsx'

interface SelectProps<T extends string | number> {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}

/** A select box; `label` is its accessible name. */
export function Select<T extends string | number>({ label, value, options, onChange }: SelectProps<T>) {
  return (
    // The content security policy blocks inline styles; styles.css contains these rules instead.
    <CSPProvider disableStyleElements>
      <Base.Root items={[...options]} value={value} onValueChange={(next) => next !== null && onChange(next as T)}>
        <Base.Trigger
          aria-label={label}
          className="inline-flex min-h-9 items-center justify-between gap-2 rounded-lg border border-control/60 bg-surface px-3 text-sm hover:bg-sunken"
        >
          <Base.Value />
          <Base.Icon>
            <ChevronsUpDown aria-hidden className="size-3.5 text-muted" />
          </Base.Icon>
        </Base.Trigger>
        <Base.Portal>
          <Base.Positioner className="z-50 outline-none" sideOffset={6} alignItemWithTrigger={false}>
            <Base.Popup className={menuPopup.replace('min-w-44', 'min-w-(--anchor-width)')}>
              <Base.List>
                {options.map((option) => (
                  <Base.Item
                    key={option.value}
                    value={option.value}
                    className="flex min-h-9 items-center gap-2 rounded-lg px-3 py-1.5 text-sm outline-none data-highlighted:bg-sunken"
                  >
                    <Base.ItemText className="flex-1">{option.label}</Base.ItemText>
                    <Base.ItemIndicator>
                      <Check aria-hidden className="size-4 text-accent" />
                    </Base.ItemIndicator>
                  </Base.Item>
                ))}
              </Base.List>
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  )
}
