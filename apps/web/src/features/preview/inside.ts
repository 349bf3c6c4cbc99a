import type { FolderEntry, FolderListing, OpenFolder } from '@tidenet/storage'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { queries, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { locale, t as shell } from '../../lib/texts.ts'
import { anonymousStorage, storage } from '../transfers/storage.ts'
import { nameOf, parentOf } from './paths.ts'
import type { Source } from './source.ts'

export type Entry = FolderEntry

/** Entries whose kind is found out before the list is shown, so that folders stand first; of more, those in sight are asked about. */
const LOOKED_AT_ONCE = 60
/** Rows that pass by while somebody scrolls are not asked about, ms. */
const SCROLLED_BY = 120

/** A folder asset, without the path of what is shown of it. */
const keyOf = (source: Source): string => JSON.stringify({ ...source, path: undefined })

/** The SDK's way into a folder: it keeps its addresses while somebody goes from folder to folder. */
function folderOf(source: Source): Promise<OpenFolder> {
  return queries.fetchQuery({
    queryKey: ['folder', keyOf(source), 'opened'],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60 * 60_000,
    queryFn: async () => {
      if (source.kind === 'temp') return (await anonymousStorage()).openFolder(source.cid, { source: 'temp' })
      const sdk = await storage()
      if (source.owner === useSession.getState().address) return sdk.openFolder(source.cid, { source: 'own' })
      return sdk.openFolder(source.cid, {
        source: 'open',
        userId: source.owner,
        ...(source.ticket && { ticket: source.ticket }),
        ...(source.folder !== undefined && { groupId: source.folder }),
        ...(source.areas.length > 0 && { areaId: [...source.areas] }),
      })
    },
  })
}

/** What the SDK answered, or an error that can be shown. */
function dataOf<T>({ code, msg, data }: { code: number; msg: string; data: unknown }): T {
  if (code === 0) return data as T
  const { err } = data as { err?: number }
  throw new ApiError('refused', msg, err, { code })
}

const loading = async (source: Source): Promise<OpenFolder> => {
  try {
    return await folderOf(source)
  } catch {
    throw new ApiError('network', shell.errors.chunkTitle)
  }
}

const order = new Intl.Collator(locale, { numeric: true })

/** Folders first as far as they are known, then by name as people count. */
export const sorted = (entries: readonly Entry[]): Entry[] =>
  [...entries].sort(
    (a, b) => Number(b.kind === 'folder') - Number(a.kind === 'folder') || order.compare(a.name, b.name),
  )

/** What lies in an uploaded folder, or in one below it; checked against its CID in this browser. */
export function useListing(source: Source, path: string, enabled = true) {
  return useQuery({
    queryKey: ['folder', keyOf(source), path],
    enabled,
    queryFn: async ({ signal }): Promise<FolderListing> => {
      const folder = await loading(source)
      const listing = dataOf<FolderListing>(await folder.list(path, { signal }))
      const unknown = listing.entries.filter(({ kind }) => kind === undefined).length
      const entries =
        unknown === 0 || unknown > LOOKED_AT_ONCE
          ? listing.entries
          : dataOf<Entry[]>(await folder.look(listing.entries, { signal }))
      return { ...listing, entries: sorted(entries) }
    },
    // Content does not change under its CID.
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
      const folder = await loading(source)
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

/** Whether a folder holds nothing at the path that an address names. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && (error.data as { code?: number } | undefined)?.code === 404

/** Finds out of entries in sight what they are. @returns the entry as it is known now, and whom to tell what is in sight */
export function useLooked(source: Source): {
  known: (entry: Entry) => Entry
  see: (entries: readonly Entry[]) => void
} {
  const [found, setFound] = useState<ReadonlyMap<string, Entry>>(new Map())
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const stop = useRef<AbortController>(undefined)
  const key = keyOf(source)
  useEffect(
    () => () => {
      clearTimeout(waiting.current)
      stop.current?.abort()
    },
    [],
  )
  const see = useCallback(
    (entries: readonly Entry[]) => {
      clearTimeout(waiting.current)
      if (entries.every(({ kind }) => kind !== undefined)) return
      waiting.current = setTimeout(async () => {
        stop.current?.abort()
        const now = new AbortController()
        stop.current = now
        const folder = await folderOf(JSON.parse(key) as Source).catch(() => undefined)
        const result = await folder?.look(entries, { signal: now.signal })
        if (now.signal.aborted || result?.code !== 0) return
        setFound(
          (before) => new Map([...before, ...(result.data as Entry[]).map((entry) => [entry.cid, entry] as const)]),
        )
      }, SCROLLED_BY)
    },
    [key],
  )
  return {
    known(entry) {
      const looked = entry.kind === undefined ? found.get(entry.cid) : undefined
      // One content may have several names.
      return looked ? { ...looked, name: entry.name } : entry
    },
    see,
  }
}
