import { useNavigate } from '@tanstack/react-router'
import { FolderOpen, FolderX } from 'lucide-react'
import { useEffect } from 'react'
import type { FilesSearch } from '../../searches.ts'
import { Button } from '../../ui/button.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Card, Empty, LoadFailed } from '../../ui/states.tsx'
import { BulkBar } from './bulk-bar.tsx'
import type { FileEntry } from './entries.ts'
import { EntryList } from './entry-list.tsx'
import { ListPlaceholder } from './list-placeholder.tsx'
import { t } from './texts.ts'
import { filterCount } from './toolbar.tsx'
import { useFolderEntries } from './use-folder-entries.ts'
import { useFolderSelection } from './use-folder-selection.ts'
import { useTasks } from './use-tasks.tsx'
import { useView } from './view.ts'

interface FolderViewProps {
  folder: number
  name: string
  search: FilesSearch
  /** The folder does not exist. */
  missing: boolean
  /** Reloads the folder itself, in addition to its contents. */
  onRetry: () => void
  /** The folder under a drag. */
  target: number | undefined
  onGo: (search: FilesSearch, replace?: boolean) => void
  onPreview: (entry: FileEntry) => void
}

/** The contents of a folder: page by page, or as one list. */
export function FolderView({ folder, name, search, missing, onRetry, target, onGo, onPreview }: FolderViewProps) {
  const navigate = useNavigate()
  const { layout, paging, previews } = useView()
  const { page = 1, sort, direction } = search
  const long = paging === 'scroll'
  const entries = useFolderEntries(folder, search, long, missing)
  const { total, size } = entries
  const { selection, setSelection, clear, chosen, selectAll } = useFolderSelection(entries, long)
  const tasks = useTasks({
    onDone: clear,
    onOpenFolder: (id) => void navigate({ to: '/fileStorage', search: { folder: id } }),
    onPreview,
    selected: chosen,
  })

  // If the last row of the last page was deleted, go to the new last page.
  const lastPage = Math.max(1, Math.ceil(total / size))
  const beyond = !long && !entries.isPending && !entries.isStale && page > lastPage
  useEffect(() => {
    if (beyond) onGo({ ...search, page: lastPage > 1 ? lastPage : undefined, after: undefined }, true)
  })

  const descending = direction ? direction === 'desc' : sort !== 'name'
  return (
    <>
      <Card className="relative overflow-hidden">
        {selection.keys.size > 0 && (
          <BulkBar
            count={selection.keys.size}
            entries={chosen()}
            onAction={(action) => tasks.run(action, chosen())}
            onClear={clear}
          />
        )}
        {missing ? (
          <MissingFolder onRoot={() => onGo({})} />
        ) : entries.isPending ? (
          <ListPlaceholder layout={layout} />
        ) : entries.error ? (
          <LoadFailed
            title={t.files.listFailed}
            error={entries.error}
            onRetry={() => {
              onRetry()
              entries.retry()
            }}
          />
        ) : total === 0 ? (
          <EmptyFolder filtered={filterCount(search) > 0} onAll={() => onGo({ folder: folder || undefined })} />
        ) : (
          <EntryList
            label={t.files.listLabel(name)}
            count={entries.count}
            at={entries.at}
            layout={layout}
            long={long}
            previews={previews}
            selection={selection}
            onSelection={setSelection}
            onSelectAll={(on) => void selectAll(on)}
            onAction={(action, entry) => tasks.act(action, entry, selection)}
            onMenu={(entry, place) => tasks.menu(entry, place, selection)}
            target={target}
            onRange={entries.onRange}
            sort={{
              key: sort,
              descending,
              // A second press reverses the order.
              onSort: (key) =>
                onGo({
                  ...search,
                  sort: key,
                  direction: key === sort ? (descending ? 'asc' : 'desc') : undefined,
                  page: undefined,
                  after: undefined,
                }),
            }}
          />
        )}
      </Card>
      {!missing &&
        total > 0 &&
        (long ? (
          <p className="text-right text-sm text-muted" role="status">
            {t.files.total(total)}
          </p>
        ) : (
          <Pager
            page={page}
            total={total}
            onPage={(next) =>
              onGo({
                ...search,
                page: next > 1 ? next : undefined,
                after: next === page + 1 ? entries.next : undefined,
              })
            }
          />
        ))}
      {tasks.view}
    </>
  )
}

function MissingFolder({ onRoot }: { onRoot: () => void }) {
  return (
    <Empty icon={<FolderX aria-hidden className="size-6" />} title={t.files.folderGone}>
      <p>{t.files.folderGoneText}</p>
      <Button className="mt-4" onClick={onRoot}>
        {t.files.toRoot}
      </Button>
    </Empty>
  )
}

function EmptyFolder({ filtered, onAll }: { filtered: boolean; onAll: () => void }) {
  return (
    <Empty
      icon={<FolderOpen aria-hidden className="size-6" />}
      title={filtered ? t.view.noMatchTitle : t.files.emptyTitle}
    >
      {filtered ? (
        <Button className="mt-2" onClick={onAll}>
          {t.view.clearFilter}
        </Button>
      ) : (
        t.files.emptyText
      )}
    </Empty>
  )
}
