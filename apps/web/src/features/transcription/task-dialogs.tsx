import type { SpeechTask } from '@tidenet/contract'
import { SPEECH_NAME_MAX } from '@tidenet/contract/speech'
import { useState } from 'react'
import { refresh } from '../../lib/queries.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { speechApi } from './speech-api.ts'
import { dismissTask, forgetRecording } from './tasks.ts'
import { t } from './texts.ts'

export function RenameDialog({ task: { id, name }, onClose }: { task: SpeechTask; onClose: () => void }) {
  return (
    <NameDialog
      title={t.renameTitle}
      label={t.list.name}
      action={t.rename}
      initial={name}
      max={SPEECH_NAME_MAX}
      onClose={onClose}
      onSubmit={async (next) => {
        await speechApi('speech.rename', { id, name: next })
        refresh('speech.list', 'speech.search', 'speech.transcript')
      }}
    />
  )
}

/** Confirms and deletes a transcript with its recording. */
export function RemoveDialog({
  task: { id, name },
  onClose,
  onRemoved,
}: {
  task: SpeechTask
  onClose: () => void
  onRemoved?: () => void
}) {
  const remove = async () => {
    await speechApi('speech.remove', { id })
    forgetRecording(id)
    dismissTask(id)
    refresh('speech.list', 'speech.search', 'speech.check', 'speech.account')
    toast.success(t.removed)
    onRemoved?.()
  }
  return (
    <Confirm title={t.removeTitle} text={t.removeText(name)} action={t.remove} onClose={onClose} onConfirm={remove} />
  )
}

export function RemoveAudioDialog({ task: { id }, onClose }: { task: SpeechTask; onClose: () => void }) {
  const remove = async () => {
    await speechApi('speech.removeAudio', { id })
    forgetRecording(id)
    refresh('speech.transcript', 'speech.list')
  }
  return (
    <Confirm
      title={t.view.removeAudioTitle}
      text={t.view.removeAudioText}
      action={t.remove}
      onClose={onClose}
      onConfirm={remove}
    />
  )
}

function Confirm({
  title,
  text,
  action,
  onClose,
  onConfirm,
}: {
  title: string
  text: string
  action: string
  onClose: () => void
  onConfirm: () => Promise<void>
}) {
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      toast.error(error)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={text}
      actions={
        <>
          <Button onClick={onClose}>{shell.words.cancel}</Button>
          <Button look="danger" busy={busy} onClick={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    />
  )
}
