import { useEffect, useState } from 'react'
import { query, useQuery } from '../../lib/queries.ts'
import { t as shell } from '../../lib/texts.ts'
import type { PreviewSearch } from '../../searches.ts'
import { anonymousStorage, storage } from '../transfers/storage.ts'
import type { DownloadWish } from '../transfers/wish.ts'
import { type SharedRef, useSharedInfo } from './shared-info.ts'

/** Whose file is shown: what somebody shares (or owns), or what was left without an account; of an uploaded folder, what lies at a path in it. */
export type Source = (({ kind: 'open' } & SharedRef) | { kind: 'temp'; cid: string }) & { path?: string }

/** The page that shows something by itself. @param path in an uploaded folder */
export const searchOf = (source: Source, path?: string): PreviewSearch => ({
  cid: source.cid,
  ...(source.kind === 'open' && {
    address: source.owner,
    ...(source.folder !== undefined && { group: source.folder }),
    ...(source.areas.length > 0 && { area_id: source.areas.join(',') }),
  }),
  ...(path && { path }),
})

/** A download of it, or of something in it. */
export function wishFrom(source: Source, file: Omit<DownloadWish, 'cid' | 'shared' | 'temporary'>): DownloadWish {
  const wish: DownloadWish = { cid: source.cid, ...file }
  if (source.kind === 'temp') return { ...wish, temporary: true }
  return {
    ...wish,
    shared: {
      userId: source.owner,
      ...(source.ticket && { ticket: source.ticket }),
      ...(source.folder !== undefined && { groupId: source.folder }),
      ...(source.areas.length > 0 && { areas: [...source.areas] }),
    },
  }
}

/** Where it can be fetched, what it is called and how large it is; of a part, what it is a part of. */
export function useAddresses(source: Source) {
  const shared: SharedRef = source.kind === 'open' ? source : { cid: source.cid, owner: '', areas: [] }
  const open = useSharedInfo(shared, source.kind === 'open')
  const temp = useQuery({
    ...query('tempFiles.download', { cid: source.cid, preview: true }),
    enabled: source.kind === 'temp',
    staleTime: 30 * 60_000,
    refetchOnWindowFocus: false,
  })
  return source.kind === 'open' ? open : temp
}

export type Loaded =
  | { state: 'loading'; percent: number }
  | { state: 'ready'; blob: Blob }
  | { state: 'failed'; problem: string; wrongKey: boolean }

/** The code by which the SDK says that content or key do not fit. */
const CONTENT = 10030

/** Fetches all of it through the SDK, every block checked. `on` starts it; a preview does not count as a download. */
export function useVerified(source: Source, on: boolean, passphrase?: string): { loaded: Loaded; retry: () => void } {
  const [loaded, setLoaded] = useState<Loaded>({ state: 'loading', percent: 0 })
  const [turn, setTurn] = useState(0)
  const key = JSON.stringify(source)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks for another try
  useEffect(() => {
    if (!on) return
    const wanted = JSON.parse(key) as Source
    const stop = new AbortController()
    const show = (next: Loaded) => !stop.signal.aborted && setLoaded(next)
    const load = async () => {
      const sdk = wanted.kind === 'temp' ? await anonymousStorage() : await storage()
      stop.signal.throwIfAborted()
      const { code, msg, data } = await sdk.downloadAsset(
        {
          assetCid: wanted.cid,
          assetType: 'file',
          ...(wanted.path && { path: wanted.path }),
          to: 'blob',
          preview: true,
          signal: stop.signal,
          ...(wanted.kind === 'temp'
            ? { source: 'temp' as const }
            : {
                source: 'open' as const,
                userId: wanted.owner,
                ...(wanted.ticket && { ticket: wanted.ticket }),
                ...(wanted.folder !== undefined && { groupId: wanted.folder }),
                ...(wanted.areas.length > 0 && { areaId: [...wanted.areas] }),
              }),
          ...(passphrase && { decrypt: { passphrase } }),
        },
        ({ percent }) => show({ state: 'loading', percent }),
      )
      const { blob } = data as { blob?: Blob }
      if (code === 0 && blob) show({ state: 'ready', blob })
      else show({ state: 'failed', problem: msg, wrongKey: code === CONTENT && passphrase !== undefined })
    }
    setLoaded({ state: 'loading', percent: 0 })
    load().catch(() => show({ state: 'failed', problem: shell.errors.chunkTitle, wrongKey: false }))
    return () => stop.abort()
  }, [key, on, passphrase, turn])
  return { loaded, retry: () => setTurn((before) => before + 1) }
}

/** An address of a Blob for as long as it is shown; its type is ours, never what a stranger says. */
export function useObjectUrl(blob: Blob | undefined, type: string): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(new Blob([blob], { type }))
    setUrl(made)
    return () => {
      URL.revokeObjectURL(made)
      setUrl(undefined)
    }
  }, [blob, type])
  return url
}
