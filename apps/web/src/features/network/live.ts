import type { ExplorerTransfer } from './types.ts'

export interface LiveNews {
  /** Once at the beginning, and again after the connection broke: what was last, oldest first. */
  onSnapshot?: (transfers: ExplorerTransfer[]) => void
  onTransfer?: (transfer: ExplorerTransfer) => void
  onOnline?: (count: number) => void
  /** Whether news are coming. */
  onState?: (open: boolean) => void
}

/** Listens to what happens on the network while somebody looks at the page. Returns what ends it. */
export function listen(news: LiveNews): () => void {
  let source: EventSource | undefined
  const open = () => {
    if (source || document.hidden) return
    source = new EventSource('/api/v1/network/events')
    source.addEventListener('open', () => news.onState?.(true))
    source.addEventListener('error', () => news.onState?.(false))
    source.addEventListener('snapshot', (event) => {
      const { transfers, online } = JSON.parse(event.data) as { transfers: ExplorerTransfer[]; online: number }
      news.onSnapshot?.(transfers)
      news.onOnline?.(online)
    })
    source.addEventListener('transfer', (event) => news.onTransfer?.(JSON.parse(event.data) as ExplorerTransfer))
    source.addEventListener('nodes', (event) => news.onOnline?.((JSON.parse(event.data) as { online: number }).online))
  }
  const close = () => {
    source?.close()
    source = undefined
    news.onState?.(false)
  }
  const look = () => (document.hidden ? close() : open())
  document.addEventListener('visibilitychange', look)
  open()
  return () => {
    document.removeEventListener('visibilitychange', look)
    close()
  }
}
