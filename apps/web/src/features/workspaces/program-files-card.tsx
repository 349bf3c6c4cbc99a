import { queryOptions } from '@tanstack/react-query'
import type { ConsoleWorkload } from '@tidenet/contract'
import {
  Download,
  EllipsisVertical,
  File,
  FileSymlink,
  Folder,
  FolderPlus,
  PencilLine,
  RotateCw,
  Trash2,
  Upload,
  X,
} from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { formatDateTime, formatSize } from '../../lib/format.ts'
import { Button, IconButton, iconButtonClass } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { Card, Empty, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { useDrop } from '../../ui/use-drop.ts'
import { fileMessage, fileRefusal } from './file-message.ts'
import { listFolder, makeFolder, type ProgramFile, removeFile, renameFile, uploadFile } from './program-files.ts'
import { useConsoleQuery } from './queries.ts'
import { runIn } from './run-in-program.ts'
import { saveFile } from './save-file.ts'
import { t } from './texts.ts'

/** The disk of a program. */
const START = '/data'
const NAME_MAX = 255

type Asking = { what: 'folder' } | { what: 'rename' | 'remove'; file: ProgramFile }
/** An upload or a download. */
interface Transfer {
  name: string
  up: boolean
  /** 0 to 100. */
  done: number
  stop: AbortController
}

/** The files of a running program: browse, download, upload, rename, delete. */
export function ProgramFilesCard({ workload }: { workload: ConsoleWorkload }) {
  const { id, name: program } = workload
  const [path, setPath] = useState(START)
  const [asking, setAsking] = useState<Asking>()
  const [transfer, setTransfer] = useState<Transfer>()
  const input = useRef<HTMLInputElement>(null)
  const title = useId()
  // Never the list of another folder: its names would be taken for names in this one.
  const list = useConsoleQuery(
    queryOptions({
      queryKey: ['files of a program', id, path] as const,
      queryFn: ({ signal }) => listFolder(runIn(id, signal), path),
      retry: false,
    }),
  )
  const run = runIn(id, new AbortController().signal)
  const close = () => setAsking(undefined)
  const change = async (work: Promise<unknown>) => {
    await work.catch((error: unknown) => {
      throw fileRefusal(error)
    })
    await list.refetch()
  }
  const current = useRef<AbortController>(undefined)
  // Leaving the page ends what runs in the program.
  useEffect(() => () => current.current?.abort(), [])

  const move = async (
    file: { name: string },
    up: boolean,
    work: (stop: AbortSignal, at: (done: number) => void) => Promise<unknown>,
  ) => {
    const stop = new AbortController()
    current.current = stop
    setTransfer({ name: file.name, up, done: 0, stop })
    try {
      await work(stop.signal, (done) => setTransfer({ name: file.name, up, done, stop }))
      return true
    } catch (error) {
      if (!stop.signal.aborted && (error as Error).name !== 'AbortError')
        toast.error(`${file.name}: ${fileMessage(error)}`)
      return false
    } finally {
      setTransfer(undefined)
    }
  }
  const upload = async (files: readonly File[]) => {
    for (const file of files) {
      const sent = await move(file, true, (stop, at) =>
        uploadFile(runIn(id, stop), path, file.name, file, (bytes) => at((bytes / Math.max(file.size, 1)) * 100)),
      )
      if (!sent) break
    }
    await list.refetch()
  }
  const download = (file: ProgramFile) =>
    move(file, false, (stop, at) =>
      saveFile(runIn(id, stop), path, file, (bytes) => at((bytes / Math.max(file.size, 1)) * 100)),
    )
  const { over, handlers } = useDrop(({ files }) => {
    if (!transfer) void upload([...files])
  })
  const steps = path.split('/').filter((step) => step !== '')
  const { files = [], more = false } = list.data ?? {}
  const isBusy = transfer !== undefined

  return (
    <Card className="overflow-hidden">
      <section aria-labelledby={title} {...handlers} className={over ? 'bg-accent-soft' : undefined}>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3 border-b border-line px-4 py-3 sm:px-5">
          <h2 id={title} className="min-w-0 flex-1 basis-full font-medium sm:basis-40">
            {t.browser.title(program)}
          </h2>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            aria-label={t.browser.upload}
            onChange={({ currentTarget }) => {
              const chosen = [...(currentTarget.files ?? [])]
              currentTarget.value = ''
              void upload(chosen)
            }}
          />
          <Button
            icon={<Upload aria-hidden className="size-4" />}
            disabled={isBusy || !list.data}
            onClick={() => input.current?.click()}
          >
            {t.browser.upload}
          </Button>
          <Button
            icon={<FolderPlus aria-hidden className="size-4" />}
            disabled={!list.data}
            onClick={() => setAsking({ what: 'folder' })}
          >
            {t.browser.newFolder}
          </Button>
          <IconButton label={t.browser.reload} onClick={() => void list.refetch()}>
            <RotateCw aria-hidden className="size-4" />
          </IconButton>
        </div>
        <nav
          aria-label={t.browser.path}
          className="flex flex-wrap items-center gap-x-1 border-b border-line px-3 py-1.5 text-sm"
        >
          {['', ...steps].map((step, index) => {
            const to = `/${steps.slice(0, index).join('/')}`
            return (
              <span key={to} className="inline-flex min-w-0 items-center gap-x-1">
                {index > 1 && <span className="text-muted">/</span>}
                <button
                  type="button"
                  translate="no"
                  aria-current={to === path ? 'location' : undefined}
                  className="min-h-8 max-w-60 truncate rounded px-1.5 font-mono text-[0.8125rem] hover:bg-sunken aria-[current=location]:font-semibold"
                  onClick={() => setPath(to)}
                >
                  {step === '' ? '/' : shownName(step)}
                </button>
              </span>
            )
          })}
        </nav>
        {transfer && (
          <div role="status" className="flex items-center gap-4 border-b border-line px-4 py-3 sm:px-5">
            <div className="grid min-w-0 flex-1 gap-2">
              <span className="truncate text-sm" translate="no">
                {transfer.up ? t.browser.uploading(transfer.name) : t.browser.downloading(transfer.name)}
              </span>
              <ProgressBar value={transfer.done} label={transfer.name} />
            </div>
            <IconButton label={t.browser.stop} onClick={() => transfer.stop.abort()}>
              <X aria-hidden className="size-4" />
            </IconButton>
          </div>
        )}
        {list.isPending ? (
          <Loading />
        ) : !list.data || list.isError ? (
          <LoadFailed title={t.browser.failed} error={fileRefusal(list.error)} onRetry={() => void list.refetch()} />
        ) : files.length === 0 ? (
          <Empty icon={<Folder aria-hidden className="size-6" />} title={t.browser.empty}>
            <p>{t.browser.emptyText}</p>
          </Empty>
        ) : (
          <ul className="max-h-[36rem] divide-y divide-line overflow-y-auto">
            {files.map((file) => (
              <FileRow
                key={`${file.kind} ${file.name}`}
                file={file}
                busy={isBusy}
                onOpen={() => setPath(`${path === '/' ? '' : path}/${file.name}`)}
                onDownload={() => void download(file)}
                onAsk={(what) => setAsking({ what, file })}
              />
            ))}
          </ul>
        )}
        {more && (
          <div className="border-t border-line p-4">
            <Notice>{t.browser.more(files.length)}</Notice>
          </div>
        )}
      </section>
      {asking?.what === 'folder' && (
        <NameDialog
          title={t.browser.newFolder}
          label={t.browser.name}
          action={t.browser.create}
          max={NAME_MAX}
          onClose={close}
          onSubmit={(name) => change(makeFolder(run, path, name))}
        />
      )}
      {asking?.what === 'rename' && (
        <NameDialog
          title={t.browser.renameTitle(shownName(asking.file.name))}
          label={t.browser.name}
          action={t.browser.rename}
          initial={asking.file.name}
          max={NAME_MAX}
          onClose={close}
          onSubmit={(name) => change(renameFile(run, path, asking.file.name, name))}
        />
      )}
      {asking?.what === 'remove' && (
        <Confirm
          title={t.browser.removeTitle(shownName(asking.file.name))}
          text={asking.file.kind === 'folder' ? t.browser.removeFolder : t.browser.removeFile}
          action={t.browser.remove}
          onClose={close}
          onConfirm={() => change(removeFile(run, path, asking.file.name)).then(close)}
        />
      )}
    </Card>
  )
}

/** Line breaks and other control characters of a name are shown, and change nothing around it. */
const shownName = (name: string): string =>
  name.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200e\u200f]/gu, '\ufffd')

const icons = { folder: Folder, file: File, link: FileSymlink, other: File } as const

function FileRow({
  file,
  busy,
  onOpen,
  onDownload,
  onAsk,
}: {
  file: ProgramFile
  busy: boolean
  onOpen: () => void
  onDownload: () => void
  onAsk: (what: 'rename' | 'remove') => void
}) {
  const { name, kind, size, changed, unnamable } = file
  const Icon = icons[kind]
  const shown = shownName(name)
  return (
    <li className="flex items-center gap-3 px-4 py-1.5 sm:px-5">
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 sm:flex sm:items-center sm:gap-4">
        {(kind === 'folder' || kind === 'link') && !unnamable ? (
          <button
            type="button"
            translate="no"
            className="block min-h-8 max-w-full flex-1 truncate rounded text-left hover:underline"
            onClick={onOpen}
          >
            {shown}
          </button>
        ) : (
          <span
            translate="no"
            className="block min-w-0 flex-1 truncate leading-8"
            title={unnamable ? t.browser.unnamable : undefined}
          >
            {shown}
          </span>
        )}
        <span className="block text-xs text-muted tabular-nums sm:w-64 sm:text-right sm:text-sm">
          {kind === 'file' ? `${formatSize(size)} · ` : kind === 'link' ? `${t.browser.link} · ` : ''}
          {formatDateTime(changed)}
        </span>
      </div>
      {unnamable ? (
        <span className="w-10" />
      ) : (
        <Menu
          label={t.browser.actions(shown)}
          trigger={<EllipsisVertical aria-hidden className="size-5" />}
          triggerClass={iconButtonClass()}
        >
          {kind === 'file' && !busy && (
            <MenuItem icon={<Download aria-hidden className="size-4" />} onSelect={onDownload}>
              {t.browser.download}
            </MenuItem>
          )}
          <MenuItem icon={<PencilLine aria-hidden className="size-4" />} onSelect={() => onAsk('rename')}>
            {t.browser.rename}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<Trash2 aria-hidden className="size-4" />} danger onSelect={() => onAsk('remove')}>
            {t.browser.remove}
          </MenuItem>
        </Menu>
      )}
    </li>
  )
}
