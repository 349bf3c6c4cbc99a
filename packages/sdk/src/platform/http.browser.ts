import { readRange } from '../bytes.ts'
import {
  type Body,
  type GetRequest,
  type NodeRequest,
  type NodeResponse,
  type StreamingResponse,
  Unreachable,
} from './platform.ts'

/** Sends with XMLHttpRequest: fetch has no upload progress. Blobs are not copied. */
export async function send(exchange: NodeRequest): Promise<NodeResponse> {
  const { body, signal } = exchange
  const payload = body && (await payloadOf(body))
  const headSize = body?.head?.length ?? 0
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new Unreachable('aborted', 'stopped before it began'))
      return
    }
    const request = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout> | undefined
    let over = false
    const renew = (ms: number) => {
      clearTimeout(timer)
      if (over) return
      timer = setTimeout(() => fail('stalled', 'the node stood still'), ms)
    }
    const done = () => {
      over = true
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
    const fail = (reason: Unreachable['reason'], message: string) => {
      done()
      reject(new Unreachable(reason, message))
      request.abort()
    }
    const stop = () => fail('aborted', 'stopped')
    signal.addEventListener('abort', stop)
    request.upload.onprogress = ({ loaded }) => {
      renew(exchange.idleTimeout)
      if (body) exchange.onSent?.(Math.min(Math.max(loaded - headSize, 0), body.end - body.start))
    }
    request.upload.onload = () => renew(exchange.responseTimeout)
    request.onerror = () => fail('network', 'the connection failed')
    request.onload = () => {
      done()
      if (body && request.status < 300) exchange.onSent?.(body.end - body.start)
      resolve({
        status: request.status,
        header: (name) => request.getResponseHeader(name) ?? undefined,
        text: request.responseText,
      })
    }
    request.open(exchange.method, exchange.url)
    for (const [name, value] of Object.entries(exchange.headers)) request.setRequestHeader(name, value)
    renew(exchange.idleTimeout)
    request.send(payload ?? null)
  })
}

async function payloadOf(body: Body): Promise<Blob> {
  const { source, start, end, head, tail } = body
  const parts: BlobPart[] = []
  if (head) parts.push(head as BlobPart)
  if (source.blob) parts.push(source.blob.slice(start, end))
  else {
    let bytes: Uint8Array<ArrayBuffer>
    try {
      bytes = await readRange(source, start, end)
    } catch (error) {
      throw new Unreachable('source', (error as Error).message, { cause: error })
    }
    await body.observe?.(start, bytes)
    parts.push(bytes)
  }
  if (tail) parts.push(tail as BlobPart)
  return new Blob(parts)
}

/** Requests with fetch; the body is streamed. Nodes are strangers: one that redirects could lead into the network of its visitor. */
export async function get({ url, headers = {}, signal }: GetRequest): Promise<StreamingResponse> {
  const stop = new AbortController()
  const give = () => stop.abort()
  if (signal.aborted) throw new Unreachable('aborted', 'stopped before it began')
  signal.addEventListener('abort', give)
  const done = () => signal.removeEventListener('abort', give)
  let response: Response
  try {
    response = await fetch(url, {
      headers,
      signal: stop.signal,
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
    })
  } catch (error) {
    done()
    throw new Unreachable(signal.aborted ? 'aborted' : 'network', (error as Error).message, { cause: error })
  }
  async function* pieces(): AsyncIterable<Uint8Array> {
    const reader = response.body?.getReader()
    try {
      for (;;) {
        const next = await reader?.read()
        if (!next || next.done) return
        yield next.value
      }
    } finally {
      done()
      await reader?.cancel().catch(() => {})
    }
  }
  return {
    status: response.status,
    statusText: response.statusText,
    header: (name) => response.headers.get(name) ?? undefined,
    body: pieces(),
    discard() {
      done()
      stop.abort()
    },
  }
}

/** Needs no preflight request: the content type is a simple one. */
export async function post(url: string, text: string, signal: AbortSignal): Promise<number> {
  const { status } = await fetch(url, {
    method: 'POST',
    body: text,
    signal,
    keepalive: true,
    cache: 'no-store',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    redirect: 'error',
  })
  return status
}
