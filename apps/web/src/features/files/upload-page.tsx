import { Link, useSearch } from '@tanstack/react-router'
import { CircleCheck, File, FileUp, Folder, FolderUp, Upload } from 'lucide-react'
import { type ChangeEvent, useRef, useState } from 'react'
import { formatSize } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { shorten } from '../../lib/phrases.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { CopyIcon } from '../../ui/copy.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Card, Empty } from '../../ui/states.tsx'
import { type Picked, pickedFromInput } from '../transfers/picked.ts'
import { t as transfers } from '../transfers/texts.ts'
import type { Upload as UploadItem } from '../transfers/upload-list.ts'
import { AreaFields, EncryptionFields, FolderField, useUploadOptions } from '../transfers/upload-options.tsx'
import { UploadQueue, useQueueSummary } from '../transfers/upload-queue.tsx'
import { stageText } from '../transfers/upload-row.tsx'
import { clearEnded } from '../transfers/uploads.ts'
import { beginUploads } from './begin-uploads.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { FolderPicker } from './folder-picker.tsx'
import { t } from './texts.ts'
import { Unfinished } from './unfinished.tsx'
import { type DropFolder, useDrop } from './use-drop.ts'

/** The upload page: target folder, options, queue and results. */
export function UploadPage() {
  const title = usePageTitle()
  const { folder: requested } = useSearch({ from: '/console/upload' })
  const [chosen, setChosen] = useState<DropFolder>()
  const [picking, setPicking] = useState(false)
  const { fields, setFields, read } = useUploadOptions()
  const here = useQuery({
    ...query('folders.item', { groupid: requested ?? 0 }),
    enabled: requested !== undefined && !chosen,
  })
  const usage = useQuery(query('usage.storageSize', {}))
  const folder: DropFolder =
    chosen ??
    (requested !== undefined && here.data?.Group
      ? { id: requested, name: here.data.Group.Name }
      : { id: 0, name: t.files.root })
  const begin = (picked: readonly Picked[]) => {
    const options = read()
    if (options && picked.length > 0) void beginUploads(picked, { folder: folder.id, ...options }, folder.name)
  }
  const hovering = useDrop({ files: begin })
  const free = usage.data && usage.data.TotalSize - usage.data.UsedSize - usage.data.ReservedSize
  return (
    <div className="mx-auto max-w-[92rem]">
      <PageTitle title={title} intro={t.upload.intro} />
      <div className="flex flex-col gap-6">
        <Unfinished />
        <div className="grid items-start gap-6 lg:grid-cols-[1.5fr_1fr]">
          <DropTarget over={hovering !== undefined} onPick={begin} />
          <Card className="flex flex-col gap-6 p-5">
            <div>
              <p className="text-sm font-medium">{t.upload.destination}</p>
              <div className="mt-1.5 flex items-center gap-3 rounded-lg border border-line py-1 pr-1 pl-3">
                <Folder aria-hidden className="size-4.5 shrink-0 fill-accent-soft text-accent" />
                <span className="min-w-0 flex-1 truncate">{folder.name}</span>
                <Button look="ghost" onClick={() => setPicking(true)}>
                  {t.upload.change}
                </Button>
              </div>
              {free !== undefined && (
                <p className="mt-1.5 text-sm text-muted">{t.upload.free(formatSize(Math.max(0, free)))}</p>
              )}
            </div>
            <AreaFields fields={fields} onChange={setFields} />
            <FolderField fields={fields} onChange={setFields} />
            <EncryptionFields fields={fields} onChange={setFields} />
          </Card>
        </div>
        <Queue />
      </div>
      {picking && (
        <FolderPicker
          value={folder}
          action={t.upload.chooseThis}
          onClose={() => setPicking(false)}
          onChoose={(next) => {
            setChosen(next)
            setPicking(false)
          }}
        />
      )}
      <ConflictDialog />
    </div>
  )
}

function DropTarget({ over, onPick }: { over: boolean; onPick: (picked: Picked[]) => void }) {
  const files = useRef<HTMLInputElement>(null)
  const directory = useRef<HTMLInputElement>(null)
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    onPick(pickedFromInput(currentTarget.files ?? new DataTransfer().files))
    // Without this, choosing the same file again would not fire `change`.
    currentTarget.value = ''
  }
  return (
    <div
      className={classes(
        'flex min-h-88 flex-col items-center justify-center gap-5 rounded-2xl border-2 border-dashed px-6 py-10 text-center transition-colors',
        over ? 'border-accent bg-accent-soft' : 'border-control/60 bg-surface',
      )}
    >
      <BlocksDrawing />
      <p className="text-lg font-semibold">{over ? t.upload.dropNow : t.upload.drop}</p>
      <div className="flex flex-wrap items-center justify-center gap-3">
        <Button look="primary" icon={<FileUp aria-hidden className="size-4" />} onClick={() => files.current?.click()}>
          {t.files.uploadFiles}
        </Button>
        <Button icon={<FolderUp aria-hidden className="size-4" />} onClick={() => directory.current?.click()}>
          {t.files.uploadFolder}
        </Button>
      </div>
      <p className="max-w-md text-sm text-muted">{t.upload.leaving}</p>
      <input ref={files} type="file" multiple hidden aria-label={t.files.uploadFiles} onChange={take} />
      <input
        ref={directory}
        type="file"
        hidden
        aria-label={t.files.uploadFolder}
        onChange={take}
        {...{ webkitdirectory: '' }}
      />
    </div>
  )
}

/** Illustration: a file is split into blocks and sent to nodes. */
function BlocksDrawing() {
  return (
    <svg aria-hidden="true" viewBox="0 0 240 84" className="h-21 w-60 text-control" fill="none" stroke="currentColor">
      <path d="M20 14h26l12 12v44H20z M46 14v12h12" className="text-accent" stroke="currentColor" strokeWidth="1.5" />
      {[0, 1, 2].map((row) =>
        [0, 1].map((column) => (
          <rect
            key={`${row} ${column}`}
            x={92 + column * 18}
            y={18 + row * 18}
            width="13"
            height="13"
            rx="2.5"
            strokeWidth="1.5"
          />
        )),
      )}
      <path d="M66 42h16m-5-4 5 4-5 4" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" />
      {[16, 42, 68].map((y) => (
        <g key={y}>
          <path d={`M132 42C156 42 160 ${y} 184 ${y}`} strokeDasharray="2 4" strokeWidth="1.25" />
          <circle cx="196" cy={y} r="8" strokeWidth="1.5" className="text-accent" stroke="currentColor" />
          <path
            d={`m192.5 ${y} 2.5 2.7 4.6-5.2`}
            strokeWidth="1.5"
            strokeLinecap="round"
            className="text-accent"
            stroke="currentColor"
          />
        </g>
      ))}
    </svg>
  )
}

function Queue() {
  const { text, list, left } = useQueueSummary()
  const done = list.filter(({ stage }) => stage === 'done')
  return (
    <>
      <section aria-labelledby="queue">
        <div className="mb-2 flex flex-wrap items-center gap-3">
          <h2 id="queue" className="text-lg font-semibold">
            {t.upload.queue}
          </h2>
          {list.length > 0 && (
            <p className="text-sm text-muted" role="status">
              {text}
            </p>
          )}
          {list.length > 0 && left.length === 0 && (
            <Button look="ghost" className="ml-auto" onClick={clearEnded}>
              {transfers.clear}
            </Button>
          )}
        </div>
        <Card className="overflow-hidden">
          {list.length === done.length ? (
            <Empty icon={<Upload aria-hidden className="size-6" />} title={t.upload.queueEmptyTitle}>
              {t.upload.queueEmptyText}
            </Empty>
          ) : (
            <UploadQueue open className="divide-y divide-line max-sm:max-h-[31.25rem] max-sm:overflow-y-auto" />
          )}
        </Card>
      </section>
      {done.length > 0 && (
        <section aria-labelledby="results">
          <h2 id="results" className="mb-2 text-lg font-semibold">
            {t.upload.results}
          </h2>
          <Card className="overflow-hidden">
            <ul className="divide-y divide-line max-sm:max-h-[31.25rem] max-sm:overflow-y-auto">
              {done.slice(-RESULTS).map((upload) => (
                <Result key={upload.id} upload={upload} />
              ))}
            </ul>
          </Card>
        </section>
      )}
    </>
  )
}

const RESULTS = 100

function Result({ upload }: { upload: UploadItem }) {
  const { picked, options, cid, folder } = upload
  const opened = folder?.id || options.folder
  const Kind = picked.kind === 'folder' ? Folder : File
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 text-sm">
      <Kind aria-hidden className="size-4.5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="truncate font-medium" title={picked.name}>
          {picked.name}
        </p>
        <p className="flex items-center gap-1.5 text-xs text-muted">
          <CircleCheck aria-hidden className="size-3.5 text-good" />
          {stageText(upload)}, {formatSize(picked.size)}
        </p>
      </div>
      {!folder && (
        <span className="flex items-center gap-1">
          <code className="font-mono text-xs text-muted" title={cid}>
            {shorten(cid, 10, 8)}
          </code>
          <CopyIcon text={cid} label={t.upload.copyCid(picked.name)} />
        </span>
      )}
      <Link
        to="/fileStorage"
        search={opened > 0 ? { folder: opened } : {}}
        className={buttonClass('secondary')}
        {...(folder && { 'aria-label': transfers.openFolder(picked.name) })}
      >
        {folder ? t.upload.openFolder : t.upload.showInFolder}
      </Link>
    </li>
  )
}
