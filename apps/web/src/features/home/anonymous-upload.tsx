import { Link, useNavigate } from '@tanstack/react-router'
import { CircleCheck, FileUp } from 'lucide-react'
import { type DragEvent, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { t as shell } from '../../lib/texts.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Card, Notice } from '../../ui/states.tsx'
import { pickedFromDrop, pickedFromInput } from '../transfers/picked.ts'
import { type AnonymousAttempt, useAnonymousUpload } from './anonymous.ts'
import { t } from './card-texts.ts'

const Running = lazy(async () => ({ default: (await import('./anonymous-running.tsx')).Running }))

/** One file of up to 100 MiB for a day, without an account. Goes on to the page of the result. */
export function AnonymousUpload() {
  const upload = useAnonymousUpload()
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="text-lg font-semibold">{t.title}</h2>
      <p className="mt-1 mb-4 text-sm text-muted">{t.text}</p>
      <AnonymousCard upload={upload} />
    </Card>
  )
}

/** The same without its frame, for pages that take what is dropped elsewhere. `bare`: the page itself takes drops. */
export function AnonymousCard({
  upload: { attempt, take, retry, reset },
  bare = false,
}: {
  upload: AnonymousAttempt
  bare?: boolean
}): ReactNode {
  const navigate = useNavigate()
  const done = attempt.state === 'done' ? attempt : undefined
  useEffect(() => {
    if (done) void navigate({ to: '/homeupload', search: { cid: done.cid, name: done.file.name } })
  }, [done, navigate])
  if (attempt.state === 'idle') return <DropZone note={attempt.note} onTake={take} bare={bare} />
  if (attempt.state === 'running')
    return (
      <Suspense fallback={<div className="min-h-32" />}>
        <Running attempt={attempt} />
      </Suspense>
    )
  if (attempt.state === 'done')
    return (
      <div className="flex flex-col items-start gap-3">
        <p role="status" className="flex items-center gap-2 font-medium text-good">
          <CircleCheck aria-hidden className="size-5" />
          {t.done}
        </p>
        <Link
          to="/homeupload"
          search={{ cid: attempt.cid, name: attempt.file.name }}
          className={buttonClass('primary')}
        >
          {t.toResult}
        </Link>
      </div>
    )
  return (
    <div className="flex flex-col gap-3">
      <Notice tone="bad" live>
        <p className="font-medium wrap-anywhere">{attempt.file.name}</p>
        <p>{attempt.problem}</p>
      </Notice>
      <div className="flex gap-2">
        <Button look="primary" onClick={() => void retry(attempt.file)}>
          {shell.words.retry}
        </Button>
        <Button onClick={reset}>{t.another}</Button>
      </div>
    </div>
  )
}

function DropZone({
  note,
  onTake,
  bare,
}: {
  note?: string | undefined
  onTake: (picked: ReturnType<typeof pickedFromInput>) => void
  bare: boolean
}) {
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void pickedFromDrop(event.dataTransfer).then((picked) => picked.length > 0 && onTake(picked))
  }
  const drops = !bare && {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: drop,
  }
  return (
    <>
      <div
        className={classes(
          'flex flex-col items-center gap-2 rounded-xl border-2 border-dashed px-4 py-9 text-center transition-colors',
          over ? 'border-accent bg-accent-soft' : 'border-control/60',
        )}
        {...drops}
      >
        <FileUp aria-hidden className="size-7 text-accent" />
        <p className="font-medium">{over ? t.dropNow : t.drop}</p>
        <p className="text-sm text-muted">{t.or}</p>
        <Button onClick={() => input.current?.click()}>{t.choose}</Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t.choose}
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
