import type { SpeechTask } from '@tidenet/contract'
import { LoaderCircle, Play } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { formatDateTime, formatSize } from '../../lib/format.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { t } from './texts.ts'
import type { Player } from './use-player.ts'

/** The recording with the controls of the browser, once it is loaded. */
export function PlayerBar({
  task: { name, size, has_audio },
  player: { audio, url, loading, error, load, events },
}: {
  task: SpeechTask
  player: Player
}) {
  const [unplayable, setUnplayable] = useState(false)
  const v = t.view
  if (!has_audio) return <p className="text-sm text-muted">{v.gone}</p>
  return (
    <section aria-label={v.player}>
      {url ? (
        <audio
          ref={audio}
          controls
          preload="auto"
          src={url}
          aria-label={name}
          className="h-10 w-full"
          onError={() => setUnplayable(true)}
          {...events}
        />
      ) : loading ? (
        <p role="status" className="flex min-h-10 items-center gap-2 text-sm text-muted">
          <LoaderCircle aria-hidden className="size-4 animate-spin" />
          {v.loading}
        </p>
      ) : error ? (
        <div role="alert" className="flex flex-wrap items-center gap-3 text-sm text-danger">
          {v.loadFailed}: {messageOf(error)}
          <Button onClick={load}>{shell.words.retry}</Button>
        </div>
      ) : (
        <Button icon={<Play aria-hidden className="size-4" />} onClick={load}>
          {v.load(formatSize(size))}
        </Button>
      )}
      {unplayable && (
        <p role="alert" className="text-sm text-danger">
          {v.unplayable}
        </p>
      )}
    </section>
  )
}

/** How long the recording is kept, and the way to delete it before. */
export function AudioNote({ task: { audio_until, has_audio }, onRemove }: { task: SpeechTask; onRemove: () => void }) {
  if (!has_audio || audio_until === null) return <div className="mb-4" />
  return (
    <p className="mt-1.5 mb-3 flex flex-wrap items-baseline gap-x-3 px-1 text-sm text-muted">
      {t.view.until(formatDateTime(audio_until))}
      <button
        type="button"
        className="inline-flex min-h-7 items-center text-accent underline hover:text-accent-strong"
        onClick={onRemove}
      >
        {t.view.removeAudio}
      </button>
    </p>
  )
}
