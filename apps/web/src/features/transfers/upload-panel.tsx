import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../lib/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { UploadRow } from './upload-row.tsx'
import { cancelUpload, clearEnded, hasEnded, retryUpload, type Upload, useUploads } from './uploads.ts'

/** All uploads of this tab, in the corner of every page. */
export function UploadPanel() {
  const list = useUploads((state) => state.list)
  const [open, setOpen] = useState(true)
  if (list.length === 0) return null
  const left = list.filter((upload) => !hasEnded(upload))
  const failed = list.filter(({ stage }) => stage === 'failed')
  return (
    <section
      aria-label={t.transfers.queueTitle}
      className="fixed right-0 bottom-0 left-0 z-20 overflow-hidden border border-line bg-surface shadow-raised sm:right-4 sm:bottom-4 sm:left-auto sm:w-96 sm:rounded-2xl"
    >
      <div className="flex items-center gap-1 py-1.5 pr-2 pl-4">
        <p className="min-w-0 flex-1 text-sm font-semibold" role="status">
          {summary(list, left.length, failed.length)}
        </p>
        <IconButton
          label={open ? t.transfers.collapse : t.transfers.expand}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? <ChevronDown aria-hidden className="size-5" /> : <ChevronUp aria-hidden className="size-5" />}
        </IconButton>
        {left.length === 0 && (
          <IconButton label={t.transfers.clear} onClick={clearEnded}>
            <X aria-hidden className="size-5" />
          </IconButton>
        )}
      </div>
      {open && (
        <>
          <ul className="max-h-[min(22rem,45dvh)] overflow-y-auto border-t border-line py-1">
            {list.map((upload) => (
              <UploadRow key={upload.id} upload={upload} />
            ))}
          </ul>
          {(failed.length > 0 || left.length > 0) && (
            <div className="flex justify-end gap-2 border-t border-line px-4 py-2">
              {failed.length > 0 && (
                <Button onClick={() => forAll(failed, retryUpload)}>{t.transfers.retryFailed}</Button>
              )}
              {left.length > 0 && (
                <Button look="ghost" onClick={() => forAll(left, cancelUpload)}>
                  {t.transfers.cancelAll}
                </Button>
              )}
            </div>
          )}
        </>
      )}
    </section>
  )
}

function forAll(uploads: readonly Upload[], act: (id: number) => void): void {
  for (const { id } of uploads) act(id)
}

function summary(list: readonly Upload[], left: number, failed: number): string {
  if (left > 0) return t.transfers.queueActive(left)
  const done = list.filter(({ stage }) => stage === 'done').length
  return [t.transfers.queueDone(done), failed > 0 && t.transfers.queueFailed(failed)].filter(Boolean).join(' · ')
}
