import type { SpeechTask } from '@tidenet/contract'
import { SPEECH_FORMATS, type SpeechFormat } from '@tidenet/contract/speech'
import { Folder } from 'lucide-react'
import { useState } from 'react'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { beginUploads } from '../files/begin-uploads.ts'
import { ConflictDialog } from '../files/conflict-dialog.tsx'
import { useConflicts } from '../files/conflicts.ts'
import { FolderPicker } from '../files/folder-picker.tsx'
import type { Picked } from '../transfers/picked.ts'
import { type Download, downloadAudio, downloadTranscript } from './speech-api.ts'
import { t } from './texts.ts'

type Part = 'audio' | SpeechFormat

/** Uploads the recording and its transcript to a folder of the account, side by side. */
export function SaveToStorage({ task, onClose }: { task: SpeechTask; onClose: () => void }) {
  const { id, has_audio } = task
  const [parts, setParts] = useState<ReadonlySet<Part>>(new Set(has_audio ? ['audio', 'txt', 'srt'] : ['txt', 'srt']))
  const [folder, setFolder] = useState({ id: 0, name: t.view.saveRoot })
  const [step, setStep] = useState<'choose' | 'folder' | 'saving'>('choose')
  const isAsked = useConflicts(({ asking }) => asking !== undefined)
  const offered: readonly Part[] = [...(has_audio ? (['audio'] as const) : []), ...SPEECH_FORMATS]

  const save = async () => {
    setStep('saving')
    try {
      const files = await Promise.all(offered.filter((part) => parts.has(part)).map((part) => fetchPart(id, part)))
      const count = await beginUploads(files.map(toPicked), { folder: folder.id, areas: [] }, folder.name)
      if (count > 0) toast.success(t.view.saveStarted(count))
      onClose()
    } catch (error) {
      toast.error(error)
      setStep('choose')
    }
  }
  if (step === 'folder')
    return (
      <FolderPicker
        value={folder}
        onClose={() => setStep('choose')}
        onChoose={(next) => {
          setFolder({ id: next.id, name: next.id === 0 ? t.view.saveRoot : next.name })
          setStep('choose')
        }}
      />
    )
  return (
    <>
      <Dialog
        // A press in the question about names would close this dialog, and the question with it.
        open={!isAsked}
        onClose={onClose}
        title={t.view.saveTitle}
        description={t.view.saveIntro}
        actions={
          <>
            <Button onClick={onClose}>{shell.words.cancel}</Button>
            <Button look="primary" busy={step === 'saving'} disabled={parts.size === 0} onClick={() => void save()}>
              {t.view.saveGo}
            </Button>
          </>
        }
      >
        <fieldset>
          <legend className="mb-1.5 text-sm font-medium">{t.view.saveWhat}</legend>
          <div className="grid gap-2">
            {offered.map((part) => (
              <Checkbox
                key={part}
                checked={parts.has(part)}
                onChange={(on) => setParts(new Set(on ? [...parts, part] : [...parts].filter((each) => each !== part)))}
              >
                {part === 'audio' ? t.view.saveAudio : t.view.exportAs[part]}
              </Checkbox>
            ))}
          </div>
        </fieldset>
        {parts.size === 0 && (
          <p role="status" className="mt-2 text-sm text-warn">
            {t.view.saveNothing}
          </p>
        )}
        <p className="mt-5 mb-1.5 text-sm font-medium">{t.view.saveFolder}</p>
        <div className="flex items-center gap-3 rounded-lg border border-line py-1 pr-1 pl-3">
          <Folder aria-hidden className="size-4.5 shrink-0 fill-accent-soft text-accent" />
          <span className="min-w-0 flex-1 truncate">{folder.name}</span>
          <Button look="ghost" onClick={() => setStep('folder')}>
            {t.view.saveChange}
          </Button>
        </div>
      </Dialog>
      <ConflictDialog />
    </>
  )
}

/** The server names the files: one base name for all of them. */
async function fetchPart(id: string, part: Part): Promise<Download> {
  return part === 'audio' ? downloadAudio(id) : downloadTranscript(id, part)
}

function toPicked({ name, blob }: Download): Picked {
  const file = new File([blob], name, { type: blob.type })
  return { kind: 'file', name, size: file.size, file }
}
