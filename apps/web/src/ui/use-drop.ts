import { type DragEvent, useState } from 'react'

/**
 * Makes an element take what is dropped on it.
 * @param onEnter once each time something is dragged over it
 * @returns whether something is over it, and the handlers of the element
 */
export function useDrop(onDrop: (transfer: DataTransfer) => void, onEnter?: () => void) {
  const [over, setOver] = useState(false)
  const handlers = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      if (!over) onEnter?.()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      onDrop(event.dataTransfer)
    },
  }
  return { over, handlers }
}
