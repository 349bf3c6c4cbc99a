import type { KeyboardEvent } from 'react'
import type { Entry } from './entries.ts'
import { isOn, type RowAction } from './entry-events.ts'
import { type Selection, selectRange, toggleRow } from './selection.ts'

interface ListKeys {
  count: number
  at: (index: number) => Entry | undefined
  /** Index of the focused row. */
  active: number
  /** Cards in a row of the grid; undefined in the list. */
  across: number | undefined
  /** Rows that Page Up and Page Down move. */
  rowsPerPage: () => number
  selection: Selection
  onSelection: (selection: Selection) => void
  onSelectAll: (on: boolean) => void
  onAction: (action: RowAction, entry: Entry) => void
  /** Moves the focus to another row. */
  onGo: (index: number) => void
}

/** Handles the keyboard in the list of files. */
export function listKeys(list: ListKeys): (event: KeyboardEvent) => void {
  const { count, at, active, across, selection, onSelection, onSelectAll, onAction, onGo } = list
  const keyAt = (index: number) => at(index)?.key

  const go = (event: KeyboardEvent, to: number) => {
    event.preventDefault()
    const next = Math.min(count - 1, Math.max(0, to))
    onGo(next)
    if (!event.shiftKey) return
    const from = selection.anchor < 0 ? { ...selection, anchor: active } : selection
    onSelection(selectRange(from, next, keyAt, false))
  }

  const stepOf = (key: string): number | undefined => {
    const row = across ?? 1
    const steps: Record<string, number> = {
      ArrowDown: active + row,
      ArrowUp: active - row,
      ...(across !== undefined && { ArrowRight: active + 1, ArrowLeft: active - 1 }),
      Home: 0,
      End: count - 1,
      PageDown: active + list.rowsPerPage() * row,
      PageUp: active - list.rowsPerPage() * row,
    }
    return steps[key]
  }

  return (event) => {
    const entry = at(active)
    if (isOn(event, '[role=menu], dialog')) return
    const more = event.ctrlKey || event.metaKey
    const step = stepOf(event.key)
    if (step !== undefined && !more && !event.altKey) return go(event, step)
    if (event.key === 'a' && more) {
      event.preventDefault()
      return onSelectAll(true)
    }
    if (event.key === 'Escape' && selection.keys.size > 0) {
      event.stopPropagation()
      return onSelectAll(false)
    }
    if (entry && event.metaKey && event.key === 'Backspace') {
      event.preventDefault()
      return onAction('delete', entry)
    }
    if (!entry || more || event.altKey) return
    if (event.key === ' ' && !isOn(event, 'input, [data-menu]')) {
      event.preventDefault()
      if (event.shiftKey) onSelection(selectRange(selection, active, keyAt, true))
      else onSelection(toggleRow(selection, entry.key, active))
    } else if (event.key === 'Delete') {
      event.preventDefault()
      onAction('delete', entry)
    } else if (event.key === 'F2') {
      event.preventDefault()
      onAction('rename', entry)
    } else if (event.key === 'i') onAction('details', entry)
    else if (event.key === 'm') onAction('move', entry)
  }
}
