import { type ReactNode, type RefObject, useEffect, useEffectEvent } from 'react'

/**
 * What is inside an open panel. Escape, a press elsewhere and leaving it with Tab close it; arrows, Home and End walk through
 * what can be pressed inside.
 */
export function Panel({
  whole,
  enter,
  onClose,
  onEscape,
  children,
}: {
  /** The panel with its button. */
  whole: RefObject<HTMLElement | null>
  /** The key by which it was opened; undefined for a press. */
  enter: string | undefined
  onClose: () => void
  onEscape: () => void
  children: ReactNode
}) {
  const close = useEffectEvent(onClose)
  const comeBack = useEffectEvent(onEscape)
  useEffect(() => {
    const frame = whole.current
    if (!frame) return
    const walk = (key: string) => {
      const stops = [...frame.querySelectorAll<HTMLElement>('[data-panel] :is(a, button)')]
      const at = stops.indexOf(document.activeElement as HTMLElement)
      const last = stops.length - 1
      const next = key === 'ArrowDown' ? at + 1 : key === 'ArrowUp' ? at - 1 : key === 'Home' ? 0 : last
      stops[next < 0 ? last : next > last ? 0 : next]?.focus()
    }
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.stopPropagation()
        comeBack()
      } else if (['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(event.key)) {
        event.preventDefault()
        walk(event.key)
      }
    }
    const outside = (event: Event) => !frame.contains(event.target as Node) && close()
    const leave = (event: FocusEvent) => {
      if (event.relatedTarget && !frame.contains(event.relatedTarget as Node)) close()
    }
    if (enter) walk(enter)
    frame.addEventListener('keydown', press)
    frame.addEventListener('focusout', leave)
    document.addEventListener('pointerdown', outside)
    return () => {
      frame.removeEventListener('keydown', press)
      frame.removeEventListener('focusout', leave)
      document.removeEventListener('pointerdown', outside)
    }
  }, [whole, enter])
  return children
}
