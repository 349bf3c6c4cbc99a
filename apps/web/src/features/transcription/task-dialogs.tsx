import type { SpeechTask } from '@tidenet/contract'
import { SPEECH_NAME_MAX } from '@tidenet/contract/speech'
import { refresh } from '../../lib/queries.ts'
import { Confirm } from '../../ui/confirm.tsx'
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
    onClose()
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
    onClose()
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
