import type { Entry } from './entries.ts'
import { t } from './texts.ts'

/** The entries being dragged; kept here, so that other programs do not receive them. */
let entries: readonly Entry[] = []

export const draggedEntries = (): readonly Entry[] => entries

/** Starts dragging entries; the drag image shows their number. */
export function startDragging(event: DragEvent, dragged: readonly Entry[]): void {
  entries = dragged
  const { dataTransfer } = event
  if (!dataTransfer) return
  dataTransfer.effectAllowed = 'move'
  dataTransfer.setData('application/x-tidenet', String(dragged.length))
  const badge = document.createElement('div')
  badge.className =
    'fixed -top-40 left-0 rounded-lg border border-accent bg-surface px-3 py-2 text-sm font-medium text-text shadow-raised'
  badge.textContent = t.files.dragging(dragged.length)
  document.body.append(badge)
  dataTransfer.setDragImage(badge, -12, -12)
  setTimeout(() => badge.remove())
}

export function stopDragging(): void {
  entries = []
}
