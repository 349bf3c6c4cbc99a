import { useNavigate } from '@tanstack/react-router'
import { FolderOpen, FolderX } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { usePreferences } from '../../lib/preferences.ts'
import type { FilesSearch } from '../../searches.ts'
import { Button } from '../../ui/button.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Card, Empty, LoadFailed } from '../../ui/states.tsx'
import { BulkBar } from './bulk-bar.tsx'
import type { Entry } from './entries.ts'
import { EntryList } from './entry-list.tsx'
import { ListWaiting } from './list-waiting.tsx'
import { chosenOf, nothing } from './selection.ts'
import { t } from './texts.ts'
import { filterCount } from './toolbar.tsx'
import { loadAll, usePage, useScroll, type Wish } from './use-entries.ts'
import { useTasks } from './use-tasks.tsx'
import { useView } from './view.ts'

interface FolderViewProps {
  folder: number
  name: string
  search: FilesSearch
  /** The folder is not there. */
  missing: boolean
  /** Asks for the folder itself once more, beside what lies in it. */
  onRetry: () => void
  /** The folder that something is held over. */
  target: number | undefined
  onGo: (search: FilesSearch, replace?: boolean) => void
}

/** What lies in one folder: a page of it, or all of it as one list. */
export function FolderView({ folder, name, search, missing, onRetry, target, onGo }: FolderViewProps) {
  const navigate = useNavigate()
  const { layout, paging, previews } = useView()
  const size = usePreferences((preferences) => preferences.rows)
  const { page = 1, after, sort, direction, kind, shared, encrypted } = search
  const long = paging === 'scroll'
  const wish: Wish = {
    parent: folder,
    ...(sort && { sort }),
    ...(direction && { direction }),
    ...(kind && { kind }),
    ...(shared !== undefined && { shared }),
    ...(encrypted !== undefined && { encrypted }),
  }
  const [range, setRange] = useState({ first: 0, last: 100 })
  const pageOf = usePage(wish, page, size, after, !long && !missing)
  const scrollOf = useScroll(wish, range, long && !missing)
  const entries = long ? scrollOf : pageOf
  const { total, count, at } = entries
  const retry = () => {
    onRetry()
    entries.retry()
  }
  const [selection, setSelection] = useState(nothing)
  const chosen = chosenOf(selection, count, at)
  const all = useRef<readonly Entry[]>([])
  // In a long list more may be chosen than is loaded: what was chosen with all of it was loaded for that.
  const entriesChosen = () =>
    chosen.length === selection.keys.size ? chosen : all.current.filter(({ key }) => selection.keys.has(key))

  const tasks = useTasks({
    onDone: () => setSelection(nothing),
    onOpenFolder: (id) => void navigate({ to: '/fileStorage', search: { folder: id } }),
    all: entriesChosen,
  })
  const selectAll = async (on: boolean) => {
    if (!on) return setSelection(nothing)
    // What is loaded is chosen at once, the rest when it has come, unless something else was chosen meanwhile.
    const loaded = { keys: new Set(chosenKeys(count, at)), anchor: 0 }
    setSelection(loaded)
    if (!long || loaded.keys.size === total) return
    const whole = await loadAll(wish, total)
    all.current = whole
    setSelection((now) => (now === loaded ? { keys: new Set(whole.map(({ key }) => key)), anchor: 0 } : now))
  }
  const onRange = useCallback(
    (first: number, last: number) =>
      setRange((before) => (before.first === first && before.last === last ? before : { first, last })),
    [],
  )

  // The last row of a page was deleted: go to the page that is now the last.
  const lastPage = Math.max(1, Math.ceil(total / size))
  const beyond = !long && !entries.isPending && !entries.isStale && page > lastPage
  useEffect(() => {
    if (beyond) onGo({ ...search, page: lastPage > 1 ? lastPage : undefined, after: undefined }, true)
  })

  const descending = direction ? direction === 'desc' : sort !== 'name'
  const filtered = filterCount({ kind, shared, encrypted }) > 0
  return (
    <>
      <Card className="relative overflow-hidden">
        {selection.keys.size > 0 && (
          <BulkBar
            count={selection.keys.size}
            entries={entriesChosen()}
            onAction={(action) => tasks.run(action, entriesChosen())}
            onClear={() => setSelection(nothing)}
          />
        )}
        {missing ? (
          <Empty icon={<FolderX aria-hidden className="size-6" />} title={t.files.folderGone}>
            <p>{t.files.folderGoneText}</p>
            <Button className="mt-4" onClick={() => onGo({})}>
              {t.files.toRoot}
            </Button>
          </Empty>
        ) : entries.isPending ? (
          <ListWaiting layout={layout} />
        ) : entries.error ? (
          <LoadFailed title={t.files.listFailed} error={entries.error} onRetry={retry} />
        ) : total === 0 ? (
          <Empty
            icon={<FolderOpen aria-hidden className="size-6" />}
            title={filtered ? t.view.noMatchTitle : t.files.emptyTitle}
          >
            {filtered ? (
              <Button className="mt-2" onClick={() => onGo({ folder: folder || undefined })}>
                {t.view.clearFilter}
              </Button>
            ) : (
              t.files.emptyText
            )}
          </Empty>
        ) : (
          <EntryList
            label={t.files.listLabel(name)}
            count={count}
            at={at}
            layout={layout}
            long={long}
            previews={previews}
            selection={selection}
            onSelection={setSelection}
            onSelectAll={(on) => void selectAll(on)}
            onAction={(action, entry) => tasks.act(action, entry, selection)}
            onMenu={(entry, place) => tasks.menu(entry, place, selection)}
            target={target}
            onRange={onRange}
            sort={{
              key: sort,
              descending,
              // A second press turns the order round.
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

function chosenKeys(count: number, at: (index: number) => Entry | undefined): string[] {
  return Array.from({ length: count }, (_, index) => at(index)?.key).filter((key) => key !== undefined)
}
