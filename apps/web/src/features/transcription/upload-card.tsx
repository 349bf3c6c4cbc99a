import { X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { formatSize } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { toast } from '../../ui/toast.ts'
import { TaskFrame } from './task-frame.tsx'
import { t } from './texts.ts'
import { cancelUpload, dismissUpload, retryUpload, type SpeechUpload } from './upload.ts'

const CancelDialog = lazy(async () => ({ default: (await import('./cancel-dialog.tsx')).CancelDialog }))

/** The upload of this tab. */
export function UploadCard({ upload }: { upload: SpeechUpload }) {
  const [asking, setAsking] = useState(false)
  const { name, size, sent, state, error, resumable } = upload
  const failed = state === 'failed'
  return (
    <TaskFrame
      name={name}
      state={failed ? t.tasks.uploadFailed : t.tasks.uploading}
      tone={failed ? 'bad' : 'live'}
      actions={
        <>
          {failed && resumable && <Button onClick={() => void retryUpload()}>{t.tasks.retry}</Button>}
          {failed && !resumable ? (
            <Button aria-label={t.tasks.hideOf(name)} onClick={dismissUpload}>
              {t.tasks.hide}
            </Button>
          ) : (
            <Button
              aria-label={t.tasks.cancelOf(name)}
              icon={<X aria-hidden className="size-4" />}
              onClick={() => setAsking(true)}
            >
              {t.cancel}
            </Button>
          )}
        </>
      }
    >
      {failed ? (
        <p role="alert" className="text-sm text-danger">
          {messageOf(error)}
        </p>
      ) : (
        <>
          <ProgressBar value={(sent / size) * 100} label={t.tasks.uploading} />
          <p className="mt-1.5 text-sm text-muted tabular-nums">
            {t.tasks.uploaded(formatSize(sent), formatSize(size))}
          </p>
          {state === 'waiting' && (
            <p role="status" className="mt-1 text-sm text-warn">
              {t.tasks.waiting}
            </p>
          )}
        </>
      )}
      {asking && (
        <Suspense>
          <CancelDialog
            open
            onClose={() => setAsking(false)}
            onCancel={() => {
              setAsking(false)
              cancelUpload().catch((error: unknown) => toast.error(error))
            }}
          />
        </Suspense>
      )}
    </TaskFrame>
  )
}
