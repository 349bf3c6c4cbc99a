import { useEffect, useEffectEvent, useState } from 'react'
import { toast } from '../../ui/toast.ts'
import { carriesFiles, type Picked, pickedFromDrop } from '../transfers/picked.ts'
import { draggedEntries, stopDragging } from './dragged.ts'
import type { Entry } from './entries.ts'
import { t } from './texts.ts'

export interface DropFolder {
  id: number
  name: string
}

interface Hovering {
  /** Files of other programs, or rows of this page. */
  what: 'files' | 'entries'
  /** The folder under the pointer. */
  folder?: DropFolder | undefined
}

/** The folder that an element of the page stands for. */
function folderAt(target: EventTarget | null): DropFolder | undefined {
  const place = target instanceof Element ? target.closest<HTMLElement>('[data-folder]') : null
  if (!place) return undefined
  return { id: Number(place.dataset.folder), name: place.dataset.folderName ?? place.textContent ?? '' }
}

/**
 * Takes what is dropped anywhere in the window: files of other programs for the folder under the pointer or the one in sight,
 * rows of the page for a folder under the pointer. Returns what is being held over where.
 */
export function useDrop(take: {
  files: (picked: Picked[], folder: DropFolder | undefined) => void
  entries?: (entries: readonly Entry[], folder: DropFolder) => void
}): Hovering | undefined {
  const [hovering, setHovering] = useState<Hovering>()
  const takeFiles = useEffectEvent(take.files)
  const takeEntries = useEffectEvent((entries: readonly Entry[], folder: DropFolder) => take.entries?.(entries, folder))
  useEffect(() => {
    // Every element that is entered and left says so: only the balance tells whether the drag is still here.
    let depth = 0
    const set = (next: Hovering | undefined) =>
      setHovering((before) => (before?.what === next?.what && before?.folder?.id === next?.folder?.id ? before : next))
    const look = (event: DragEvent): Hovering | undefined => {
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
      // Before the frame of the console, which listens at the window and takes what no page has taken.
      document.addEventListener(type, listener)
      return () => document.removeEventListener(type, listener)
    }
    const end = () => {
      depth = 0
      set(undefined)
    }
    const stops = [
      on('dragenter', (event) => {
        const seen = look(event)
        if (!seen) return
        event.preventDefault()
        depth += 1
        set(seen)
      }),
      on('dragover', (event) => {
        const seen = look(event)
        if (!seen || (seen.what === 'entries' && !seen.folder)) return set(seen)
        event.preventDefault()
        if (event.dataTransfer) event.dataTransfer.dropEffect = seen.what === 'files' ? 'copy' : 'move'
        set(seen)
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
        const seen = look(event)
        const dragged = draggedEntries()
        end()
        if (!seen) return
        event.preventDefault()
        if (seen.what === 'entries') {
          stopDragging()
          if (seen.folder) takeEntries(dragged, seen.folder)
          return
        }
        if (!event.dataTransfer) return
        pickedFromDrop(event.dataTransfer)
          .then((picked) => (picked.length > 0 ? takeFiles(picked, seen.folder) : toast.error(t.upload.nothingDropped)))
          .catch(() => toast.error(t.upload.unreadable))
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  return hovering
}
