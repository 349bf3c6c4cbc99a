import { type ReactNode, type RefObject, useEffect, useEffectEvent } from 'react'

/**
 * The content of an open panel. Escape, a press outside and leaving with Tab close it; arrow keys, Home and End move between its
 * links and buttons.
 */
export function Panel({
  container,
  openedBy,
  onClose,
  onEscape,
  children,
}: {
  /** The panel with its button. */
  container: RefObject<HTMLElement | null>
  /** The key that opened it; undefined for a press. */
  openedBy: string | undefined
  onClose: () => void
  onEscape: () => void
  children: ReactNode
}) {
  const close = useEffectEvent(onClose)
  const closeByEscape = useEffectEvent(onEscape)
  useEffect(() => {
    const frame = container.current
    if (!frame) return
    const moveFocus = (key: string) => {
      const stops = [...frame.querySelectorAll<HTMLElement>('[data-panel] :is(a, button)')]
      const at = stops.indexOf(document.activeElement as HTMLElement)
      const last = stops.length - 1
      const next = key === 'ArrowDown' ? at + 1 : key === 'ArrowUp' ? at - 1 : key === 'Home' ? 0 : last
      stops[next < 0 ? last : next > last ? 0 : next]?.focus()
    }
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.stopPropagation()
        closeByEscape()
      } else if (['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(event.key)) {
        event.preventDefault()
        moveFocus(event.key)
      }
    }
    const outside = (event: Event) => !frame.contains(event.target as Node) && close()
    const leave = (event: FocusEvent) => {
      if (event.relatedTarget && !frame.contains(event.relatedTarget as Node)) close()
    }
    if (openedBy) moveFocus(openedBy)
    frame.addEventListener('keydown', press)
    frame.addEventListener('focusout', leave)
    document.addEventListener('pointerdown', outside)
    return () => {
      frame.removeEventListener('keydown', press)
      frame.removeEventListener('focusout', leave)
      document.removeEventListener('pointerdown', outside)
    }
  }, [container, openedBy])
  return children
}
