import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { TLSSocket } from 'node:tls'
import { CHUNK_SIZE } from '@tidenet/contract/constants'
import {
  type Body,
  type GetRequest,
  type NodeRequest,
  type NodeResponse,
  type StreamingResponse,
  Unreachable,
} from './platform.ts'

/** Idle connections do not keep the process alive. */
const plain = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 64 })
const secure = new https.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 64 })
const ANSWER_MAX = 256 * 1024

/** @param fresh on a new connection: an idle one may be closed already, and then what was sent is lost */
function open(
  url: string,
  method: string,
  headers: Record<string, string>,
  { signal, fresh = false }: { signal: AbortSignal; fresh?: boolean },
): ClientRequest {
  const https_ = url.startsWith('https:')
  const agent = fresh ? false : https_ ? secure : plain
  return (https_ ? https : http).request(url, { method, headers, signal, agent })
}

const unreachable = (error: unknown, signal: AbortSignal) =>
  error instanceof Unreachable
    ? error
    : new Unreachable(signal.aborted ? 'aborted' : 'network', error instanceof Error ? error.message : String(error), {
        cause: error,
      })

const head = (response: IncomingMessage) => (name: string) => {
  const value = response.headers[name.toLowerCase()]
  return Array.isArray(value) ? value[0] : value
}

/**
 * An idle connection may have been closed by the server just now; the request is then sent once more. Not a PATCH: the node may have stored
 * a part of it, so its offset is requested first.
 */
const wasStale = (request: ClientRequest, error: unknown) =>
  request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Sends a request, streaming the body from disk 1 MiB at a time with backpressure. */
export const send = (exchange: NodeRequest): Promise<NodeResponse> => againIfStale(() => sendOnce(exchange))

class Stale extends Error {}

const reasonOf = (error: unknown) => (error instanceof Stale ? new Unreachable('network', error.message) : error)

async function againIfStale<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof Stale)) throw error
    return attempt().catch((again) => Promise.reject(reasonOf(again)))
  }
}

function sendOnce(exchange: NodeRequest): Promise<NodeResponse> {
  const { body, signal } = exchange
  const headers = { ...exchange.headers }
  const length = body ? body.end - body.start + (body.head?.length ?? 0) + (body.tail?.length ?? 0) : 0
  if (body || exchange.method !== 'GET') headers['content-length'] = String(length)
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new Unreachable('aborted', 'stopped before it began'))
      return
    }
    const once = body?.source.once === true
    const request = open(exchange.url, exchange.method, headers, { signal, fresh: once })
    let timer: NodeJS.Timeout | undefined
    let answered = false
    let over = false
    const renew = (ms: number) => {
      clearTimeout(timer)
      // Ignore progress events after the end.
      if (over) return
      timer = setTimeout(() => fail(new Unreachable('stalled', 'the node stood still')), ms)
    }
    const fail = (error: unknown) => {
      over = true
      clearTimeout(timer)
      reject(
        !answered && exchange.method !== 'PATCH' && wasStale(request, error)
          ? new Stale(String(error))
          : unreachable(error, signal),
      )
      request.destroy()
    }
    request.on('error', fail)
    request.on('response', (response) => {
      answered = true
      readText(response, exchange.answerMax).then((text) => {
        over = true
        clearTimeout(timer)
        resolve({ status: response.statusCode ?? 0, header: head(response), text })
        // The node may respond early; the rest of the body is not sent.
        if (!request.writableEnded) request.destroy()
      }, fail)
    })
    renew(exchange.idleTimeout)
    let isSent = false
    const sent = () => {
      isSent = true
      renew(exchange.responseTimeout)
    }
    if (!body) {
      request.end(sent)
      return
    }
    if (once) request.flushHeaders()
    const ready = once ? connected(request) : Promise.resolve()
    ready
      .then(() =>
        pump(
          request,
          body,
          () => answered,
          (bytes) => {
            // The system takes the last bytes when all of them have been handed over.
            renew(isSent ? exchange.responseTimeout : exchange.idleTimeout)
            exchange.onSent?.(bytes)
          },
        ),
      )
      .then(sent, fail)
  })
}

/** Never resolves if the connection fails: the request reports that. */
const connected = (request: ClientRequest): Promise<void> =>
  new Promise((resolve) => {
    request.once('socket', (socket) => {
      socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => resolve())
    })
  })

async function pump(request: ClientRequest, body: Body, answered: () => boolean, onSent: (bytes: number) => void) {
  const drained = () =>
    new Promise<void>((resolve) => {
      const go = () => {
        request.off('drain', go)
        request.off('close', go)
        resolve()
      }
      request.on('drain', go)
      request.on('close', go)
    })
  if (body.head) request.write(body.head)
  let at = body.start
  // A piece is sent before the next is read, and at leaf boundaries the hasher keeps no bytes, so buffers can be reused.
  const source = body.source.read(body.start, body.end, { transient: body.start % CHUNK_SIZE === 0 })
  try {
    for await (const chunk of source) {
      if (answered() || request.destroyed) return
      const wait = body.observe?.(at, chunk)
      if (wait) await wait
      at += chunk.length
      const sent = at - body.start
      if (!request.write(chunk, () => onSent(sent))) await drained()
    }
  } catch (error) {
    throw new Unreachable('source', error instanceof Error ? error.message : String(error), { cause: error })
  }
  if (at !== body.end) throw new Unreachable('source', 'the file has become shorter')
  if (answered() || request.destroyed) return
  request.end(body.tail)
}

async function readText(response: IncomingMessage, most = ANSWER_MAX): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= most) chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Requests bytes; the body is read with backpressure. */
export const get = (ask: GetRequest): Promise<StreamingResponse> => againIfStale(() => getOnce(ask))

function getOnce({ url, headers = {}, signal }: GetRequest): Promise<StreamingResponse> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new Unreachable('aborted', 'stopped before it began'))
      return
    }
    const request = open(url, 'GET', headers, { signal })
    request.on('error', (error) =>
      reject(wasStale(request, error) ? new Stale(String(error)) : unreachable(error, signal)),
    )
    request.on('response', (response) => {
      // The reader of the body gets the error; without a reader it must not crash the process.
      response.on('error', () => {})
      resolve({
        status: response.statusCode ?? 0,
        statusText: response.statusMessage ?? '',
        header: head(response),
        body: response,
        discard: () => void request.destroy(),
      })
    })
    request.end()
  })
}

/** Sends a small text. */
export const post = (url: string, text: string, signal: AbortSignal): Promise<number> =>
  againIfStale(() => postOnce(url, text, signal))

function postOnce(url: string, text: string, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'text/plain', 'content-length': String(Buffer.byteLength(text)) }
    const request = open(url, 'POST', headers, { signal })
    request.on('error', (error) =>
      reject(wasStale(request, error) ? new Stale(String(error)) : unreachable(error, signal)),
    )
    request.on('response', (response) => {
      response.on('error', () => {})
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.end(text)
  })
}
