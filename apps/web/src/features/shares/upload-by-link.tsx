import { CircleAlert, CircleCheck, FolderUp, RotateCcw, Upload, X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { formatNumber, formatSize } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { formatList } from '../../lib/phrases.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { ProgressBar } from '../../ui/progress.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { useDrop } from '../../ui/use-drop.ts'
import { isSameFile, removeAllUnfinished, unfinishedOf } from '../transfers/unfinished.ts'
import {
  addLinkUploads,
  type LinkUpload,
  removeLinkUpload,
  retryLinkUpload,
  setTicket,
  unfinishedKeyOf,
  useLinkUploads,
} from './link-uploads.ts'
import type { UploadTarget } from './short-link-opening.ts'
import { t } from './upload-texts.ts'

/** A visitor's page of a link that receives files: chooses files, uploads them, and shows nothing of the folder. */
export function UploadByLink({ token, target }: { token: string; target: UploadTarget }) {
  usePageTitle(t.title(target.name))
  useEffect(() => setTicket(token, target.ticket), [token, target.ticket])
  const all = useLinkUploads(({ list }) => list)
  const items = useMemo(() => all.filter((item) => item.token === token), [all, token])
  const input = useRef<HTMLInputElement>(null)
  const add = (files: readonly File[]) => addLinkUploads(token, files)
  const { over, handlers } = useDrop(({ files }) => add([...files]))
  const done = items.filter(({ stage }) => stage === 'done')
  const busy = items.some(({ stage }) => stage !== 'done' && stage !== 'failed')
  return (
    <Card className="mx-auto flex max-w-2xl flex-col gap-5 p-6 sm:p-8">
      <div>
        <FolderUp aria-hidden className="mb-3 size-7 text-accent" />
        <h1 className="text-xl font-semibold wrap-anywhere">{t.title(target.name)}</h1>
        <p className="mt-1 text-muted">{t.text}</p>
        <p className="mt-1 text-sm text-muted">
          {target.filesLeft > 0 && target.bytesLeft > 0
            ? t.left(formatNumber(target.filesLeft), formatSize(target.bytesLeft))
            : t.full}
        </p>
      </div>
      <Unfinished token={token} items={items} />
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
            <Row key={item.id} item={item} />
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

/** Files whose upload a reload or a closed tab interrupted. Choosing them again continues. */
function Unfinished({ token, items }: { token: string; items: readonly LinkUpload[] }) {
  const [, setForgotten] = useState(0)
  const key = unfinishedKeyOf(token)
  const list = unfinishedOf(key).filter((cut) => !items.some(({ file }) => isSameFile(cut, file)))
  if (list.length === 0) return null
  const named = list.slice(0, MAX_LISTED).map(({ name }) => name)
  return (
    <Notice>
      <p className="font-medium">{t.unfinished(list.length)}</p>
      <p className="wrap-anywhere">
        {formatList(list.length > MAX_LISTED ? [...named, `+ ${list.length - MAX_LISTED}`] : named)}
      </p>
      <p>{t.unfinishedText}</p>
      <Button
        look="ghost"
        className="mt-1 -ml-3"
        onClick={() => {
          removeAllUnfinished(key)
          setForgotten((count) => count + 1)
        }}
      >
        {t.unfinishedForget}
      </Button>
    </Notice>
  )
}

const MAX_LISTED = 3

function Row({ item }: { item: LinkUpload }) {
  const { id, file, stage, percent, problem } = item
  const interrupted = stage === 'offline' || (stage === 'sending' && item.interrupted)
  return (
    <li className="flex flex-col gap-1.5 py-3">
      <div className="flex items-center gap-2">
        {stage === 'done' && <CircleCheck aria-hidden className="size-5 shrink-0 text-good" />}
        {stage === 'failed' && <CircleAlert aria-hidden className="size-5 shrink-0 text-danger" />}
        <span className="min-w-0 flex-1 truncate" title={file.name}>
          {file.name}
        </span>
        <span className="text-sm text-muted tabular-nums">{formatSize(file.size)}</span>
        {(stage === 'failed' || stage === 'offline') && file.size > 0 && (
          <IconButton label={t.retry(file.name)} onClick={() => retryLinkUpload(id)}>
            <RotateCcw aria-hidden className="size-4.5" />
          </IconButton>
        )}
        {stage !== 'done' && (
          <IconButton label={t.remove(file.name)} onClick={() => removeLinkUpload(id)}>
            <X aria-hidden className="size-4.5" />
          </IconButton>
        )}
      </div>
      {stage === 'done' && <span className="sr-only">{t.sent(file.name)}</span>}
      {(stage === 'sending' || stage === 'offline') && <ProgressBar value={percent} label={t.progress(file.name)} />}
      {stage === 'waiting' && <p className="text-sm text-muted">{t.waiting}</p>}
      {interrupted && (
        <p role="status" className="text-sm text-warn">
          {t.offline}
        </p>
      )}
      {stage === 'failed' && (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
    </li>
  )
}
