import { Menu as Base } from '@base-ui/react/menu'
import { type ReactNode, type RefObject, useRef } from 'react'
import { classes } from './classes.ts'

export const menuPopup =
  'min-w-44 max-h-(--available-height) max-w-[calc(100vw-1rem)] overflow-y-auto rounded-xl border border-line bg-surface p-1 shadow-raised outline-none transition-opacity ' +
  'duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0'
const itemClass =
  'flex min-h-9 w-full items-center gap-2.5 rounded-lg px-3 py-1.5 text-sm outline-none select-none data-highlighted:bg-sunken'

interface MenuProps {
  /** Content of the button. */
  trigger: ReactNode
  triggerClass: string
  /** Accessible name of the button, if its content has none. */
  label?: string
  align?: 'start' | 'end'
  /** Gets the focus when the menu closes; default: its button. */
  focusAfter?: RefObject<HTMLElement | null>
  /** Opened by the button that this menu replaces; by `keyboard`, the first item gets the focus. */
  openedBy?: 'keyboard' | 'pointer' | undefined
  children: ReactNode
}

export function Menu({ trigger, triggerClass, label, align = 'end', focusAfter, openedBy, children }: MenuProps) {
  const popup = useRef<HTMLDivElement>(null)
  /** Base UI knows how it was opened only after the first time. */
  const byKeyboard = useRef(openedBy === 'keyboard')
  const focusFirst = (isOpen: boolean) => {
    if (isOpen && byKeyboard.current) popup.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
    byKeyboard.current = false
  }
  return (
    <Base.Root modal={false} defaultOpen={openedBy !== undefined} onOpenChangeComplete={focusFirst}>
      <Base.Trigger className={triggerClass} aria-label={label} title={label}>
        {trigger}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="z-50 outline-none" sideOffset={6} align={align}>
          <Base.Popup ref={popup} className={menuPopup} finalFocus={focusAfter}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface MenuItemProps {
  icon?: ReactNode
  onSelect: () => void
  danger?: boolean
  children: ReactNode
}

export function MenuItem({ icon, onSelect, danger, children }: MenuItemProps) {
  return (
    <Base.Item className={classes(itemClass, danger && 'text-danger')} onClick={onSelect}>
      {icon}
      {children}
    </Base.Item>
  )
}

interface MenuChoiceProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; title: string }[]
  onChange: (value: T) => void
}

/** A radio group inside a menu. */
export function MenuChoice<T extends string>({ label, value, options, onChange }: MenuChoiceProps<T>) {
  return (
    <Base.RadioGroup value={value} onValueChange={(next) => onChange(next as T)} aria-label={label}>
      {options.map((option) => (
        <Base.RadioItem key={option.value} value={option.value} closeOnClick className={itemClass}>
          <span className="flex size-4 items-center justify-center">
            <Base.RadioItemIndicator className="size-2 rounded-full bg-accent" />
          </span>
          {option.title}
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}

export function MenuSeparator() {
  return <Base.Separator className="mx-2 my-1 h-px bg-line" />
}
