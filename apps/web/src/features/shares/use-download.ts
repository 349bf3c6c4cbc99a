import { useEffect, useState, useSyncExternalStore } from 'react'
import { addDownload, type Download, useDownloads } from '../transfers/downloads.ts'
import type { DownloadWish } from '../transfers/wish.ts'

type Picker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>

const picker = (): Picker | undefined => (globalThis as { showSaveFilePicker?: Picker }).showSaveFilePicker

const never = () => () => {}

/** The download that a page shows in itself, and how to start it. */
export function useDownload(): {
  download: Download | undefined
  start: (wish: DownloadWish) => void
  /** Asks where to write it first; absent where the browser cannot. */
  startTo: ((wish: DownloadWish) => void) | undefined
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
  const startTo = async (wish: DownloadWish) => {
    // Who closes the dialog of the browser wants nothing.
    const handle = await picker()?.({
      suggestedName: wish.assetType === 'folder' ? `${wish.name}.tar` : wish.name,
    }).catch(() => undefined)
    if (handle) setId(addDownload({ ...wish, handle }, false))
  }
  return {
    download,
    start: (wish) => setId(addDownload(wish, false)),
    startTo: canPick ? (wish) => void startTo(wish) : undefined,
    show: setId,
  }
}
