import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { t } from '../lib/texts.ts'
import { classes } from './classes.ts'
import type { Panel } from './disclosure-panel.tsx'
import { toast } from './toast.ts'

/**
 * A button that opens a panel below it: link menus and small choices of the header. Every page contains it, so the panel and its
 * content are loaded on hover or focus.
 */
export function Disclosure<T>({
  label,
  trigger,
  triggerClass,
  panelClass,
  chevron = false,
  load,
  children,
}: {
  /** Accessible name of the button, if its content has none. */
  label?: string
  trigger: ReactNode
  triggerClass: string
  panelClass?: string
  chevron?: boolean
  /** Loads the content of the panel. Called several times. */
  load: () => Promise<T>
  children: (loaded: T, close: () => void) => ReactNode
}) {
  const [open, setOpen] = useState<{ loaded: T; Panel: typeof Panel; openedBy: string | undefined }>()
  const ready = useRef<{ loaded: T; Panel: typeof Panel }>(undefined)
  const id = useId()
  const container = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  const fetchPanel = async () => {
    const [loaded, { Panel }] = await Promise.all([load(), import('./disclosure-panel.tsx')])
    ready.current = { loaded, Panel }
    return ready.current
  }
  const preload = () => void fetchPanel().catch(() => {})
  /** @param openedBy the arrow key that opened it; it also moves the focus into the panel */
  const show = (openedBy?: string) => {
    if (ready.current) return setOpen({ ...ready.current, openedBy })
    fetchPanel().then(
      (panel) => setOpen({ ...panel, openedBy }),
      () => toast.error(t.errors.chunkTitle),
    )
  }
  const close = () => setOpen(undefined)
  const closeAndReturn = () => {
    close()
    button.current?.focus()
  }
  const openByArrow = (event: KeyboardEvent) => {
    if (open || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
    event.preventDefault()
    show(event.key)
  }

  return (
    <div ref={container} className="relative">
      <button
        ref={button}
        type="button"
        aria-expanded={open !== undefined}
        aria-controls={id}
        aria-label={label}
        title={label}
        className={triggerClass}
        onClick={() => (open ? close() : show())}
        onKeyDown={openByArrow}
        onPointerEnter={preload}
        onFocus={preload}
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
        {open && (
          <open.Panel container={container} openedBy={open.openedBy} onClose={close} onEscape={closeAndReturn}>
            {children(open.loaded, closeAndReturn)}
          </open.Panel>
        )}
      </div>
    </div>
  )
}
