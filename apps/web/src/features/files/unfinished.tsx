import { RotateCcw } from 'lucide-react'
import { type ChangeEvent, useRef, useState } from 'react'
import { formatSize } from '../../lib/format.ts'
import { formatList } from '../../lib/phrases.ts'
import { useStorageAccount } from '../../lib/team.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { pickedFromInput } from '../transfers/picked.ts'
import {
  isSameFile,
  isSameFolder,
  removeAllUnfinished,
  type UnfinishedUpload,
  unfinishedOf,
} from '../transfers/unfinished.ts'
import { hasEnded, useUploads } from '../transfers/upload-list.ts'
import { addUploads } from '../transfers/uploads.ts'
import { continueFolder } from './begin-uploads.ts'
import { t } from './texts.ts'

const MAX_LISTED = 3

/** Uploads that were interrupted by closing or reloading the page, with a button to resume them. */
export function Unfinished() {
  const account = useStorageAccount()
  const queue = useUploads((state) => state.list)
  const [, setForgotten] = useState(0)
  const files = useRef<HTMLInputElement>(null)
  const directory = useRef<HTMLInputElement>(null)
  const running = queue.filter((upload) => !hasEnded(upload))
  const list = unfinishedOf(account).filter(
    (cut) =>
      !running.some(
        ({ picked, options }) =>
          options.folder === cut.folder &&
          (picked.kind === 'file' ? isSameFile(cut, picked.file) : cut.tree !== undefined && cut.name === picked.name),
      ),
  )
  if (list.length === 0) return null
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const found = pickedFromInput(currentTarget.files ?? []).flatMap((picked) =>
      list
        .filter((cut) => (picked.kind === 'file' ? isSameFile(cut, picked.file) : isSameFolder(cut, picked)))
        .map((cut) => ({ cut, picked })),
    )
    for (const { cut, picked } of found)
      if (cut.tree) void continueFolder(picked, cut)
      else addUploads([picked], { folder: cut.folder, areas: cut.areas })
    if (found.length === 0) toast.error(t.upload.unfinishedOther)
    // Without this, choosing the same again would not fire `change`.
    currentTarget.value = ''
  }
  const named = list.slice(0, MAX_LISTED).map(describe)
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
        {list.some(({ tree }) => !tree) && (
          <Button onClick={() => files.current?.click()}>{t.upload.unfinishedChoose}</Button>
        )}
        {list.some(({ tree }) => tree) && (
          <Button onClick={() => directory.current?.click()}>{t.upload.unfinishedChooseFolder}</Button>
        )}
      </div>
      <input ref={files} type="file" multiple hidden aria-label={t.upload.unfinishedChoose} onChange={take} />
      <input
        ref={directory}
        type="file"
        hidden
        aria-label={t.upload.unfinishedChooseFolder}
        onChange={take}
        {...{ webkitdirectory: '' }}
      />
    </section>
  )
}

/** Its name, and what is missing. */
const describe = ({ name, size, tree }: UnfinishedUpload): string =>
  tree ? t.upload.unfinishedTree(name, tree.files - tree.stored, tree.files) : `${name} (${formatSize(size)})`
