import type { FolderEntry, FolderListing, OpenFolder } from '@tidenet/storage'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { queries, useQuery } from '../../lib/queries.ts'
import { anonymousStorage, storage } from '../../lib/storage.ts'
import { storageAccount } from '../../lib/team.ts'
import { locale, t as shell } from '../../lib/texts.ts'
import { nameOf, parentOf } from './paths.ts'
import { accessOf, type Source } from './source.ts'

export type Entry = FolderEntry

/** Up to this many unknown kinds are resolved before the list is shown, so that folders come first; otherwise only for visible rows. */
const EAGER_KINDS_MAX = 60
/** Debounce, so that rows that scroll by are not resolved. */
const SCROLL_DEBOUNCE_MS = 120

/** Query key of a folder asset, independent of the shown path. */
const keyOf = (source: Source): string => JSON.stringify({ ...source, path: undefined })

/** Opens a folder with the SDK; cached, so that download sources are reused between subfolders. */
function folderOf(source: Source): Promise<OpenFolder> {
  return queries.fetchQuery({
    queryKey: ['folder', keyOf(source), 'opened'],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60 * 60_000,
    queryFn: async () => {
      if (source.kind === 'temp') return (await anonymousStorage()).openFolder(source.cid, { source: 'temp' })
      const sdk = await storage()
      const own = source.kind === 'own' || source.owner === storageAccount()
      return sdk.openFolder(source.cid, own ? { source: 'own' } : accessOf(source))
    },
  })
}

/** Unwraps an SDK result. @throws ApiError */
function dataOf<T>({ code, msg, data }: { code: number; msg: string; data: unknown }): T {
  if (code === 0) return data as T
  const { err } = data as { err?: number }
  throw new ApiError('refused', msg, err, { code })
}

const openFolder = async (source: Source): Promise<OpenFolder> => {
  try {
    return await folderOf(source)
  } catch {
    throw new ApiError('network', shell.errors.chunkTitle)
  }
}

const order = new Intl.Collator(locale, { numeric: true })

/** Known folders first, then by name in natural order. */
export const sorted = (entries: readonly Entry[]): Entry[] =>
  [...entries].sort(
    (a, b) => Number(b.kind === 'folder') - Number(a.kind === 'folder') || order.compare(a.name, b.name),
  )

/** Lists an uploaded folder or a subfolder. The SDK verifies it against its CID. */
export function useListing(source: Source, path: string, enabled = true) {
  return useQuery({
    queryKey: ['folder', keyOf(source), path],
    enabled,
    queryFn: async ({ signal }): Promise<FolderListing> => {
      const folder = await openFolder(source)
      const listing = dataOf<FolderListing>(await folder.list(path, { signal }))
      const unknown = listing.entries.filter(({ kind }) => kind === undefined).length
      const entries =
        unknown === 0 || unknown > EAGER_KINDS_MAX
          ? listing.entries
          : dataOf<Entry[]>(await folder.look(listing.entries, { signal }))
      return { ...listing, entries: sorted(entries) }
    },
    // Content of a CID is immutable.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10 * 60_000,
    retry: false,
    refetchOnWindowFocus: false,
  })
}

/** One entry of a folder by its path, with its kind. */
export function useEntry(source: Source, path: string, enabled: boolean) {
  return useQuery({
    queryKey: ['folder', keyOf(source), path, 'entry'],
    enabled,
    queryFn: async ({ signal }): Promise<Entry> => {
      const [parent, name] = [parentOf(path), nameOf(path)]
      const folder = await openFolder(source)
      const { entries } = dataOf<FolderListing>(await folder.list(parent, { signal }))
      const found = entries.filter((entry) => entry.name === name)
      const [entry] = dataOf<Entry[]>(await folder.look(found, { signal }))
      if (!entry) throw new ApiError('refused', '', undefined, { code: 404 })
      return entry
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10 * 60_000,
    retry: false,
    refetchOnWindowFocus: false,
  })
}

/** Whether a path does not exist in the folder. */
export const isMissingPath = (error: unknown): boolean =>
  error instanceof ApiError && (error.data as { code?: number } | undefined)?.code === 404

/** Resolves the kinds of visible entries. @returns `resolve` for the entry as known now, and `loadKinds` for visible entries */
export function useEntryKinds(source: Source): {
  resolve: (entry: Entry) => Entry
  loadKinds: (entries: readonly Entry[]) => void
} {
  const [resolved, setResolved] = useState<ReadonlyMap<string, Entry>>(new Map())
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const request = useRef<AbortController>(undefined)
  const key = keyOf(source)
  useEffect(
    () => () => {
      clearTimeout(waiting.current)
      request.current?.abort()
    },
    [],
  )
  const loadKinds = useCallback(
    (entries: readonly Entry[]) => {
      clearTimeout(waiting.current)
      if (entries.every(({ kind }) => kind !== undefined)) return
      waiting.current = setTimeout(async () => {
        request.current?.abort()
        const controller = new AbortController()
        request.current = controller
        const folder = await folderOf(JSON.parse(key) as Source).catch(() => undefined)
        const result = await folder?.look(entries, { signal: controller.signal })
        if (controller.signal.aborted || result?.code !== 0) return
        setResolved(
          (before) => new Map([...before, ...(result.data as Entry[]).map((entry) => [entry.cid, entry] as const)]),
        )
      }, SCROLL_DEBOUNCE_MS)
    },
    [key],
  )
  return {
    resolve(entry) {
      const known = entry.kind === undefined ? resolved.get(entry.cid) : undefined
      // The same content can occur under several names.
      return known ? { ...known, name: entry.name } : entry
    },
    loadKinds,
  }
}
