import { useEffect, useState, useSyncExternalStore } from 'react'
import type { DownloadRequest } from '../transfers/download-request.ts'
import { addDownload, type Download, useDownloads } from '../transfers/downloads.ts'

type Picker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>

const picker = (): Picker | undefined => (globalThis as { showSaveFilePicker?: Picker }).showSaveFilePicker

const never = () => () => {}

/** A download shown within the page. @param onFailed called when it failed: the share may have ended meanwhile */
export function useDownload(onFailed?: () => void): {
  download: Download | undefined
  start: (request: DownloadRequest) => void
  /** Asks where to save first; undefined if the browser does not support it. */
  startTo: ((request: DownloadRequest) => void) | undefined
  show: (id: number) => void
} {
  const [id, setId] = useState<number>()
  const canPick = useSyncExternalStore(
    never,
    () => picker() !== undefined,
    () => false,
  )
  const download = useDownloads(({ list }) => list.find((each) => each.id === id))
  useEffect(() => {
    useDownloads.setState({ inPage: id })
    return () => useDownloads.setState({ inPage: undefined })
  }, [id])
  const failed = download?.stage === 'failed'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per failure
  useEffect(() => {
    if (failed) onFailed?.()
  }, [failed])
  const startTo = async (request: DownloadRequest) => {
    // Closing the picker cancels.
    const handle = await picker()?.({
      suggestedName: request.assetType === 'folder' ? `${request.name}.tar` : request.name,
    }).catch(() => undefined)
    if (handle) setId(addDownload({ ...request, handle }, false))
  }
  return {
    download,
    start: (request) => setId(addDownload(request, false)),
    startTo: canPick ? (request) => void startTo(request) : undefined,
    show: setId,
  }
}
