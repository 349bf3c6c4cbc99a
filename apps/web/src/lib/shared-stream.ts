import { openEventStream, type StreamEvent, type StreamOptions } from './event-stream.ts'

type Told = { event: StreamEvent } | { open: boolean } | { asks: true }

/**
 * An event stream that all tabs of this browser share: browsers allow six connections per server, and every tab would need one.
 * The tab that holds the lock is connected and passes events on; when it is closed, the next tab continues after the last event.
 * Without the Web Locks API (pages that are not served by HTTPS), every tab has its own connection.
 * @param name of the stream: one per account
 * @returns ends this tab's part
 */
export function openSharedStream(name: string, options: StreamOptions): () => void {
  const locks = (globalThis.navigator as Navigator | undefined)?.locks
  if (!locks || typeof BroadcastChannel === 'undefined') return openEventStream(options)
  const stopping = new AbortController()
  const channel = new BroadcastChannel(name)
  const tell = (what: Told) => channel.postMessage(what)
  let lastId = options.lastId
  let isConnected = false
  let close: (() => void) | undefined

  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if ('asks' in data) {
      if (close) tell({ open: isConnected })
    } else if ('event' in data) {
      if (data.event.id) lastId = data.event.id
      options.onEvent(data.event)
    } else options.onState?.(data.open)
  }
  tell({ asks: true })

  const connected = () =>
    new Promise<void>((resolve) => {
      const end = openEventStream({
        ...options,
        lastId,
        onEvent: (event) => {
          if (event.id) lastId = event.id
          tell({ event })
          options.onEvent(event)
        },
        onState: (open) => {
          isConnected = open
          tell({ open })
          options.onState?.(open)
        },
        onRefused: (refusal) => {
          options.onRefused?.(refusal)
          resolve()
        },
      })
      close = () => {
        end()
        resolve()
      }
    })
  void locks
    .request(name, { signal: stopping.signal }, () => (stopping.signal.aborted ? undefined : connected()))
    // Aborted while waiting for the lock.
    .catch(() => {})
  return () => {
    stopping.abort()
    close?.()
    channel.close()
  }
}
