import type { Input, Output, RouteOf } from '@tidenet/contract'
import { useMemo } from 'react'
import { api } from '../../lib/api.ts'
import { useQueries } from '../../lib/more-queries.ts'
import { paged, queries, query, useQuery } from '../../lib/queries.ts'
import { type Entry, entryOf, isSpreading, nameOf } from './entries.ts'

type Listing = Input<RouteOf<'folders.contents'>>

/** Which entries of a folder are shown, and in which order. */
export interface Wish extends Pick<Listing, 'parent' | 'sort' | 'direction' | 'kind'> {
  shared?: boolean | undefined
  encrypted?: boolean | undefined
}

export interface Entries {
  /** How many there are, loaded or not. */
  total: number
  /** Rows that can be shown now: of a page, or of the whole folder. */
  count: number
  at: (index: number) => Entry | undefined
  isPending: boolean
  /** Shows what was there before while something else loads. */
  isStale: boolean
  error: Error | null
  retry: () => void
  /** Where the next page begins, in an order that goes from place to place. */
  next?: string | undefined
}

/** While copies are being made the list is asked for again. */
const SPREADING_MS = 5000
/** Rows asked for at once when the folder is one long list. */
const BATCH = 100

const spreads = (list: readonly { AssetOverview: Parameters<typeof isSpreading>[0] }[] | undefined) =>
  list?.some(({ AssetOverview }) => isSpreading(AssetOverview)) ? SPREADING_MS : (false as const)

/** One page of a folder. */
export function usePage(wish: Wish, page: number, size: number, after: string | undefined, enabled: boolean): Entries {
  const answer = useQuery({
    ...query('folders.contents', { ...wish, page, page_size: size, ...(after && { after }) }),
    ...paged,
    enabled,
    refetchInterval: ({ state }) => spreads(state.data?.list),
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

const batch = (wish: Wish, index: number) => query('folders.contents', { ...wish, page: index + 1, page_size: BATCH })

/** The whole folder as one list, of which the rows in sight are loaded. @param shown rows in sight, first and last */
export function useScroll(wish: Wish, shown: { first: number; last: number }, enabled: boolean): Entries {
  const [from, to] = [Math.floor(shown.first / BATCH), Math.floor(Math.max(shown.first, shown.last - 1) / BATCH)]
  const wanted = useMemo(
    () => [...new Set([0, ...Array.from({ length: to - from + 1 }, (_, n) => from + n)])],
    [from, to],
  )
  const answers = useQueries({
    queries: wanted.map((index) => ({
      ...batch(wish, index),
      enabled,
      refetchInterval: ({ state }: { state: { data?: { list: Parameters<typeof spreads>[0] } | undefined } }) =>
        spreads(state.data?.list),
    })),
  })
  const [first] = answers
  const total = answers.findLast((answer) => answer.data)?.data?.total ?? 0
  return {
    total,
    count: total,
    at(index) {
      // Rows that were loaded before are still known, though they are not asked for again.
      const { data } = answers[wanted.indexOf(Math.floor(index / BATCH))] ?? {}
      const item = (data ?? queries.getQueryData(batch(wish, Math.floor(index / BATCH)).queryKey))?.list[index % BATCH]
      return item && entryOf(item)
    },
    isPending: first?.isPending ?? true,
    isStale: false,
    error: first?.data ? null : (first?.error ?? null),
    retry: () => void Promise.all(answers.map((answer) => answer.refetch())),
  }
}

const AT_ONCE = 4

/** Loads every entry of a folder, for what is done with all of them. */
export async function loadAll(wish: Wish, total: number): Promise<Entry[]> {
  const lists: Entry[][] = []
  const left = Array.from({ length: Math.ceil(total / BATCH) }, (_, index) => index)
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let index = left.shift(); index !== undefined; index = left.shift()) {
        const { list } = await queries.ensureQueryData(batch(wish, index))
        lists[index] = list.map(entryOf).filter((entry) => entry !== undefined)
      }
    }),
  )
  return lists.flat()
}

export interface SearchWish {
  q: string
  kind?: Wish['kind']
  shared?: Wish['shared']
  encrypted?: Wish['encrypted']
}

/** As many as the server answers at once. */
const SHOWN = 50

/** What of a search is in lists that were loaded before, whichever folders they are of; those that begin with it first. */
export function loadedMatches({ q, kind, shared, encrypted }: SearchWish): Entry[] {
  // What a filter leaves is the server's to say.
  if (kind || shared !== undefined || encrypted !== undefined) return []
  const wanted = q.toLowerCase()
  const words = wanted.split(/\s+/)
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
    .sort((a, b) => Number(b.name.startsWith(wanted)) - Number(a.name.startsWith(wanted)))
    .slice(0, SHOWN)
    .map(({ entry }) => entry)
}

/** Reads on in what a search has found. */
export const searchPage = (wish: SearchWish, after: string | undefined, signal: AbortSignal) =>
  api('folders.search', { ...wish, page_size: SHOWN, ...(after && { after }) }, { signal })
