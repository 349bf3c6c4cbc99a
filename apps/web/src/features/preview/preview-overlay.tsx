import { Dialog as Base } from '@base-ui/react/dialog'
import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react'
import { type ReactNode, type TouchEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatNumber, formatSize } from '../../lib/format.ts'
import { Button, IconButton, iconButtonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { FileBody } from './file-body.tsx'
import { kindOf } from './file-icon.tsx'
import { previewKind } from './kinds.ts'
import { OriginNote } from './origin-note.tsx'
import type { Source } from './source.ts'
import { t } from './texts.ts'
import type { Origin } from './viewer.tsx'

/** A file to preview. */
export interface PreviewFile {
  source: Source
  name: string
  size: number
  encrypted: boolean
}

interface PreviewOverlayProps {
  /** Undefined while it is found. */
  file: PreviewFile | undefined
  /** Instead of the file, if there is none. */
  problem?: ReactNode
  /** Which version of the file it is. */
  note?: string
  /** Place in the folder, from 0. */
  position?: { index: number; count: number } | undefined
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
  onDownload: (passphrase: string | undefined) => void
  onClose: () => void
}

/** Shortest movement of a finger that changes the file, in px. */
const SWIPE_PX = 60

/** A file over the page that lists it, with the ways to the next and the previous one. */
export function PreviewOverlay(props: PreviewOverlayProps) {
  const { file, problem, note, position, onPrevious, onNext, onDownload, onClose } = props
  const [passphrase, setPassphrase] = useState<string>()
  const popup = useRef<HTMLDivElement>(null)
  const swipe = useSwipe(onPrevious, onNext)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return
    if (usesArrows(event.target)) return
    const go = event.key === 'ArrowLeft' ? onPrevious : event.key === 'ArrowRight' ? onNext : undefined
    if (!go) return
    event.preventDefault()
    go()
  })
  useEffect(() => {
    // A button that becomes disabled at the end of a folder loses the focus, so keys may arrive outside the dialog. The dialog stops
    // arrow keys, so they are caught before it.
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [])
  const download = () => onDownload(file?.encrypted ? passphrase : undefined)
  return (
    <Base.Root open onOpenChange={(open) => open || onClose()} disablePointerDismissal>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 bg-shade" />
        <Base.Popup
          ref={popup}
          initialFocus={popup}
          {...swipe}
          className="fixed inset-0 flex flex-col bg-surface outline-none sm:inset-4 sm:rounded-2xl sm:border sm:border-line sm:shadow-raised"
        >
          <div className="flex items-center gap-2 border-b border-line py-2 pr-2 pl-4">
            <div className="min-w-0 flex-1">
              <Base.Title className="truncate text-base leading-6 font-semibold" title={file?.name}>
                <bdi>{file?.name ?? t.heading}</bdi>
              </Base.Title>
              <p className="truncate text-sm text-muted tabular-nums" role="status">
                {file && `${kindOf(file.name, false)} · ${formatSize(file.size)}`}
                {note && ` · ${note}`}
                {position && ` · ${t.browse.position(formatNumber(position.index + 1), formatNumber(position.count))}`}
              </p>
            </div>
            <IconButton label={t.browse.previous} disabled={!onPrevious} onClick={onPrevious}>
              <ChevronLeft aria-hidden className="size-5" />
            </IconButton>
            <IconButton label={t.browse.next} disabled={!onNext} onClick={onNext}>
              <ChevronRight aria-hidden className="size-5" />
            </IconButton>
            <IconButton label={t.download} disabled={!file} onClick={download}>
              <Download aria-hidden className="size-4.5" />
            </IconButton>
            <Base.Close className={iconButtonClass()} aria-label={t.browse.close}>
              <X aria-hidden className="size-5" />
            </Base.Close>
          </div>
          {problem ? (
            <div className="min-h-0 flex-1 overflow-auto">{problem}</div>
          ) : (
            file && (
              <Shown
                key={`${file.source.cid} ${file.source.path ?? ''} ${file.name}`}
                file={file}
                passphrase={passphrase}
                onPassphrase={setPassphrase}
                onDownload={download}
              />
            )
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

function Shown({
  file,
  passphrase,
  onPassphrase,
  onDownload,
}: {
  file: PreviewFile
  passphrase: string | undefined
  onPassphrase: (passphrase: string) => void
  onDownload: () => void
}) {
  const [origin, setOrigin] = useState<Origin>()
  return (
    <>
      <div className="min-h-0 flex-1 overflow-auto">
        <FileBody
          {...file}
          passphrase={passphrase}
          onPassphrase={onPassphrase}
          onOrigin={setOrigin}
          download={
            <Button look="primary" icon={<Download aria-hidden className="size-4" />} onClick={onDownload}>
              {t.download}
            </Button>
          }
        />
      </div>
      <div className={classes('border-t border-line px-4 py-2', previewKind(file.name) === 'none' && 'hidden')}>
        <OriginNote origin={origin} size={file.size} />
      </div>
    </>
  )
}

/** Calls the way to the next or previous file when one finger moves sideways, except where it scrolls or moves a picture. */
function useSwipe(onPrevious: (() => void) | undefined, onNext: (() => void) | undefined) {
  const from = useRef<{ x: number; y: number }>(undefined)
  return {
    onTouchStart({ touches, target }: TouchEvent) {
      const touch = touches[0]
      const free = touch && touches.length === 1 && !usesArrows(target)
      from.current = free ? { x: touch.clientX, y: touch.clientY } : undefined
    },
    onTouchEnd({ changedTouches }: TouchEvent) {
      const touch = changedTouches[0]
      const start = from.current
      from.current = undefined
      if (!touch || !start) return
      const [x, y] = [touch.clientX - start.x, touch.clientY - start.y]
      if (Math.abs(x) < SWIPE_PX || Math.abs(x) < 2 * Math.abs(y)) return
      if (x > 0) onPrevious?.()
      else onNext?.()
    },
  }
}

/** Whether an element itself moves sideways: fields, players, and what can be scrolled. */
function usesArrows(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest('video, audio, input, select, textarea, [role=combobox], [role=listbox], [data-keeps-arrows]'))
    return true
  for (let at: Element | null = target; at; at = at.parentElement)
    if (at.scrollWidth > at.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true
  return false
}
