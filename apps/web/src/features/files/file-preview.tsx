import type { InfiniteData } from '@tanstack/react-query'
import type { ListItem } from '@tidenet/contract'
import { useState } from 'react'
import { usePreferences } from '../../lib/preferences.ts'
import { queries, query, useQuery } from '../../lib/queries.ts'
import { useStorageAccount } from '../../lib/team.ts'
import type { FilesSearch } from '../../searches.ts'
import { LoadFailed } from '../../ui/states.tsx'
import {
  BATCH,
  type FileRef,
  isRowOf,
  neighboursOf,
  type Placed,
  type ReadBatch,
  rowOf,
} from '../preview/neighbours.ts'
import { PreviewOverlay } from '../preview/preview-overlay.tsx'
import { useAddresses } from '../preview/source.ts'
import { t as preview } from '../preview/texts.ts'
import { DecryptDialog } from '../transfers/decrypt-dialog.tsx'
import type { DownloadRequest } from '../transfers/download-request.ts'
import { addDownload } from '../transfers/downloads.ts'
import type { ListQuery } from './use-entries.ts'
import { useView } from './view.ts'

interface FilePreviewProps {
  cid: string
  search: FilesSearch
  /** Shows another file in place of this one. */
  onShow: (search: FilesSearch) => void
  onClose: () => void
}

/** A file of the account over its list, with the files before and after it. */
export function FilePreview({ cid, search, onShow, onClose }: FilePreviewProps) {
  const owner = useStorageAccount()
  const rows = usePreferences((preferences) => preferences.rows)
  const long = useView(({ paging }) => paging === 'scroll')
  const [unlocking, setUnlocking] = useState<DownloadRequest>()
  const source = { kind: 'open' as const, cid, owner, areas: [] }
  const info = useAddresses(source)
  const { q, page = 1, entry } = search
  const shown = { cid, entry }
  const around = useQuery({
    queryKey: ['folders.neighbours', { ...search, page: undefined, after: undefined }, cid, entry],
    queryFn: () => {
      if (q) return neighboursOf(shown, 0, batchesIn(searchResults(search)))
      const list = listQueryOf(search)
      return neighboursOf(shown, long ? loadedIndex(list, shown) : (page - 1) * rows, batchesOf(list)).then(
        (found) => found ?? null,
      )
    },
    staleTime: 5000,
    refetchOnWindowFocus: false,
  })
  const show = (placed: Placed | undefined) =>
    placed &&
    (() => {
      const at = Math.floor(placed.index / rows) + 1
      onShow({
        ...search,
        preview: placed.cid,
        entry: placed.entry,
        // The list behind shows the page with the file.
        ...(!long && !q && at !== page && { page: at > 1 ? at : undefined, after: undefined }),
      })
    })
  const { data } = info
  const { index, name: listed, count, previous, next } = around.data ?? {}
  const file = data?.asset_type === 'file' && {
    source,
    name: listed || data.file_name || cid,
    size: data.size,
    encrypted: data.encrypted,
  }
  const download = (passphrase: string | undefined) => {
    if (!file) return
    const { name, size, encrypted } = file
    const request: DownloadRequest = { cid, name, size, encrypted, assetType: 'file' }
    if (!encrypted) addDownload(request)
    else if (passphrase !== undefined) addDownload({ ...request, passphrase })
    else setUnlocking(request)
  }
  return (
    <>
      <PreviewOverlay
        file={file || undefined}
        problem={
          info.isError || data?.asset_type === 'folder' ? (
            <LoadFailed title={preview.failed} error={info.error} onRetry={() => void info.refetch()} />
          ) : undefined
        }
        position={index !== undefined && count !== undefined ? { index, count } : undefined}
        onPrevious={show(previous)}
        onNext={show(next)}
        onDownload={download}
        onClose={onClose}
      />
      {unlocking && <DecryptDialog request={unlocking} onClose={() => setUnlocking(undefined)} />}
    </>
  )
}

const listQueryOf = ({ folder = 0, sort, direction, kind, shared, encrypted }: FilesSearch): ListQuery => ({
  parent: folder,
  ...(sort && { sort }),
  ...(direction && { direction }),
  ...(kind && { kind }),
  ...(shared !== undefined && { shared }),
  ...(encrypted !== undefined && { encrypted }),
})

/** The results that the list behind shows, in its order. */
function searchResults({ q, kind, shared, encrypted }: FilesSearch): ListItem[] {
  const found = queries.getQueryData<InfiniteData<{ list: ListItem[] }>>([
    'folders.search',
    { q, kind, shared, encrypted, paged: true },
  ])
  return (found?.pages ?? []).flatMap(({ list }) => list)
}

/** Reads batches of a folder through the cache of lists. */
const batchesOf =
  (listQuery: ListQuery): ReadBatch =>
  async (at) => {
    const { list, total } = await queries.fetchQuery(
      query('folders.contents', { ...listQuery, page: at + 1, page_size: BATCH }),
    )
    return { list: list.map(rowOf), total }
  }

/** The files among search results. */
const batchesIn =
  (items: readonly ListItem[]): ReadBatch =>
  async (at) => ({ list: items.slice(at * BATCH, (at + 1) * BATCH).map(rowOf), total: items.length })

/** Batches that a long list may have loaded. */
const LOADED_MAX = 500

/** The index of a file in the batches that are loaded; 0 if it is in none. */
function loadedIndex(list: ListQuery, file: FileRef): number {
  for (let batch = 0; batch < LOADED_MAX; batch++) {
    const { queryKey } = query('folders.contents', { ...list, page: batch + 1, page_size: BATCH })
    const found = queries.getQueryData(queryKey)?.list.some((item) => isRowOf(rowOf(item), file))
    if (found) return batch * BATCH
  }
  return 0
}
