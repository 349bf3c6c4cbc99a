import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, ExternalLink, FileUp, X } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { formatDateTime, formatPercent, formatSize, formatSpeed } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { t } from '../../lib/texts.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { CopyLine } from '../../ui/copy.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { pickedFromDrop, pickedFromInput } from '../transfers/picked.ts'
import { type Attempt, useAnonymousUpload } from './anonymous.ts'

/** One file of up to 100 MiB for a day, without an account. */
export function AnonymousUpload() {
  const { attempt, take, retry, reset } = useAnonymousUpload()
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="text-lg font-semibold">{t.home.tryTitle}</h2>
      <p className="mt-1 mb-4 text-sm text-muted">{t.home.tryText}</p>
      {attempt.state === 'idle' && <DropZone note={attempt.note} onTake={take} />}
      {attempt.state === 'running' && <Running attempt={attempt} />}
      {attempt.state === 'done' && <Result attempt={attempt} onAnother={reset} />}
      {attempt.state === 'failed' && (
        <div className="flex flex-col gap-3">
          <Notice tone="bad" live>
            <p className="font-medium wrap-anywhere">{attempt.file.name}</p>
            <p>{attempt.problem}</p>
          </Notice>
          <div className="flex gap-2">
            <Button look="primary" onClick={() => void retry(attempt.file)}>
              {t.words.retry}
            </Button>
            <Button onClick={reset}>{t.home.another}</Button>
          </div>
        </div>
      )}
    </Card>
  )
}

function DropZone({
  note,
  onTake,
}: {
  note?: string | undefined
  onTake: (picked: ReturnType<typeof pickedFromInput>) => void
}) {
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void pickedFromDrop(event.dataTransfer).then((picked) => picked.length > 0 && onTake(picked))
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way; the button inside does the same */}
      <div
        className={classes(
          'flex flex-col items-center gap-2 rounded-xl border-2 border-dashed px-4 py-9 text-center transition-colors',
          over ? 'border-accent bg-accent-soft' : 'border-control/60',
        )}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <FileUp aria-hidden className="size-7 text-accent" />
        <p className="font-medium">{over ? t.home.dropNow : t.home.drop}</p>
        <p className="text-sm text-muted">{t.home.or}</p>
        <Button onClick={() => input.current?.click()}>{t.home.choose}</Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t.home.choose}
          onChange={({ currentTarget }) => {
            if (currentTarget.files?.length) onTake(pickedFromInput(currentTarget.files))
            currentTarget.value = ''
          }}
        />
      </div>
      {note && (
        <p role="status" className="mt-3 text-sm text-muted">
          {note}
        </p>
      )}
    </>
  )
}

function Running({ attempt: { file, progress, nodes, cancel } }: { attempt: Extract<Attempt, { state: 'running' }> }) {
  const state = progress?.state ?? 'waiting'
  return (
    <div className="rounded-xl border border-line p-4">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="font-medium wrap-anywhere">{file.name}</p>
          <p className="text-sm text-muted">{formatSize(file.size)}</p>
        </div>
        <Button icon={<X aria-hidden className="size-4" />} disabled={state === 'finishing'} onClick={cancel}>
          {t.words.cancel}
        </Button>
      </div>
      <div className="py-3">
        <ProgressBar label={t.transfers.progressOf(file.name)} value={progress?.percent ?? 0} />
      </div>
      <p className="text-sm text-muted tabular-nums">
        <span role="status">
          {state === 'uploading' && nodes > 1 ? t.transfers.otherNode : t.transfers.state[state]}
        </span>
        {progress && state === 'uploading' && (
          <>
            {` · ${formatPercent(progress.loaded, progress.total, 2)}`}
            {progress.speed > 0 && ` · ${formatSpeed(progress.speed)}`}
          </>
        )}
      </p>
    </div>
  )
}

function Result({ attempt, onAnother }: { attempt: Extract<Attempt, { state: 'done' }>; onAnother: () => void }) {
  const info = useQuery({
    ...query('tempFiles.info', { cid: attempt.cid, filename: attempt.file.name }),
    refetchInterval: 5000,
  })
  const url = info.data && new URL(info.data.share_url, location.origin).href
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="flex items-center gap-2 font-medium text-good">
        <CircleCheck aria-hidden className="size-5" />
        {t.home.done}
      </p>
      <p className="wrap-anywhere">
        {attempt.file.name} <span className="text-muted">· {formatSize(attempt.file.size)}</span>
      </p>
      {url && (
        <>
          <div>
            <p className="mb-1 text-sm font-medium">{t.home.link}</p>
            <CopyLine text={url} label={t.home.copyLink} />
          </div>
          <p className="text-sm text-muted">
            {t.home.expires(formatDateTime(info.data.expires_at || attempt.until))}{' '}
            {t.home.downloadsLeft(info.data.downloads_left)} {t.home.copiesNow(info.data.complete)}
          </p>
          <div className="flex flex-wrap gap-2">
            <a href={url} target="_blank" rel="noreferrer" className={buttonClass('primary')}>
              <ExternalLink aria-hidden className="size-4" />
              {t.home.openLink}
            </a>
            <Button onClick={onAnother}>{t.home.another}</Button>
          </div>
        </>
      )}
      <Link to="/login" search={{ mode: 'signup' }} className="self-start text-sm text-accent hover:underline">
        {t.home.keep}
      </Link>
    </div>
  )
}
