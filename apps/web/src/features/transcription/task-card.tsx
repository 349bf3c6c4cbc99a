import { Link } from '@tanstack/react-router'
import type { SpeechTask } from '@tidenet/contract'
import { FileAudio, FileText, X } from 'lucide-react'
import { type ChangeEvent, lazy, Suspense, useRef, useState } from 'react'
import { formatSize } from '../../lib/format.ts'
import { formatDuration } from '../../lib/phrases.ts'
import { refresh } from '../../lib/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { toast } from '../../ui/toast.ts'
import { speechApi } from './speech-api.ts'
import { TaskFrame } from './task-frame.tsx'
import { dismissTask, followTask, hasEnded } from './tasks.ts'
import { t } from './texts.ts'
import { startUpload, useUpload } from './upload.ts'
import { useProgress } from './use-progress.ts'

const CancelDialog = lazy(async () => ({ default: (await import('./cancel-dialog.tsx')).CancelDialog }))

/** In seconds. */
const SOON = 5

const tones = {
  uploading: 'quiet',
  processing: 'live',
  transcribing: 'live',
  complete: 'good',
  failed: 'bad',
  cancelled: 'quiet',
} as const satisfies Record<SpeechTask['state'], string>

/** A transcription as it goes on, until its text is there. */
export function TaskCard({ task }: { task: SpeechTask }) {
  const { id, name, state } = task
  const offline = useProgress(task)
  const [asking, setAsking] = useState(false)
  const [cancelling, setCancelling] = useState(false)
  const cancel = async () => {
    setAsking(false)
    setCancelling(true)
    try {
      followTask((await speechApi('speech.cancel', { id })).task)
      refresh('speech.account', 'speech.list', 'speech.check')
    } catch (error) {
      toast.error(error)
    }
    setCancelling(false)
  }
  return (
    <TaskFrame
      name={name}
      state={state === 'uploading' ? t.tasks.interrupted : t.states[state]}
      tone={tones[state]}
      actions={
        <>
          {state === 'complete' && (
            <Link to="/whisper" search={{ task: id }} className={buttonClass('primary')}>
              <FileText aria-hidden className="size-4" />
              {t.tasks.open}
            </Link>
          )}
          {hasEnded(task) ? (
            <Button aria-label={t.tasks.hideOf(name)} onClick={() => dismissTask(id)}>
              {t.tasks.hide}
            </Button>
          ) : (
            <Button
              aria-label={t.tasks.cancelOf(name)}
              icon={<X aria-hidden className="size-4" />}
              busy={cancelling}
              onClick={() => setAsking(true)}
            >
              {t.cancel}
            </Button>
          )}
        </>
      }
    >
      {state === 'uploading' ? <Interrupted task={task} /> : <Details task={task} offline={offline} />}
      {asking && (
        <Suspense>
          {/* A finished transcription can no longer be cancelled. */}
          <CancelDialog open={!hasEnded(task)} onClose={() => setAsking(false)} onCancel={() => void cancel()} />
        </Suspense>
      )}
    </TaskFrame>
  )
}

function Details({ task, offline }: { task: SpeechTask; offline: boolean }) {
  const { state, failure, position, estimate, waits_for_engine } = task
  if (state === 'complete') return null
  if (state === 'cancelled') return <p className="text-sm text-muted">{t.tasks.cancelled}</p>
  if (state === 'failed')
    return (
      <p className="text-sm">
        {t.failures[failure]} <span className="text-muted">{t.tasks.returned}</span>
      </p>
    )
  const facts = [
    ...(state === 'processing' && position > 0 ? [t.tasks.position(position)] : []),
    // The server counts down to one second, and may need longer.
    ...(estimate === null ? [] : [estimate <= SOON ? t.tasks.soon : t.tasks.estimate(formatDuration(estimate * 1000))]),
  ]
  return (
    <>
      <ProgressBar value={null} label={t.states[state]} />
      <p className="mt-2 text-sm tabular-nums">{facts.join(' · ')}</p>
      {waits_for_engine && (
        <p role="status" className="text-sm text-warn">
          {t.tasks.waitsForEngine}
        </p>
      )}
      <p role="status" className={offline ? 'text-sm text-warn' : 'text-sm text-muted'}>
        {offline ? t.tasks.offline : t.tasks.leave}
      </p>
    </>
  )
}

/** An upload that another page began: it continues with the same file. */
function Interrupted({ task }: { task: SpeechTask }) {
  const { name, size, received, language } = task
  const input = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState(false)
  const busy = useUpload(({ current }) => current !== undefined)
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? []
    currentTarget.value = ''
    if (!file) return
    const same = file.name === name && file.size === size
    setWrong(!same)
    if (same) void startUpload(file, language, task)
  }
  return (
    <>
      <ProgressBar value={(received / size) * 100} label={t.tasks.interrupted} />
      <p className="mt-1.5 text-sm text-muted tabular-nums">
        {t.tasks.uploaded(formatSize(received), formatSize(size))}
      </p>
      <p className="mt-1 text-sm">{t.tasks.interruptedText}</p>
      <input
        ref={input}
        type="file"
        hidden
        accept=".mp3,.wav,audio/mpeg,audio/wav"
        aria-label={t.tasks.continueWith}
        onChange={take}
      />
      <Button
        className="mt-3"
        disabled={busy}
        icon={<FileAudio aria-hidden className="size-4" />}
        onClick={() => input.current?.click()}
      >
        {t.tasks.continueWith}
      </Button>
      {wrong && (
        <p role="alert" className="mt-2 text-sm text-danger">
          {t.tasks.otherFile}
        </p>
      )}
    </>
  )
}
