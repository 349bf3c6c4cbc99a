import { CircleAlert, CircleCheck, FolderUp, RotateCcw, Upload, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatNumber, formatSize } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { anonymousStorage } from '../../lib/storage.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { ProgressBar } from '../../ui/progress.tsx'
import { Card } from '../../ui/states.tsx'
import { useDrop } from '../../ui/use-drop.ts'
import type { UploadTarget } from './short-link-gate.tsx'
import { t } from './upload-texts.ts'

interface Item {
  id: number
  file: File
  state: 'waiting' | 'sending' | 'done' | 'failed'
  percent: number
  problem?: string
  stop?: AbortController
}

/** Files at once. More would only share the visitor's connection. */
const AT_ONCE = 2

/** A visitor's page of a link that receives files: chooses files, uploads them, and shows nothing of the folder. */
export function UploadByLink({ target }: { target: UploadTarget }) {
  usePageTitle(t.title(target.name))
  const { items, add, retry, remove } = useUploads(target.ticket)
  const input = useRef<HTMLInputElement>(null)
  const { over, handlers } = useDrop(({ files }) => add([...files]))
  const done = items.filter(({ state }) => state === 'done')
  const busy = items.some(({ state }) => state === 'waiting' || state === 'sending')
  return (
    <Card className="mx-auto flex max-w-2xl flex-col gap-5 p-6 sm:p-8">
      <div>
        <FolderUp aria-hidden className="mb-3 size-7 text-accent" />
        <h1 className="text-xl font-semibold wrap-anywhere">{t.title(target.name)}</h1>
        <p className="mt-1 text-muted">{t.text}</p>
        <p className="mt-1 text-sm text-muted">
          {t.left(formatNumber(target.filesLeft), formatSize(target.bytesLeft))}
        </p>
      </div>
      <div
        className={classes(
          'flex flex-col items-center gap-3 rounded-xl border-2 border-dashed p-6 text-center',
          over ? 'border-accent bg-accent-soft' : 'border-line',
        )}
        {...handlers}
      >
        <Button
          look="primary"
          icon={<Upload aria-hidden className="size-4" />}
          onClick={() => input.current?.click()}
          className="min-h-11"
        >
          {t.choose}
        </Button>
        <p className="text-sm text-muted">{t.drop}</p>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          data-testid="upload-by-link"
          onChange={(event) => {
            add([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
      </div>
      {items.length > 0 && (
        <ul className="divide-y divide-line" aria-label={t.files}>
          {items.map((item) => (
            <Row key={item.id} item={item} onRetry={() => retry(item.id)} onRemove={() => remove(item.id)} />
          ))}
        </ul>
      )}
      <p role="status" className={done.length > 0 && !busy ? 'text-good' : 'sr-only'}>
        {done.length > 0 && !busy ? t.done(done.length) : ''}
      </p>
      <p className="text-sm text-muted">{t.privacy}</p>
    </Card>
  )
}

function Row({ item, onRetry, onRemove }: { item: Item; onRetry: () => void; onRemove: () => void }) {
  const { file, state, percent, problem } = item
  return (
    <li className="flex flex-col gap-1.5 py-3">
      <div className="flex items-center gap-2">
        {state === 'done' && <CircleCheck aria-hidden className="size-5 shrink-0 text-good" />}
        {state === 'failed' && <CircleAlert aria-hidden className="size-5 shrink-0 text-danger" />}
        <span className="min-w-0 flex-1 truncate" title={file.name}>
          {file.name}
        </span>
        <span className="text-sm text-muted tabular-nums">{formatSize(file.size)}</span>
        {state === 'failed' && (
          <IconButton label={t.retry(file.name)} onClick={onRetry}>
            <RotateCcw aria-hidden className="size-4.5" />
          </IconButton>
        )}
        {state !== 'done' && (
          <IconButton label={t.remove(file.name)} onClick={onRemove}>
            <X aria-hidden className="size-4.5" />
          </IconButton>
        )}
      </div>
      {state === 'done' && <span className="sr-only">{t.sent(file.name)}</span>}
      {state === 'sending' && <ProgressBar value={percent} label={t.progress(file.name)} />}
      {problem && (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
    </li>
  )
}

function useUploads(ticket: string) {
  const [items, setItems] = useState<Item[]>([])
  const last = useRef(0)
  const change = (id: number, next: Partial<Item>) =>
    setItems((before) => before.map((item) => (item.id === id ? { ...item, ...next } : item)))
  const start = async ({ id, file }: Item) => {
    const stop = new AbortController()
    change(id, { state: 'sending', percent: 0, stop })
    try {
      const sdk = await anonymousStorage()
      const { code, msg } = await sdk.uploadAsset(file, { ticket, signal: stop.signal }, ({ percent }) =>
        change(id, { percent }),
      )
      change(id, code === 0 ? { state: 'done', percent: 100 } : { state: 'failed', problem: msg })
    } catch {
      change(id, { state: 'failed', problem: shell.errors.chunkTitle })
    }
  }
  useEffect(() => {
    const free = AT_ONCE - items.filter(({ state }) => state === 'sending').length
    for (const item of items.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free))) void start(item)
  })
  const busy = items.some(({ state }) => state === 'waiting' || state === 'sending')
  useEffect(() => {
    if (!busy) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [busy])
  return {
    items,
    add: (files: readonly File[]) =>
      setItems((before) => [
        ...before,
        ...files.map((file): Item => ({ id: ++last.current, file, state: 'waiting', percent: 0 })),
      ]),
    retry: (id: number) =>
      setItems((before) =>
        before.map((item) => {
          if (item.id !== id) return item
          const { problem: _, ...rest } = item
          return { ...rest, state: 'waiting', percent: 0 }
        }),
      ),
    remove: (id: number) =>
      setItems((before) => {
        before.find((item) => item.id === id)?.stop?.abort()
        return before.filter((item) => item.id !== id)
      }),
  }
}
