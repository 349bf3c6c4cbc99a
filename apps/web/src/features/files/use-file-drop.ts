import { useEffect, useEffectEvent, useState } from 'react'
import { t } from '../../lib/texts.ts'
import { warn } from '../../ui/toast.tsx'
import { carriesFiles, type Picked, pickedFromDrop } from '../transfers/picked.ts'

/** Takes files and folders dropped anywhere in the window. @returns whether something is being dragged over it */
export function useFileDrop(onDrop: (picked: Picked[]) => void): boolean {
  const [over, setOver] = useState(false)
  const take = useEffectEvent(onDrop)
  useEffect(() => {
    // Every element that is entered and left says so: only the balance tells whether the drag is still here.
    let depth = 0
    const on = (type: 'dragenter' | 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void) => {
      const guarded = (event: DragEvent) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        listener(event)
      }
      window.addEventListener(type, guarded)
      return () => window.removeEventListener(type, guarded)
    }
    const stops = [
      on('dragenter', () => {
        depth += 1
        setOver(true)
      }),
      on('dragover', (event) => {
        if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
      }),
      on('dragleave', () => {
        depth = Math.max(0, depth - 1)
        if (depth === 0) setOver(false)
      }),
      on('drop', (event) => {
        depth = 0
        setOver(false)
        if (!event.dataTransfer) return
        pickedFromDrop(event.dataTransfer)
          .then((picked) => (picked.length > 0 ? take(picked) : warn(t.transfers.nothingDropped)))
          .catch(() => warn(t.transfers.unreadable))
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  return over
}
