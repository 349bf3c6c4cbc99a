import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { t } from '../../lib/texts.ts'
import { toast } from '../../ui/toast.ts'
import { lastFolder } from '../files/last-folder.ts'
import { dropped } from '../transfers/dropped.ts'
import { carriesFiles } from '../transfers/picked.ts'

/**
 * Takes files that are dropped on a page of the console which takes none itself: they go into the folder that was seen last, and its
 * list is shown. @returns whether files are held over such a page
 */
export function useConsoleDrop(): boolean {
  const navigate = useNavigate()
  const [over, setOver] = useState(false)
  const take = useEffectEvent(async (transfer: DataTransfer) => {
    const what = dropped(transfer)
    const folder = lastFolder()
    const { takeDropped } = await import('../files/take-dropped.ts')
    await navigate({ to: '/fileStorage', search: folder?.id ? { folder: folder.id } : {} })
    await takeDropped(what, folder)
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
        if (event.dataTransfer) take(event.dataTransfer).catch(() => toast.error(t.errors.network))
      },
    }
    const hear = (event: DragEvent) => {
      // What the page takes, a field for files or the list of files, is none of ours.
      if (event.defaultPrevented || !carriesFiles(event)) return
      event.preventDefault()
      listeners[event.type as keyof typeof listeners](event)
    }
    const leave = () => {
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    for (const type of Object.keys(listeners)) window.addEventListener(type, hear as EventListener)
    window.addEventListener('dragleave', leave)
    return () => {
      for (const type of Object.keys(listeners)) window.removeEventListener(type, hear as EventListener)
      window.removeEventListener('dragleave', leave)
    }
  }, [])
  return over
}
