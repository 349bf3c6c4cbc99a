import { ChevronDown } from 'lucide-react'
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { classes } from './classes.ts'

/**
 * A button that shows a panel beneath it: menus of links and small choices of the header. Light, because every page carries it.
 * Escape, a click elsewhere and leaving it with Tab close it; arrows, Home and End walk through what can be pressed inside.
 */
export function Disclosure({
  label,
  trigger,
  triggerClass,
  panelClass,
  chevron = false,
  children,
}: {
  /** Names the button when its content does not. */
  label?: string
  trigger: ReactNode
  triggerClass: string
  panelClass?: string
  chevron?: boolean
  children: (close: () => void) => ReactNode
}) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const whole = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!open) return
    const outside = (event: Event) => !whole.current?.contains(event.target as Node) && setOpen(false)
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [open])

  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const walk = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && open) {
      event.stopPropagation()
      close()
      return
    }
    if (!['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(event.key) || (!open && !event.key.startsWith('Arrow')))
      return
    event.preventDefault()
    const move = () => {
      const stops = [...(whole.current?.querySelectorAll<HTMLElement>('[data-panel] :is(a, button)') ?? [])]
      const at = stops.indexOf(document.activeElement as HTMLElement)
      const last = stops.length - 1
      const next =
        event.key === 'ArrowDown' ? at + 1 : event.key === 'ArrowUp' ? at - 1 : event.key === 'Home' ? 0 : last
      stops[next < 0 ? last : next > last ? 0 : next]?.focus()
    }
    if (open) return move()
    setOpen(true)
    // The panel is there at the next frame.
    requestAnimationFrame(move)
  }
  const leave = (event: FocusEvent) => {
    if (event.relatedTarget && !whole.current?.contains(event.relatedTarget)) setOpen(false)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only listens to the keys of what is inside
    <div ref={whole} className="relative" onKeyDown={walk} onBlur={leave}>
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls={id}
        aria-label={label}
        title={label}
        className={triggerClass}
        onClick={() => setOpen(!open)}
      >
        {trigger}
        {chevron && (
          <ChevronDown aria-hidden className={classes('size-3.5 transition-transform', open && 'rotate-180')} />
        )}
      </button>
      <div
        id={id}
        data-panel
        hidden={!open}
        className={classes(
          'absolute top-full z-50 mt-1.5 rounded-xl border border-line bg-surface p-1.5 shadow-raised',
          panelClass ?? 'right-0 min-w-44',
        )}
      >
        {open && children(close)}
      </div>
    </div>
  )
}

const choiceClass =
  'flex min-h-9 w-full items-center gap-2.5 rounded-lg px-3 text-left text-sm whitespace-nowrap hover:bg-sunken'

/** One of a few, marked. */
export function Choices<T extends string>({
  value,
  options,
  onChange,
}: {
  value: T
  options: readonly { value: T; title: string }[]
  onChange: (value: T) => void
}) {
  return options.map((option) => (
    <button
      key={option.value}
      type="button"
      aria-pressed={option.value === value}
      className={choiceClass}
      onClick={() => onChange(option.value)}
    >
      <span
        aria-hidden
        className={classes('size-2 rounded-full', option.value === value ? 'bg-accent' : 'bg-transparent')}
      />
      {option.title}
    </button>
  ))
}
