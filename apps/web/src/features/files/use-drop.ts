import { useEffect, useEffectEvent, useState } from 'react'
import { toast } from '../../ui/toast.ts'
import { type Picked, pickedFromDrop } from '../transfers/picked.ts'
import { carriesFiles } from '../transfers/read-drop.ts'
import { draggedEntries, stopDragging } from './dragged.ts'
import type { Entry } from './entries.ts'
import { t } from './texts.ts'

export interface DropFolder {
  id: number
  name: string
}

interface Hovering {
  /** Files from outside, or entries of this page. */
  what: 'files' | 'entries'
  /** The folder under the pointer. */
  folder?: DropFolder | undefined
}

/** The folder that an element represents. */
function folderAt(target: EventTarget | null): DropFolder | undefined {
  const place = target instanceof Element ? target.closest<HTMLElement>('[data-folder]') : null
  if (!place) return undefined
  return { id: Number(place.dataset.folder), name: place.dataset.folderName ?? place.textContent ?? '' }
}

/**
 * Handles drops anywhere in the window: files go to the folder under the pointer or the open one, entries of the page to the folder
 * under the pointer. @returns the current drag
 */
export function useDrop(handlers: {
  files: (picked: Picked[], folder: DropFolder | undefined) => void
  entries?: (entries: readonly Entry[], folder: DropFolder) => void
}): Hovering | undefined {
  const [hovering, setHovering] = useState<Hovering>()
  const takeFiles = useEffectEvent(handlers.files)
  const takeEntries = useEffectEvent((entries: readonly Entry[], folder: DropFolder) =>
    handlers.entries?.(entries, folder),
  )
  useEffect(() => {
    // dragenter and dragleave fire for every element, so count them to know whether the drag is still in the window.
    let depth = 0
    const set = (next: Hovering | undefined) =>
      setHovering((before) => (before?.what === next?.what && before?.folder?.id === next?.folder?.id ? before : next))
    const hoveringAt = (event: DragEvent): Hovering | undefined => {
      const folder = folderAt(event.target)
      if (carriesFiles(event)) return { what: 'files', folder }
      const dragged = draggedEntries()
      if (dragged.length === 0) return undefined
      const itself = dragged.some((entry) => entry.kind === 'folder' && entry.group.ID === folder?.id)
      return { what: 'entries', folder: itself ? undefined : folder }
    }
    const on = (
      type: 'dragenter' | 'dragover' | 'dragleave' | 'drop' | 'dragend',
      listener: (event: DragEvent) => void,
    ) => {
      // At the document, so that it runs before the console's handler at the window, which handles the remaining drops.
      document.addEventListener(type, listener)
      return () => document.removeEventListener(type, listener)
    }
    const end = () => {
      depth = 0
      set(undefined)
    }
    const stops = [
      on('dragenter', (event) => {
        const current = hoveringAt(event)
        if (!current) return
        event.preventDefault()
        depth += 1
        set(current)
      }),
      on('dragover', (event) => {
        const current = hoveringAt(event)
        if (!current || (current.what === 'entries' && !current.folder)) return set(current)
        event.preventDefault()
        if (event.dataTransfer) event.dataTransfer.dropEffect = current.what === 'files' ? 'copy' : 'move'
        set(current)
      }),
      on('dragleave', () => {
        depth = Math.max(0, depth - 1)
        if (depth === 0) set(undefined)
      }),
      on('dragend', () => {
        stopDragging()
        end()
      }),
      on('drop', (event) => {
        const current = hoveringAt(event)
        const dragged = draggedEntries()
        end()
        if (!current) return
        event.preventDefault()
        if (current.what === 'entries') {
          stopDragging()
          if (current.folder) takeEntries(dragged, current.folder)
          return
        }
        if (!event.dataTransfer) return
        pickedFromDrop(event.dataTransfer)
          .then((picked) =>
            picked.length > 0 ? takeFiles(picked, current.folder) : toast.error(t.upload.nothingDropped),
          )
          .catch(() => toast.error(t.upload.unreadable))
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  return hovering
}
