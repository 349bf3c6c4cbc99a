import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { t } from './texts.ts'
import { canRetry, hasEnded, type Upload, useUploads } from './upload-list.ts'
import { UploadRow } from './upload-row.tsx'
import { cancelUpload, pauseUpload, resumeUpload, retryUpload } from './uploads.ts'

/** Rows shown at first; the rest is counted. */
const INITIAL_ROWS = 60

/** Order of rows: running, failed, waiting, completed. */
const rank = ({ stage }: Upload): number =>
  stage === 'failed' ? 1 : stage === 'waiting' || stage === 'paused' ? 2 : hasEnded({ stage }) ? 3 : 0

/** The uploads of this tab, with a summary in one line. */
export function useQueueSummary(): { text: string; left: Upload[]; failed: Upload[]; list: Upload[] } {
  const list = useUploads((state) => state.list)
  const left = list.filter((upload) => !hasEnded(upload))
  const failed = list.filter(({ stage }) => stage === 'failed')
  const done = list.filter(({ stage }) => stage === 'done').length
  const paused = left.length > 0 && left.every(({ stage }) => stage === 'paused')
  const parts =
    left.length > 0 ? [paused ? t.queuePaused(left.length) : t.queueActive(left.length)] : [t.queueDone(done)]
  if (failed.length > 0) parts.push(t.queueFailed(failed.length))
  return { text: parts.join(' · '), left, failed, list }
}

/** All uploads with their actions; `open` hides completed ones. */
export function UploadQueue({ className, open = false }: { className?: string; open?: boolean }) {
  const { list: whole, left, failed } = useQueueSummary()
  const list = open ? whole.filter(({ stage }) => stage !== 'done') : whole
  const [shown, setShown] = useState(INITIAL_ROWS)
  // Short lists are not sorted, so that rows do not move under the pointer.
  const rows = list.length > INITIAL_ROWS ? [...list].sort((a, b) => rank(a) - rank(b)) : list
  const pausable = left.filter(({ stage }) => stage !== 'paused')
  const paused = left.filter(({ stage }) => stage === 'paused')
  const retryable = failed.filter(canRetry)
  useEffect(() => {
    if (list.length <= INITIAL_ROWS) setShown(INITIAL_ROWS)
  }, [list.length])
  return (
    <>
      <ul className={className} aria-label={t.queueTitle}>
        {rows.slice(0, shown).map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
        {rows.length > shown && (
          <li className="px-4 py-2 text-center">
            <Button look="ghost" onClick={() => setShown(shown + INITIAL_ROWS * 4)}>
              {`+ ${(rows.length - shown).toLocaleString()}`}
            </Button>
          </li>
        )}
      </ul>
      {(retryable.length > 0 || left.length > 0) && (
        <div className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-2">
          {retryable.length > 0 && <Button onClick={() => forAll(retryable, retryUpload)}>{t.retryFailed}</Button>}
          {paused.length > 0 && <Button onClick={() => forAll(paused, resumeUpload)}>{t.resumeAll}</Button>}
          {pausable.length > 0 && (
            <Button look="ghost" onClick={() => forAll(pausable, pauseUpload)}>
              {t.pauseAll}
            </Button>
          )}
          {left.length > 0 && (
            <Button look="ghost" onClick={() => forAll(left, cancelUpload)}>
              {t.cancelAll}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

function forAll(uploads: readonly Upload[], act: (id: number) => void): void {
  // Last first: otherwise each stopped upload would let a waiting one start.
  for (const { id } of [...uploads].reverse()) act(id)
}
