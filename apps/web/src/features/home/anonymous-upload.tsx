import { FileUp } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import { useDrop } from '../../ui/use-drop.ts'
import type { Picked } from '../transfers/picked.ts'
import { readDrop } from '../transfers/read-drop.ts'
import { loadUploader, useAnonymousUpload } from './anonymous.ts'
import type { AnonymousAttempt } from './attempt.ts'
import { t } from './texts.ts'

const AttemptView = lazy(async () => ({ default: (await loadUploader()).AttemptView }))
const loadPicked = () => import('../transfers/picked.ts')

/** Loads the uploader early, when a file is dragged over or the picker opens. */
const preload = () => void Promise.all([loadUploader(), loadPicked()]).catch(() => {})

/** Uploads a file of up to 100 MiB for a day, without an account, and navigates to the result page. */
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

/** The upload without its frame. @param bare the page itself handles dropped files */
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
      <AttemptView attempt={attempt} {...rest} />
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
  const [failed, setFailed] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const take = (entries: FileSystemEntry[], files: File[]) =>
    loadPicked()
      .then(({ pickedFromEntries }) => pickedFromEntries(entries, files))
      .then(
        (picked) => picked.length > 0 && onTake(picked),
        () => setFailed(true),
      )
  const { over, handlers } = useDrop((transfer) => void take(...readDrop(transfer)), preload)
  const drops = !bare && handlers
  const message = failed ? shell.errors.chunkTitle : note
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
            preload()
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
      {message && (
        <p role="status" className="mt-3 text-sm text-muted">
          {message}
        </p>
      )}
    </>
  )
}
