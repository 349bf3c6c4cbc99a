import type { Opened } from './open-file.ts'

/** Bytes that are verified and handed to the player together. */
const PIECE_BYTES = 512 * 1024
const CONTROL_TIMEOUT_MS = 5000

interface Stream {
  file: Opened
  type: string
  stop: AbortController
  onError: (error: unknown) => void
}

/** What the service worker asks; see public/stream-worker.js. */
interface StreamRequest {
  stream: string
  /** First byte. */
  start: number
  /** Last byte, if the player names one. */
  last: number | null
}

const streams = new Map<string, Stream>()
let listening = false

/**
 * An address at which a player of this page gets the verified bytes of a file, by ranges. A service worker answers it with what this page
 * reads; undefined if the browser allows none.
 */
export async function openStream(
  file: Opened,
  type: string,
  onError: (error: unknown) => void,
): Promise<{ url: string; close: () => void } | undefined> {
  if (!(await startWorker())) return undefined
  const id = crypto.randomUUID()
  const stop = new AbortController()
  streams.set(id, { file, type, stop, onError })
  return {
    url: `/preview-stream/${id}`,
    close() {
      stop.abort()
      streams.delete(id)
      // Later pages do not need it. It keeps answering in this one.
      if (streams.size === 0) void navigator.serviceWorker.getRegistration().then((found) => found?.unregister())
    },
  }
}

/** Lets the service worker control this page. @returns false if the browser does not allow it */
async function startWorker(): Promise<boolean> {
  const { serviceWorker } = navigator
  // Not available on pages without TLS and in some private windows.
  if (!serviceWorker) return false
  if (!listening) {
    serviceWorker.addEventListener('message', answer)
    serviceWorker.startMessages()
    listening = true
  }
  try {
    const registration = await serviceWorker.register('/stream-worker.js')
    if (serviceWorker.controller) return true
    return await new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), CONTROL_TIMEOUT_MS)
      serviceWorker.addEventListener(
        'controllerchange',
        () => {
          clearTimeout(timer)
          resolve(true)
        },
        { once: true },
      )
      // A page that was loaded without its worker must be claimed again.
      void serviceWorker.ready.then(() => registration.active?.postMessage('claim'))
    })
  } catch {
    return false
  }
}

/** Sends the worker the facts of a stream, and then a piece for each message it sends. */
function answer({ data, ports: [port] }: MessageEvent<StreamRequest>): void {
  if (!port) return
  const stream = streams.get(data.stream)
  const { size } = stream?.file ?? { size: 0 }
  const end = Math.min(data.last === null ? size : data.last + 1, size)
  if (!stream || !(data.start < end)) return void port.postMessage(stream ? { size } : null)
  const { file, type, stop, onError } = stream
  let at = data.start
  let ahead: Promise<Uint8Array<ArrayBuffer>> | undefined
  const ended = new AbortController()
  const signal = AbortSignal.any([stop.signal, ended.signal])
  const readNext = () => {
    const piece = file.read(at, Math.min(at + PIECE_BYTES, end), signal)
    piece.catch(() => {})
    return piece
  }
  port.onmessage = async ({ data: more }: MessageEvent<boolean>) => {
    if (!more) return ended.abort()
    try {
      const piece = await (ahead ?? readNext())
      at += piece.length
      ahead = at < end ? readNext() : undefined
      port.postMessage(piece, [piece.buffer])
      if (at >= end) port.postMessage(null)
    } catch (error) {
      if (!signal.aborted) onError(error)
      port.postMessage(null)
    }
  }
  port.postMessage({ size, type, start: data.start, end })
}
