import type { Input, Output, RouteOf } from '@tidenet/contract'
import { useMemo } from 'react'
import { api } from '../../lib/api.ts'
import { useQueries } from '../../lib/more-queries.ts'
import { paged, queries, query, useQuery } from '../../lib/queries.ts'
import { type Entry, entryOf, isReplicating, nameOf } from './entries.ts'

type Listing = Input<RouteOf<'folders.contents'>>

/** Filter and order of the entries of a folder. */
export interface ListQuery extends Pick<Listing, 'parent' | 'sort' | 'direction' | 'kind'> {
  shared?: boolean | undefined
  encrypted?: boolean | undefined
}

export interface Entries {
  /** Number of entries in the folder. */
  total: number
  /** Number of rows: of the page, or of the whole folder. */
  count: number
  at: (index: number) => Entry | undefined
  isPending: boolean
  /** Shows the previous rows while the next ones load. */
  isStale: boolean
  error: Error | null
  retry: () => void
  /** Cursor of the next page of a sorted list. */
  next?: string | undefined
}

/** Refresh interval while copies are being made. */
const REPLICATING_MS = 5000
/** Rows per request when the folder is one long list. */
const BATCH = 100

const refreshInterval = (list: readonly { AssetOverview: Parameters<typeof isReplicating>[0] }[] | undefined) =>
  list?.some(({ AssetOverview }) => isReplicating(AssetOverview)) ? REPLICATING_MS : (false as const)

/** A page of a folder. */
export function usePage(
  listQuery: ListQuery,
  page: number,
  size: number,
  after: string | undefined,
  enabled: boolean,
): Entries {
  const answer = useQuery({
    ...query('folders.contents', { ...listQuery, page, page_size: size, ...(after && { after }) }),
    ...paged,
    enabled,
    refetchInterval: ({ state }) => refreshInterval(state.data?.list),
  })
  const { data } = answer
  const list = useMemo(() => (data?.list ?? []).map(entryOf).filter((entry) => entry !== undefined), [data])
  return {
    total: data?.total ?? 0,
    count: list.length,
    at: (index) => list[index],
    isPending: answer.isPending,
    isStale: answer.isPlaceholderData,
    error: answer.data ? null : answer.error,
    retry: () => void answer.refetch(),
    next: data?.next,
  }
}

const batch = (listQuery: ListQuery, index: number) =>
  query('folders.contents', { ...listQuery, page: index + 1, page_size: BATCH })

/** The whole folder as one list that loads the visible rows. @param visible range of rows; `last` is exclusive */
export function useScroll(listQuery: ListQuery, visible: { first: number; last: number }, enabled: boolean): Entries {
  const [from, to] = [Math.floor(visible.first / BATCH), Math.floor(Math.max(visible.first, visible.last - 1) / BATCH)]
  const batches = useMemo(
    () => [...new Set([0, ...Array.from({ length: to - from + 1 }, (_, n) => from + n)])],
    [from, to],
  )
  const answers = useQueries({
    queries: batches.map((index) => ({
      ...batch(listQuery, index),
      enabled,
      refetchInterval: ({ state }: { state: { data?: { list: Parameters<typeof refreshInterval>[0] } | undefined } }) =>
        refreshInterval(state.data?.list),
    })),
  })
  const [first] = answers
  const total = answers.findLast((answer) => answer.data)?.data?.total ?? 0
  return {
    total,
    count: total,
    at(index) {
      // Rows outside the visible range stay in the cache, without refreshes.
      const { data } = answers[batches.indexOf(Math.floor(index / BATCH))] ?? {}
      const item = (data ?? queries.getQueryData(batch(listQuery, Math.floor(index / BATCH)).queryKey))?.list[
        index % BATCH
      ]
      return item && entryOf(item)
    },
    isPending: first?.isPending ?? true,
    isStale: false,
    error: first?.data ? null : (first?.error ?? null),
    retry: () => void Promise.all(answers.map((answer) => answer.refetch())),
  }
}

const CONCURRENCY = 4

/** Loads all entries of a folder, for bulk actions. */
export async function loadAll(listQuery: ListQuery, total: number): Promise<Entry[]> {
  const lists: Entry[][] = []
  const left = Array.from({ length: Math.ceil(total / BATCH) }, (_, index) => index)
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let index = left.shift(); index !== undefined; index = left.shift()) {
        const { list } = await queries.ensureQueryData(batch(listQuery, index))
        lists[index] = list.map(entryOf).filter((entry) => entry !== undefined)
      }
    }),
  )
  return lists.flat()
}

export interface SearchQuery {
  q: string
  kind?: ListQuery['kind']
  shared?: ListQuery['shared']
  encrypted?: ListQuery['encrypted']
}

/** Results per request. */
const SEARCH_PAGE_SIZE = 50

/** Matches in lists of any folder that are loaded already; names that start with the text come first. */
export function loadedMatches({ q, kind, shared, encrypted }: SearchQuery): Entry[] {
  // Filters are evaluated by the server only.
  if (kind || shared !== undefined || encrypted !== undefined) return []
  const text = q.toLowerCase()
  const words = text.split(/\s+/)
  const found = new Map<string, { entry: Entry; name: string }>()
  for (const { state } of queries.getQueryCache().findAll({ queryKey: ['folders.contents'] })) {
    if (state.isInvalidated) continue
    for (const item of (state.data as Output<RouteOf<'folders.contents'>> | undefined)?.list ?? []) {
      const entry = entryOf(item)
      const name = entry && nameOf(entry).toLowerCase()
      if (entry && name && words.every((word) => name.includes(word))) found.set(entry.key, { entry, name })
    }
  }
  return [...found.values()]
    .sort((a, b) => Number(b.name.startsWith(text)) - Number(a.name.startsWith(text)))
    .slice(0, SEARCH_PAGE_SIZE)
    .map(({ entry }) => entry)
}

/** A page of search results. */
export const searchPage = (search: SearchQuery, after: string | undefined, signal: AbortSignal) =>
  api('folders.search', { ...search, page_size: SEARCH_PAGE_SIZE, ...(after && { after }) }, { signal })
