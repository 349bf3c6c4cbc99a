import { type DragEvent, type MouseEvent, type PointerEvent, useRef } from 'react'
import { startDragging } from './dragged.ts'
import type { Entry } from './entries.ts'
import { indexOf, isOn, isTouch, type RowAction } from './entry-events.ts'
import type { MenuPlace } from './entry-menu.tsx'
import { only, type Selection, selectedRows, selectRange, toggleRow } from './selection.ts'

interface ListPointer {
  count: number
  at: (index: number) => Entry | undefined
  selection: Selection
  onSelection: (selection: Selection) => void
  onAction: (action: RowAction, entry: Entry) => void
  onMenu: (entry: Entry, place: MenuPlace) => void
  /** Sets the row that the keyboard continues from. */
  setActive: (index: number) => void
}

const LONG_PRESS_MS = 500

/** Handles mouse and touch in the list of files. */
export function useListPointer({ count, at, selection, onSelection, onAction, onMenu, setActive }: ListPointer) {
  const press = useRef<ReturnType<typeof setTimeout>>(undefined)
  const endPress = () => clearTimeout(press.current)
  const keyAt = (index: number) => at(index)?.key

  const choose = (index: number, entry: Entry, how: { shift: boolean; more: boolean }) => {
    if (how.shift) onSelection(selectRange(selection, index, keyAt, how.more))
    else if (how.more) onSelection(toggleRow(selection, entry.key, index))
    else onSelection(only(entry.key, index))
  }

  return {
    onClick(event: MouseEvent) {
      endPress()
      const index = indexOf(event)
      const entry = at(index)
      if (!entry) return
      const more = event.ctrlKey || event.metaKey
      setActive(index)
      if (isOn(event, '[data-menu]')) return onMenu(entry, { anchor: (event.target as Element).closest('[data-menu]') })
      if (isOn(event, 'input')) return choose(index, entry, { shift: event.shiftKey, more: true })
      if (isOn(event, '[data-open]') && !more && !event.shiftKey) {
        // The name of a folder is a link.
        if (entry.kind === 'asset') onAction('preview', entry)
        return
      }
      if (isOn(event, '[data-preview]') && !more && !event.shiftKey && selection.keys.size === 0)
        return onAction('preview', entry)
      if (more || event.shiftKey) event.preventDefault()
      // A tap opens an entry; once there is a selection, a tap toggles it.
      if (isTouch(event) && !more && selection.keys.size > 0) onSelection(toggleRow(selection, entry.key, index))
      else if (isTouch(event) && !more) onAction('preview', entry)
      else choose(index, entry, { shift: event.shiftKey, more })
    },
    onContextMenu(event: MouseEvent) {
      const index = indexOf(event)
      const entry = at(index)
      if (!entry) return
      event.preventDefault()
      endPress()
      setActive(index)
      if (isTouch(event)) return onSelection(toggleRow(selection, entry.key, index))
      if (!selection.keys.has(entry.key)) onSelection(only(entry.key, index))
      // The menu key has no pointer position: open the menu at the name.
      if (event.clientX === 0 && event.clientY === 0) onMenu(entry, { anchor: document.activeElement })
      else onMenu(entry, { x: event.clientX, y: event.clientY })
    },
    onDoubleClick(event: MouseEvent) {
      const entry = at(indexOf(event))
      if (entry && !isOn(event, 'input, button, a, [data-preview]')) onAction('preview', entry)
    },
    onDragStart(event: DragEvent) {
      const index = indexOf(event)
      const entry = at(index)
      if (!entry) return
      const many = selection.keys.has(entry.key)
      if (!many) onSelection(only(entry.key, index))
      startDragging(event.nativeEvent, many ? selectedRows(selection, count, at) : [entry])
    },
    onPointerDown(event: PointerEvent) {
      if (event.pointerType !== 'touch') return
      const index = indexOf(event)
      const entry = at(index)
      if (!entry || isOn(event, 'input, [data-menu]')) return
      endPress()
      press.current = setTimeout(() => onSelection(toggleRow(selection, entry.key, index)), LONG_PRESS_MS)
    },
    onPointerUp: endPress,
    onPointerMove(event: PointerEvent) {
      if (Math.abs(event.movementX) + Math.abs(event.movementY) > 2) endPress()
    },
    onPointerCancel: endPress,
  }
}
