import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { t } from '../../lib/texts.ts'
import { toast } from '../../ui/toast.ts'
import { lastFolder } from '../files/last-folder.ts'
import { carriesFiles, readDrop } from '../transfers/read-drop.ts'

/**
 * Uploads files dropped on a console page without a drop target of its own into the last opened folder, and shows that folder.
 * @returns whether files are being dragged over such a page
 */
export function useConsoleDrop(): boolean {
  const navigate = useNavigate()
  const [over, setOver] = useState(false)
  const upload = useEffectEvent(async (transfer: DataTransfer) => {
    const drop = readDrop(transfer)
    const folder = lastFolder()
    const { takeDropped } = await import('../files/take-dropped.ts')
    await navigate({ to: '/fileStorage', search: folder?.id ? { folder: folder.id } : {} })
    await takeDropped(drop, folder)
  })
  useEffect(() => {
    let depth = 0
    const listeners = {
      dragenter: () => {
        depth += 1
        setOver(true)
      },
      dragover: () => {},
      drop: (event: DragEvent) => {
        depth = 0
        setOver(false)
        if (event.dataTransfer) upload(event.dataTransfer).catch(() => toast.error(t.errors.network))
      },
    }
    const onDrag = (event: DragEvent) => {
      // Another drop target, such as a file input or the list of files, handled it.
      if (event.defaultPrevented || !carriesFiles(event)) return
      event.preventDefault()
      listeners[event.type as keyof typeof listeners](event)
    }
    const leave = () => {
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    for (const type of Object.keys(listeners)) window.addEventListener(type, onDrag as EventListener)
    window.addEventListener('dragleave', leave)
    return () => {
      for (const type of Object.keys(listeners)) window.removeEventListener(type, onDrag as EventListener)
      window.removeEventListener('dragleave', leave)
    }
  }, [])
  return over
}
