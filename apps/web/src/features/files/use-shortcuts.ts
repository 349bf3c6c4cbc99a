import { useEffect, useEffectEvent } from 'react'

/** Whether a text field, menu or dialog handles the key. */
const isHandledElsewhere = (event: KeyboardEvent): boolean => {
  const { target } = event
  if (event.defaultPrevented) return true
  if (document.querySelector('[role=dialog], [role=menu], [role=listbox]')) return true
  return (
    target instanceof Element &&
    target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null
  )
}

/** Single-key shortcuts of the page. */
export function useShortcuts(keys: Record<string, () => void>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isHandledElsewhere(event)) return
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
