import { FileUp } from 'lucide-react'
import { type DragEvent, lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import { dropped } from '../transfers/dropped.ts'
import type { Picked } from '../transfers/picked.ts'
import { going, useAnonymousUpload } from './anonymous.ts'
import type { AnonymousAttempt } from './attempt.ts'
import { t } from './texts.ts'

const Going = lazy(async () => ({ default: (await going()).Going }))
const picking = () => import('../transfers/picked.ts')

/** Whoever is about to bring a file will need the rest in a moment. */
const early = () => void Promise.all([going(), picking()]).catch(() => {})

/** One file of up to 100 MiB for a day, without an account. Goes on to the page of the result. */
export function AnonymousUpload() {
  const upload = useAnonymousUpload()
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="text-lg font-semibold">{t.card.title}</h2>
      <p className="mt-1 mb-4 text-sm text-muted">{t.card.text}</p>
      <AnonymousCard upload={upload} />
    </Card>
  )
}

/** The same without its frame, for pages that take what is dropped elsewhere. `bare`: the page itself takes drops. */
export function AnonymousCard({
  upload: { attempt, take, ...rest },
  bare = false,
}: {
  upload: AnonymousAttempt
  bare?: boolean
}): ReactNode {
  if (attempt.state === 'idle') return <DropZone note={attempt.note} onTake={take} bare={bare} />
  return (
    <Suspense fallback={<div className="min-h-32" />}>
      <Going attempt={attempt} {...rest} />
    </Suspense>
  )
}

function DropZone({
  note,
  onTake,
  bare,
}: {
  note?: string | undefined
  onTake: (picked: readonly Picked[]) => void
  bare: boolean
}) {
  const [over, setOver] = useState(false)
  const [failed, setFailed] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const take = (entries: FileSystemEntry[], files: File[]) =>
    picking()
      .then(({ pickedFromEntries }) => pickedFromEntries(entries, files))
      .then(
        (picked) => picked.length > 0 && onTake(picked),
        () => setFailed(true),
      )
  const drops = !bare && {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      if (!over) early()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      void take(...dropped(event.dataTransfer))
    },
  }
  const said = failed ? shell.errors.chunkTitle : note
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
        <p className="font-medium">{over ? t.card.dropNow : t.card.drop}</p>
        <p className="text-sm text-muted">{t.card.or}</p>
        <Button
          onClick={() => {
            early()
            input.current?.click()
          }}
        >
          {t.card.choose}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t.card.choose}
          onChange={({ currentTarget }) => {
            void take([], [...(currentTarget.files ?? [])])
            currentTarget.value = ''
          }}
        />
      </div>
      {said && (
        <p role="status" className="mt-3 text-sm text-muted">
          {said}
        </p>
      )}
    </>
  )
}
