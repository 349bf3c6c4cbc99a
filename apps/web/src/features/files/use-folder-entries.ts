import { useCallback, useState } from 'react'
import { usePreferences } from '../../lib/preferences.ts'
import type { FilesSearch } from '../../searches.ts'
import type { Entry } from './entries.ts'
import { type Entries, type ListQuery, loadAll, usePage, useScroll } from './use-entries.ts'

interface FolderEntries extends Entries {
  /** Rows per page. */
  size: number
  /** Call with the range of visible rows. */
  onRange: (first: number, last: number) => void
  /** Loads all entries of the folder. */
  loadAll: () => Promise<Entry[]>
}

/** The entries of a folder, filtered and sorted by the query parameters: one page, or with `long` all of them as one list. */
export function useFolderEntries(folder: number, search: FilesSearch, long: boolean, missing: boolean): FolderEntries {
  const size = usePreferences((preferences) => preferences.rows)
  const { page = 1, after, sort, direction, kind, shared, encrypted } = search
  const listQuery: ListQuery = {
    parent: folder,
    ...(sort && { sort }),
    ...(direction && { direction }),
    ...(kind && { kind }),
    ...(shared !== undefined && { shared }),
    ...(encrypted !== undefined && { encrypted }),
  }
  const [range, setRange] = useState({ first: 0, last: 100 })
  const pageOf = usePage(listQuery, page, size, after, !long && !missing)
  const scrollOf = useScroll(listQuery, range, long && !missing)
  const entries = long ? scrollOf : pageOf
  const onRange = useCallback(
    (first: number, last: number) =>
      setRange((before) => (before.first === first && before.last === last ? before : { first, last })),
    [],
  )
  return { ...entries, size, onRange, loadAll: () => loadAll(listQuery, entries.total) }
}
