import { RotateCcw } from 'lucide-react'
import { useRef, useState } from 'react'
import { formatSize } from '../../lib/format.ts'
import { formatList } from '../../lib/phrases.ts'
import { useStorageAccount } from '../../lib/team.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { isSameFile, removeAllUnfinished, unfinishedOf } from '../transfers/unfinished.ts'
import { addUploads, hasEnded, useUploads } from '../transfers/uploads.ts'
import { t } from './texts.ts'

const MAX_LISTED = 3

/** Uploads that were interrupted by closing or reloading the page, with a button to resume them. */
export function Unfinished() {
  const account = useStorageAccount()
  const queue = useUploads((state) => state.list)
  const [, setForgotten] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const running = queue.filter((upload) => !hasEnded(upload))
  const list = unfinishedOf(account).filter(
    (cut) =>
      !running.some(
        ({ picked, options }) =>
          picked.kind === 'file' && isSameFile(cut, picked.file) && options.folder === cut.folder,
      ),
  )
  if (list.length === 0) return null
  const take = (files: FileList | null) => {
    const found = [...(files ?? [])].flatMap((file) =>
      list.filter((cut) => isSameFile(cut, file)).map((cut) => ({ cut, file })),
    )
    for (const { cut, file } of found)
      addUploads([{ kind: 'file', name: file.name, size: file.size, file }], { folder: cut.folder, areas: cut.areas })
    if (found.length === 0) toast.error(t.upload.unfinishedOther)
  }
  const named = list.slice(0, MAX_LISTED).map(({ name, size }) => `${name} (${formatSize(size)})`)
  return (
    <section className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-warn/40 bg-warn-soft px-4 py-3">
      <RotateCcw aria-hidden className="size-5 shrink-0 text-warn" />
      <div className="min-w-0 flex-1 basis-72 text-sm">
        <p className="font-medium">{t.upload.unfinished(list.length)}</p>
        <p className="text-muted wrap-anywhere">
          {formatList(list.length > MAX_LISTED ? [...named, `+ ${list.length - MAX_LISTED}`] : named)}
          {'. '}
          {t.upload.unfinishedText}
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          look="ghost"
          onClick={() => {
            removeAllUnfinished(account)
            setForgotten((count) => count + 1)
          }}
        >
          {t.upload.unfinishedForget}
        </Button>
        <Button onClick={() => input.current?.click()}>{t.upload.unfinishedChoose}</Button>
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t.upload.unfinishedChoose}
        onChange={({ currentTarget }) => {
          take(currentTarget.files)
          currentTarget.value = ''
        }}
      />
    </section>
  )
}
