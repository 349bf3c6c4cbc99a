import { useLocation } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useState } from 'react'
import { addressAt } from '../../addresses.ts'
import { IconButton } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { t } from './texts.ts'
import { UploadQueue, useQueueSummary } from './upload-queue.tsx'
import { clearEnded } from './uploads.ts'

/** All uploads of this tab, in the corner of every page except the upload page. */
export function UploadPanel() {
  const { pathname } = useLocation()
  const { text, left, list } = useQueueSummary()
  const [open, setOpen] = useState(true)
  if (list.length === 0 || addressAt(pathname) === 'upload') return null
  const [loaded, total] = list.reduce(([a, b], { loaded, total }) => [a + loaded, b + total], [0, 0])
  return (
    <section
      ref={publishHeight}
      aria-label={t.queueTitle}
      className="fixed right-0 bottom-0 left-0 z-20 overflow-hidden border border-line bg-surface shadow-raised sm:right-4 sm:bottom-4 sm:left-auto sm:w-100 sm:rounded-2xl"
    >
      <div className="flex items-center gap-1 py-1.5 pr-2 pl-4">
        <p className="min-w-0 flex-1 text-sm font-semibold" role="status">
          {text}
        </p>
        <IconButton label={open ? t.collapse : t.expand} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? <ChevronDown aria-hidden className="size-5" /> : <ChevronUp aria-hidden className="size-5" />}
        </IconButton>
        {left.length === 0 && (
          <IconButton label={t.clear} onClick={clearEnded}>
            <X aria-hidden className="size-5" />
          </IconButton>
        )}
      </div>
      {!open && left.length > 0 && (
        <div className="px-4 pb-3">
          <ProgressBar label={text} value={total > 0 ? Math.min(100, (loaded / total) * 100) : null} />
        </div>
      )}
      {open && <UploadQueue className="max-h-[min(22rem,45dvh)] overflow-y-auto border-t border-line py-1" />}
    </section>
  )
}

/** Sets `--upload-panel-height` of the document, for elements that float above the panel. */
function publishHeight(panel: HTMLElement) {
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => style.setProperty('--upload-panel-height', `${panel.offsetHeight + 16}px`))
  observer.observe(panel)
  return () => {
    observer.disconnect()
    style.removeProperty('--upload-panel-height')
  }
}
