import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { t } from '../lib/texts.ts'
import { classes } from './classes.ts'
import type { Panel } from './disclosure-panel.tsx'
import { warn } from './toast.ts'

/**
 * A button that shows a panel beneath it: menus of links and small choices of the header. Light, because every page carries it:
 * the panel and what it holds are fetched when somebody comes near, and shown when they are there.
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
  /** Names the button when its content does not. */
  label?: string
  trigger: ReactNode
  triggerClass: string
  panelClass?: string
  chevron?: boolean
  /** Fetches what the panel holds; asked again and again. */
  load: () => Promise<T>
  children: (loaded: T, close: () => void) => ReactNode
}) {
  const [open, setOpen] = useState<{ loaded: T; Panel: typeof Panel; enter: string | undefined }>()
  const ready = useRef<{ loaded: T; Panel: typeof Panel }>(undefined)
  const id = useId()
  const whole = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  const fetched = async () => {
    const [loaded, { Panel }] = await Promise.all([load(), import('./disclosure-panel.tsx')])
    ready.current = { loaded, Panel }
    return ready.current
  }
  const near = () => void fetched().catch(() => {})
  /** @param enter the arrow by which it was opened: it leads on into the panel */
  const show = (enter?: string) => {
    if (ready.current) return setOpen({ ...ready.current, enter })
    fetched().then(
      (panel) => setOpen({ ...panel, enter }),
      () => warn(t.errors.chunkTitle),
    )
  }
  const close = () => setOpen(undefined)
  const closeAndReturn = () => {
    close()
    button.current?.focus()
  }
  const enter = (event: KeyboardEvent) => {
    if (open || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
    event.preventDefault()
    show(event.key)
  }

  return (
    <div ref={whole} className="relative">
      <button
        ref={button}
        type="button"
        aria-expanded={open !== undefined}
        aria-controls={id}
        aria-label={label}
        title={label}
        className={triggerClass}
        onClick={() => (open ? close() : show())}
        onKeyDown={enter}
        onPointerEnter={near}
        onFocus={near}
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
          <open.Panel whole={whole} enter={open.enter} onClose={close} onEscape={closeAndReturn}>
            {children(open.loaded, closeAndReturn)}
          </open.Panel>
        )}
      </div>
    </div>
  )
}
