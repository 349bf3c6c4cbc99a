import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { NAME_MAX } from '@tidenet/contract/constants'
import { FolderInput, FolderOpen, FolderPlus, Trash2, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { usePreferences } from '../../lib/preferences.ts'
import { paged, query } from '../../lib/queries.ts'
import { t } from '../../lib/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { usePageTitle } from '../shell/page-title.tsx'
import { addDownload } from '../transfers/downloads.ts'
import { addUploads } from '../transfers/uploads.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { createFolder } from './changes.ts'
import { DropOverlay } from './drop-overlay.tsx'
import { type Entry, entryOf, isSpreading } from './entries.ts'
import { EntryDialogs, type Task, wishOf } from './entry-dialogs.tsx'
import type { EntryAction } from './entry-menu.tsx'
import { FileList } from './file-list.tsx'
import { NameDialog } from './name-dialog.tsx'
import { UploadMenu } from './upload-menu.tsx'
import { useFileDrop } from './use-file-drop.ts'

/** While copies are being made the list is asked for again. */
const SPREADING_MS = 5000

export function FilesPage() {
  usePageTitle(t.files.title)
  const { folder = 0, page = 1 } = useSearch({ from: '/console/fileStorage' })
  // Another folder or page begins with nothing selected.
  return <FolderView key={`${folder} ${page}`} folder={folder} page={page} />
}

function FolderView({ folder, page }: { folder: number; page: number }) {
  const navigate = useNavigate()
  const rows = usePreferences((preferences) => preferences.rows)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [naming, setNaming] = useState(false)
  const [task, setTask] = useState<Task>()

  const here = useQuery({ ...query('folders.item', { groupid: folder }), enabled: folder > 0 })
  const contents = useQuery({
    ...query('folders.contents', { parent: folder, page, page_size: rows }),
    ...paged,
    refetchInterval: ({ state }) =>
      state.data?.list.some(({ AssetOverview }) => isSpreading(AssetOverview)) ? SPREADING_MS : false,
  })
  const entries = (contents.data?.list ?? []).map(entryOf).filter((entry) => entry !== undefined)
  const chosen = entries.filter(({ key }) => selected.has(key))
  const path = here.data?.path ?? []
  const name = path.at(-1)?.Name ?? t.files.root
  const dragging = useFileDrop((picked) => addUploads(picked, { folder, areas: [] }))
  const goTo = (next: number) => void navigate({ to: '/fileStorage', search: searchOf(folder, next) })
  const act = (action: EntryAction, entry: Entry) => {
    const wish = action === 'download' ? wishOf(entry) : undefined
    if (wish && !wish.encrypted) addDownload(wish)
    else setTask({ action, entries: [entry] })
  }
  const total = contents.data?.total ?? 0
  // The last row of a page was deleted: go to the page that is now the last.
  const lastPage = Math.max(1, Math.ceil(total / rows))
  const beyond = contents.isSuccess && !contents.isPlaceholderData && page > lastPage
  useEffect(() => {
    if (beyond) void navigate({ to: '/fileStorage', search: searchOf(folder, lastPage), replace: true })
  }, [beyond, folder, lastPage, navigate])

  return (
    <div className="mx-auto flex max-w-7xl flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="mr-auto min-w-0">
          <h1 className="text-2xl font-semibold">{t.files.title}</h1>
          <Breadcrumbs path={path} />
        </div>
        <Button icon={<FolderPlus aria-hidden className="size-4" />} onClick={() => setNaming(true)}>
          {t.files.newFolder}
        </Button>
        <UploadMenu folder={folder} />
      </div>

      <Card className="relative overflow-hidden">
        {chosen.length > 0 && (
          <div className="flex flex-wrap items-center gap-2 border-b border-line bg-accent-soft px-4 py-1.5">
            <p className="mr-auto text-sm font-medium" role="status">
              {t.files.selected(chosen.length)}
            </p>
            <Button
              look="ghost"
              icon={<FolderInput aria-hidden className="size-4" />}
              onClick={() => setTask({ action: 'move', entries: chosen })}
            >
              {t.files.move}
            </Button>
            <Button
              look="quietDanger"
              icon={<Trash2 aria-hidden className="size-4" />}
              onClick={() => setTask({ action: 'delete', entries: chosen })}
            >
              {t.words.delete}
            </Button>
            <IconButton label={t.files.clearSelection} onClick={() => setSelected(new Set())}>
              <X aria-hidden className="size-4" />
            </IconButton>
          </div>
        )}
        {contents.isPending ? (
          <Loading />
        ) : contents.isError && !contents.data ? (
          <LoadFailed title={t.files.listFailed} error={contents.error} onRetry={() => void contents.refetch()} />
        ) : entries.length === 0 ? (
          <Empty icon={<FolderOpen aria-hidden className="size-6" />} title={t.files.emptyTitle}>
            {t.files.emptyText}
          </Empty>
        ) : (
          <FileList entries={entries} selected={selected} onSelect={setSelected} onAction={act} />
        )}
      </Card>
      {total > 0 && <Pager page={page} total={total} onPage={goTo} />}

      {naming && (
        <NameDialog
          title={t.files.newFolder}
          label={t.files.folderName}
          action={t.files.create}
          max={NAME_MAX}
          onClose={() => setNaming(false)}
          onSubmit={(next) => createFolder(next, folder)}
        />
      )}
      {task && (
        <EntryDialogs
          task={task}
          folder={folder}
          onClose={() => setTask(undefined)}
          onDone={() => setSelected(new Set())}
        />
      )}
      {dragging && <DropOverlay folder={name} />}
    </div>
  )
}

const searchOf = (folder: number, page: number) => ({ ...(folder > 0 && { folder }), ...(page > 1 && { page }) })
