/** An event of a stream. */
export interface StreamEvent {
  /** Id of the last event that had one; empty if none had. */
  id: string
  type: string
  data: string
}

/**
 * Parses server-sent events (WHATWG HTML, 9.2.6), whose text may arrive in any pieces.
 * @returns call it with each piece
 */
export function createEventParser(
  onEvent: (event: StreamEvent) => void,
  onRetry: (ms: number) => void = () => {},
): (piece: string) => void {
  let rest = ''
  let id = ''
  let type = ''
  let data: string[] = []
  const readLine = (line: string) => {
    if (line === '') {
      if (data.length > 0) onEvent({ id, type: type || 'message', data: data.join('\n') })
      type = ''
      data = []
      return
    }
    const colon = line.indexOf(':')
    // A line that starts with a colon is a comment.
    if (colon === 0) return
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') data.push(value)
    else if (field === 'event') type = value
    else if (field === 'id' && !value.includes('\0')) id = value
    else if (field === 'retry' && /^\d+$/.test(value)) onRetry(Number(value))
  }
  return (piece) => {
    rest += piece
    for (;;) {
      const end = rest.search(/[\r\n]/)
      // After a CR at the end of a piece, an LF may follow.
      if (end < 0 || (rest[end] === '\r' && end === rest.length - 1)) return
      const line = rest.slice(0, end)
      rest = rest.slice(end + (rest.startsWith('\r\n', end) ? 2 : 1))
      readLine(line)
    }
  }
}

export interface Refusal {
  /** HTTP status; 200 if the answer is an error of the API instead of a stream. */
  status: number
  /** Error code of the API. */
  err?: number | undefined
}

export interface StreamOptions {
  url: string
  /** Headers of each request; asked again before each, because tokens are replaced. */
  headers: () => Record<string, string>
  /** JSON body of each request; without, it is a GET. */
  body?: () => unknown
  /** Id after which the stream starts; empty: from now on. */
  lastId: string
  onEvent: (event: StreamEvent) => void
  /** Whether the stream is connected. */
  onState?: (open: boolean) => void
  /** The server refused for good: the stream does not try again. */
  onRefused?: (refusal: Refusal) => void
  /** Without a byte for so long, the connection is considered broken. Servers send comments more often. */
  idleMs?: number
}

const FIRST_RETRY_MS = 1000
const MAX_RETRY_MS = 30_000
const IDLE_MS = 60_000
/** Statuses after which a later attempt can succeed. */
const isTemporary = (status: number): boolean => status === 408 || status === 429 || status >= 500

/** Time until the next attempt: doubles from `first` to 30 s, less up to half of it, so that not all pages reconnect at once. */
export const backoff = (failures: number, first = FIRST_RETRY_MS, random = Math.random()): number =>
  Math.min(MAX_RETRY_MS, first * 2 ** Math.min(failures, 10)) * (1 - random / 2)

/**
 * Reads server-sent events with `fetch`, because EventSource cannot send headers. Reconnects, and resumes after the last event.
 * @returns ends the stream
 */
export function openEventStream(options: StreamOptions): () => void {
  const { url, headers, body, onEvent, onState, onRefused, idleMs = IDLE_MS } = options
  const stopping = new AbortController()
  let lastId = options.lastId
  let first = FIRST_RETRY_MS
  let failures = 0
  let wake = () => {}

  const read = async (): Promise<Refusal | undefined> => {
    const attempt = new AbortController()
    const abort = () => attempt.abort()
    stopping.signal.addEventListener('abort', abort)
    let idle = setTimeout(abort, idleMs)
    try {
      const response = await fetch(url, {
        ...(body && { method: 'POST', body: JSON.stringify(body()) }),
        headers: {
          ...headers(),
          accept: 'text/event-stream',
          ...(body && { 'content-type': 'application/json' }),
          ...(lastId && { 'last-event-id': lastId }),
        },
        cache: 'no-store',
        signal: attempt.signal,
      })
      if (!response.ok || !response.body || !/event-stream/.test(response.headers.get('content-type') ?? '')) {
        const { status } = response
        const answer = (await response.json().catch(() => undefined)) as { err?: number } | undefined
        if (!isTemporary(status)) return { status, err: answer?.err }
        const seconds = Number(response.headers.get('retry-after'))
        if (seconds > 0) await pause(seconds * 1000)
        return undefined
      }
      const parse = createEventParser(
        (event) => {
          if (event.id) lastId = event.id
          onEvent(event)
        },
        (ms) => {
          first = ms
        },
      )
      failures = 0
      onState?.(true)
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return undefined
        clearTimeout(idle)
        idle = setTimeout(abort, idleMs)
        parse(value)
      }
    } catch {
      return undefined
    } finally {
      clearTimeout(idle)
      stopping.signal.removeEventListener('abort', abort)
    }
  }

  /** Ends early when the browser is online again, or the page is shown again. */
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const resume = () => wake()

  const run = async () => {
    while (!stopping.signal.aborted) {
      const refusal = await read()
      if (stopping.signal.aborted) return
      onState?.(false)
      if (refusal) {
        onRefused?.(refusal)
        return
      }
      await pause(backoff(failures, first))
      failures += 1
    }
  }
  const page = globalThis.document as Document | undefined
  globalThis.addEventListener?.('online', resume)
  page?.addEventListener('visibilitychange', resume)
  void run()
  return () => {
    globalThis.removeEventListener?.('online', resume)
    page?.removeEventListener('visibilitychange', resume)
    stopping.abort()
    wake()
  }
}
