import type { OpenFileOptions } from '@tidenet/storage'
import { useEffect, useState } from 'react'
import { isShortLink, tokenOfShortLink } from '../../lib/opened-links.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { anonymousStorage, storage } from '../../lib/storage.ts'
import { t as shell } from '../../lib/texts.ts'
import type { PreviewSearch } from '../../searches.ts'
import { decryptionOf } from '../transfers/decryption.ts'
import type { DownloadRequest } from '../transfers/download-request.ts'
import { sdkCodes } from '../transfers/sdk-codes.ts'
import { type SharedRef, useSharedInfo } from './shared-info.ts'

/**
 * The file to show: a shared or own asset (`open`), a content of the account (`own`), such as an earlier version, or an anonymous file
 * (`temp`); `path` selects an entry of an uploaded folder.
 */
export type Source = (({ kind: 'open' } & SharedRef) | { kind: 'own'; cid: string } | { kind: 'temp'; cid: string }) & {
  path?: string
}

/** What the SDK needs to read the source. */
export const accessOf = (
  source: Source,
): Pick<OpenFileOptions, 'source' | 'userId' | 'ticket' | 'groupId' | 'areaId'> =>
  source.kind === 'open'
    ? {
        source: 'open',
        userId: source.owner,
        ...(source.shareToken && { ticket: source.shareToken }),
        ...(source.folder !== undefined && { groupId: source.folder }),
        ...(source.areas.length > 0 && { areaId: [...source.areas] }),
      }
    : { source: source.kind }

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** CID of what is shown by a short link, whose addresses contain no CID, and its asset id. */
    shown?: string
    entry?: number
  }
}

/** Search parameters and history state of the preview page. @param path in an uploaded folder */
export function previewOf(source: Source, path?: string): { search: PreviewSearch; state: { shown?: string } } {
  const inside = { ...(path && { path }) }
  if (source.kind !== 'open') return { search: { cid: source.cid, ...inside }, state: {} }
  const { cid, owner, folder, areas } = source
  if (isShortLink(owner)) return { search: { link: tokenOfShortLink(owner), ...inside }, state: { shown: cid } }
  const search = {
    cid,
    address: owner,
    ...(folder !== undefined && { group: folder }),
    ...(areas.length > 0 && { area_id: areas.join(',') }),
    ...inside,
  }
  return { search, state: {} }
}

/** A download of a source, or of an entry of it. */
export function downloadRequestFrom(
  source: Source,
  file: Omit<DownloadRequest, 'cid' | 'shared' | 'temporary'>,
): DownloadRequest {
  const request: DownloadRequest = { cid: source.cid, ...file }
  if (source.kind === 'own') return request
  if (source.kind === 'temp') return { ...request, temporary: true }
  return {
    ...request,
    shared: {
      userId: source.owner,
      ...(source.shareToken && { shareToken: source.shareToken }),
      ...(source.password && { password: source.password }),
      ...(source.folder !== undefined && { groupId: source.folder }),
      ...(source.areas.length > 0 && { areas: [...source.areas] }),
    },
  }
}

/** Download sources, name and size of the asset (not of the entry at `path`). */
export function useAddresses(source: Source) {
  const shared: SharedRef = source.kind === 'open' ? source : { cid: source.cid, owner: '', areas: [] }
  const open = useSharedInfo(shared, source.kind === 'open')
  const temp = useQuery({
    ...query('tempFiles.download', { cid: source.cid, preview: true }),
    enabled: source.kind === 'temp',
    staleTime: 30 * 60_000,
    refetchOnWindowFocus: false,
  })
  const own = useQuery({
    ...query('downloads.own', { asset_cid: source.cid, preview: true }),
    enabled: source.kind === 'own',
    staleTime: 30 * 60_000,
    refetchOnWindowFocus: false,
  })
  return { open, own, temp }[source.kind]
}

export type Loaded =
  | { state: 'loading'; percent: number }
  | { state: 'ready'; blob: Blob }
  | { state: 'failed'; problem: string; wrongKey: boolean }

/** Downloads the whole file with the SDK, which verifies every block. Does not count as a download. `on`: whether to start. */
export function useVerifiedContent(
  source: Source,
  on: boolean,
  passphrase?: string,
): { loaded: Loaded; retry: () => void } {
  const [loaded, setLoaded] = useState<Loaded>({ state: 'loading', percent: 0 })
  const [attempt, setAttempt] = useState(0)
  const key = JSON.stringify(source)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` restarts the download
  useEffect(() => {
    if (!on) return
    const current = JSON.parse(key) as Source
    const stop = new AbortController()
    const show = (next: Loaded) => !stop.signal.aborted && setLoaded(next)
    const load = async () => {
      const sdk = current.kind === 'temp' ? await anonymousStorage() : await storage()
      stop.signal.throwIfAborted()
      const { code, msg, data } = await sdk.downloadAsset(
        {
          assetCid: current.cid,
          assetType: 'file',
          ...(current.path && { path: current.path }),
          to: 'blob',
          preview: true,
          signal: stop.signal,
          ...accessOf(current),
          ...(passphrase && { decrypt: decryptionOf(passphrase) }),
        },
        ({ percent }) => show({ state: 'loading', percent }),
      )
      const { blob } = data as { blob?: Blob }
      if (code === 0 && blob) show({ state: 'ready', blob })
      else
        show({
          state: 'failed',
          problem: msg,
          wrongKey: code === sdkCodes.downloadFileError && passphrase !== undefined,
        })
    }
    setLoaded({ state: 'loading', percent: 0 })
    load().catch(() => show({ state: 'failed', problem: shell.errors.chunkTitle, wrongKey: false }))
    return () => stop.abort()
  }, [key, on, passphrase, attempt])
  return { loaded, retry: () => setAttempt((before) => before + 1) }
}

/** An object URL for a Blob while it is shown. Its media type is set by us, not taken from the file. */
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
