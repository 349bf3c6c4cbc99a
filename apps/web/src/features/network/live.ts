import type { ExplorerTransfer } from './types.ts'

export interface LiveEventHandlers {
  /** The latest transfers, oldest first; called after each (re)connection. */
  onSnapshot?: (transfers: ExplorerTransfer[]) => void
  onTransfer?: (transfer: ExplorerTransfer) => void
  onOnline?: (count: number) => void
  /** Whether the event stream is connected. */
  onState?: (open: boolean) => void
}

/** Subscribes to network events while the page is visible. @returns unsubscribe */
export function subscribe(handlers: LiveEventHandlers): () => void {
  let source: EventSource | undefined
  const open = () => {
    if (source || document.hidden) return
    source = new EventSource('/api/v1/network/events')
    source.addEventListener('open', () => handlers.onState?.(true))
    source.addEventListener('error', () => handlers.onState?.(false))
    source.addEventListener('snapshot', (event) => {
      const { transfers, online } = JSON.parse(event.data) as { transfers: ExplorerTransfer[]; online: number }
      handlers.onSnapshot?.(transfers)
      handlers.onOnline?.(online)
    })
    source.addEventListener('transfer', (event) => handlers.onTransfer?.(JSON.parse(event.data) as ExplorerTransfer))
    source.addEventListener('nodes', (event) =>
      handlers.onOnline?.((JSON.parse(event.data) as { online: number }).online),
    )
  }
  const close = () => {
    source?.close()
    source = undefined
    handlers.onState?.(false)
  }
  const onVisibilityChange = () => (document.hidden ? close() : open())
  document.addEventListener('visibilitychange', onVisibilityChange)
  open()
  return () => {
    document.removeEventListener('visibilitychange', onVisibilityChange)
    close()
  }
}
