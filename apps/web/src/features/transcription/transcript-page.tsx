import { Link, useNavigate } from '@tanstack/react-router'
import type { Output, RouteOf } from '@tidenet/contract'
import { SPEECH_FORMATS, type SpeechFormat } from '@tidenet/contract/speech'
import { ArrowLeft, ChevronDown, Download, Ellipsis, FolderDown, Lock } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { formatDuration } from '../../lib/phrases.ts'
import { useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { Button, buttonClass, iconButtonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { AudioNote, PlayerBar } from './player-bar.tsx'
import { saveFile } from './save-file.ts'
import { downloadTranscript, speechQuery } from './speech-api.ts'
import { t } from './texts.ts'
import { TranscriptText } from './transcript-text.tsx'
import { type Edits, useEdits } from './use-edits.ts'
import { usePlayer } from './use-player.ts'

const RenameDialog = lazy(async () => ({ default: (await import('./task-dialogs.tsx')).RenameDialog }))
const RemoveDialog = lazy(async () => ({ default: (await import('./task-dialogs.tsx')).RemoveDialog }))
const RemoveAudioDialog = lazy(async () => ({ default: (await import('./task-dialogs.tsx')).RemoveAudioDialog }))
const SaveToStorage = lazy(async () => ({ default: (await import('./save-to-storage.tsx')).SaveToStorage }))

type Transcript = Output<RouteOf<'speech.transcript'>>

/** One transcript beside its recording. @param segment index of the segment to show at first */
export function TranscriptPage({ id, segment }: { id: string; segment: number | undefined }) {
  const signedIn = useSession((session) => session.token !== '')
  const { data, error, refetch } = useQuery({ ...speechQuery('speech.transcript', { id }), enabled: signedIn })
  usePageTitle(data?.task.name)
  return (
    <Page>
      <Link
        to="/whisper"
        hash="transcripts"
        className="mb-6 inline-flex min-h-7 items-center gap-1.5 text-sm text-accent hover:underline"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {t.view.back}
      </Link>
      {!signedIn ? (
        <Empty icon={<Lock aria-hidden className="size-5" />} title={t.view.signIn}>
          <p>{t.view.signInText}</p>
          <Link to="/login" search={{ redirect: `/whisper?task=${id}` }} className={buttonClass('primary', 'mt-4')}>
            {t.view.signIn}
          </Link>
        </Empty>
      ) : data ? (
        <View key={id} loaded={data} segment={segment} />
      ) : error ? (
        <LoadFailed title={t.view.failed} error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </Page>
  )
}

function View({ loaded, segment }: { loaded: Transcript; segment: number | undefined }) {
  const { task } = loaded
  const edits = useEdits(loaded)
  const player = usePlayer(task, segment === undefined ? undefined : loaded.segments[segment]?.start)
  const [removingAudio, setRemovingAudio] = useState(false)
  const { name, language, seconds, created_at } = task
  return (
    <>
      <div className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0 flex-1 basis-72">
          <h1 className="text-2xl leading-8 font-semibold tracking-tight wrap-anywhere">{name}</h1>
          <p className="mt-1 text-sm text-muted tabular-nums">
            {[
              t.language.names[language],
              ...(seconds === null ? [] : [formatDuration(seconds * 1000)]),
              formatDateTime(created_at),
            ].join(' · ')}
          </p>
        </div>
        <Actions loaded={loaded} edits={edits} onRemoveAudio={() => setRemovingAudio(true)} />
      </div>
      <div className="sticky top-16 z-10 rounded-2xl border border-line bg-surface px-4 py-3">
        <PlayerBar task={task} player={player} />
      </div>
      <AudioNote task={task} onRemove={() => setRemovingAudio(true)} />
      <TranscriptText task={task} edits={edits} player={player} shown={segment} />
      {removingAudio && (
        <Suspense>
          <RemoveAudioDialog task={task} onClose={() => setRemovingAudio(false)} />
        </Suspense>
      )}
    </>
  )
}

function Actions({
  loaded: { task },
  edits,
  onRemoveAudio,
}: {
  loaded: Transcript
  edits: Edits
  onRemoveAudio: () => void
}) {
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'rename' | 'remove' | 'save'>()
  const close = () => setAsked(undefined)
  /** A file must equal the text on the screen. */
  const saved = async () => {
    if (await edits.flush()) return true
    toast.error(t.view.exportFailed)
    return false
  }
  const exportAs = async (format: SpeechFormat) => {
    try {
      if (await saved()) saveFile(await downloadTranscript(task.id, format))
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <CopyButton text={edits.segments.map(({ text }) => text).join('\n')}>{t.copy}</CopyButton>
      <Menu
        triggerClass={buttonClass()}
        trigger={
          <>
            <Download aria-hidden className="size-4" />
            {t.exportIt}
            <ChevronDown aria-hidden className="size-3.5" />
          </>
        }
      >
        {SPEECH_FORMATS.map((format) => (
          <MenuItem key={format} onSelect={() => void exportAs(format)}>
            {t.view.exportAs[format]}
          </MenuItem>
        ))}
      </Menu>
      <Button
        icon={<FolderDown aria-hidden className="size-4" />}
        onClick={() => void saved().then((done) => done && setAsked('save'))}
      >
        {t.view.save}
      </Button>
      <Menu
        label={t.list.actions(task.name)}
        triggerClass={iconButtonClass()}
        trigger={<Ellipsis aria-hidden className="size-5" />}
      >
        <MenuItem onSelect={() => setAsked('rename')}>{t.rename}</MenuItem>
        {task.has_audio && (
          <MenuItem danger onSelect={onRemoveAudio}>
            {t.view.removeAudio}
          </MenuItem>
        )}
        <MenuItem danger onSelect={() => setAsked('remove')}>
          {t.remove}
        </MenuItem>
      </Menu>
      <Suspense>
        {asked === 'rename' && <RenameDialog task={task} onClose={close} />}
        {asked === 'remove' && (
          <RemoveDialog task={task} onClose={close} onRemoved={() => void navigate({ to: '/whisper' })} />
        )}
        {asked === 'save' && <SaveToStorage task={task} onClose={close} />}
      </Suspense>
    </div>
  )
}
