import { useNavigate } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useInfiniteQuery } from '../../lib/more-queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Empty, LoadFailed } from '../../ui/states.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { entryOf, type FileEntry } from './entries.ts'
import { EntryList } from './entry-list.tsx'
import { ListPlaceholder } from './list-placeholder.tsx'
import { emptySelection, selectedRows } from './selection.ts'
import { t } from './texts.ts'
import { loadedMatches, type SearchQuery, searchPage } from './use-entries.ts'
import { useTasks } from './use-tasks.tsx'
import { useView } from './view.ts'

/** Search results from all folders, with their paths. */
export function SearchView({
  search,
  onClear,
  onPreview,
}: {
  search: SearchQuery
  onClear: () => void
  onPreview: (entry: FileEntry) => void
}) {
  const navigate = useNavigate()
  const { layout, previews } = useView()
  const [selection, setSelection] = useState(emptySelection)
  const found = useInfiniteQuery({
    queryKey: ['folders.search', { ...search, paged: true }],
    queryFn: ({ pageParam, signal }) => searchPage(search, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next,
  })
  // Shows matches from loaded lists until the server has answered.
  const [loaded] = useState(() => loadedMatches(search))
  const list = useMemo(
    () =>
      found.data
        ? found.data.pages
            .flatMap((page) => page.list)
            .map(entryOf)
            .filter((entry) => entry !== undefined)
        : loaded,
    [found.data, loaded],
  )
  const at = (index: number) => list[index]
  const chosen = () => selectedRows(selection, list.length, at)
  const tasks = useTasks({
    onDone: () => setSelection(emptySelection),
    onOpenFolder: (id) => void navigate({ to: '/fileStorage', search: { folder: id } }),
    onPreview,
    selected: chosen,
  })
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-4">
        <h2 className="text-lg font-semibold wrap-anywhere">{t.view.results(search.q)}</h2>
        <Button look="ghost" onClick={onClear}>
          {t.view.clearSearch}
        </Button>
      </div>
      <Card className="relative overflow-hidden">
        {selection.keys.size > 0 && (
          <BulkBar
            count={selection.keys.size}
            entries={chosen()}
            onAction={(action) => tasks.run(action, chosen())}
            onClear={() => setSelection(emptySelection)}
          />
        )}
        {found.isPending && list.length === 0 ? (
          <ListPlaceholder layout={layout} />
        ) : found.isError && !found.data ? (
          <LoadFailed title={t.files.listFailed} error={found.error} onRetry={() => void found.refetch()} />
        ) : list.length === 0 ? (
          <Empty icon={<SearchX aria-hidden className="size-6" />} title={t.view.noResultsTitle(search.q)}>
            {t.view.noResultsText}
          </Empty>
        ) : (
          <EntryList
            label={t.view.results(search.q)}
            count={list.length}
            at={at}
            layout={layout}
            long={list.length > 100}
            previews={previews}
            selection={selection}
            onSelection={setSelection}
            onSelectAll={(on) =>
              setSelection(on ? { keys: new Set(list.map(({ key }) => key)), anchor: 0 } : emptySelection)
            }
            onAction={(action, entry) => tasks.act(action, entry, selection)}
            onMenu={(entry, place) => tasks.menu(entry, place, selection)}
          />
        )}
        {found.hasNextPage && (
          <div className="border-t border-line p-3 text-center">
            <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
              {t.view.moreResults}
            </Button>
          </div>
        )}
      </Card>
      {tasks.view}
    </>
  )
}
