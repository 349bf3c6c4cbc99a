import { useCallback, useState } from 'react'
import { usePreferences } from '../../lib/preferences.ts'
import type { FilesSearch } from '../../searches.ts'
import type { Entry } from './entries.ts'
import { type Entries, loadAll, usePage, useScroll, type Wish } from './use-entries.ts'

interface FolderEntries extends Entries {
  /** Rows of a page. */
  size: number
  /** Told which rows are in sight. */
  onRange: (first: number, last: number) => void
  /** Loads every entry of the folder, also those out of sight. */
  loadAll: () => Promise<Entry[]>
}

/** The entries of a folder, filtered and sorted as the address says: one page, or with `long` all of them as one list. */
export function useFolderEntries(folder: number, search: FilesSearch, long: boolean, missing: boolean): FolderEntries {
  const size = usePreferences((preferences) => preferences.rows)
  const { page = 1, after, sort, direction, kind, shared, encrypted } = search
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
  const onRange = useCallback(
    (first: number, last: number) =>
      setRange((before) => (before.first === first && before.last === last ? before : { first, last })),
    [],
  )
  return { ...entries, size, onRange, loadAll: () => loadAll(wish, entries.total) }
}
