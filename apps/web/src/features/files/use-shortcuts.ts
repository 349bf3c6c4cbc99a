import { useEffect, useEffectEvent } from 'react'

/** Whether keys go to something that takes text, or to a menu or dialog that is in front. */
const isTaken = (event: KeyboardEvent): boolean => {
  const { target } = event
  if (event.defaultPrevented) return true
  if (document.querySelector('[role=dialog], [role=menu], [role=listbox]')) return true
  return (
    target instanceof Element &&
    target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null
  )
}

/** Keys of the whole page, each alone, without Ctrl or Alt. */
export function useShortcuts(keys: Record<string, () => void>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (!act) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
