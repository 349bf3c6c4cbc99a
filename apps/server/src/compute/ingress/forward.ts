import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from 'node:http'
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'
import { type Duplex, PassThrough } from 'node:stream'
import type { Dispatcher } from 'undici'
import { headersForProgram, headersForVisitor, type Visitor } from './headers.ts'

/** Passes requests on to programs, and their answers back. Bodies are streamed, as fast as the slower side. */

export type Request = IncomingMessage | Http2ServerRequest
export type Response = ServerResponse | Http2ServerResponse

export interface Forwarded {
  request: Request
  /** Path and query. */
  path: string
  visitor: Visitor
  /** Sends requests to the program. */
  pool: Dispatcher
  /** Opens a connection to the program. */
  connect: () => Promise<Socket>
  pace: keyof typeof BODY_MS
}

/** A visitor who sends a body slower than this, while the program waits for it and does not answer, is ended. */
const BODY_BYTES_MIN = 1024
const BODY_MS = { usual: 60_000, quick: 1000 }
/** Nothing sent or received for this long ends an upgraded connection. */
const UPGRADED_IDLE_MS = 3_600_000

/** Ends an answer so that its visitor sees that it is not complete. With HTTP/2, nothing else on the connection ends. */
export function cut(response: Response): void {
  // `destroy` would say that there is no error, and clients would take what they have for the whole.
  if ('stream' in response) response.stream?.close(constants.NGHTTP2_INTERNAL_ERROR)
  else response.destroy()
}

/** Whether nobody waits for the answer any more. */
export const hasLeft = (request: Request, response: Response): boolean =>
  // The answers of HTTP/2 do not say so.
  'stream' in request
    ? request.stream.closed || request.stream.destroyed
    : (response as ServerResponse).destroyed || request.socket.destroyed

/**
 * Calls back once: when the answer is complete, or as soon as nobody waits for it. Of requests that wait behind another one of their
 * connection, Node does not end the answers when the connection ends.
 */
export function whenOver(request: Request, response: Response, done: () => void): void {
  if (hasLeft(request, response)) return void done()
  const places = 'stream' in request ? [request.stream] : [response as ServerResponse, request.socket]
  const over = () => {
    for (const place of places) place.off('close', over)
    done()
  }
  for (const place of places) place.setMaxListeners(0).once('close', over)
}

/** @param fail answers that the program does not */
export function forward(forwarded: Forwarded, response: Response, fail: () => void): void {
  const { request, path, visitor, pool } = forwarded
  const hasBody = isWithBody(request)
  const headers = headersForProgram(request.headers, visitor)
  // The program would take the next request on the connection for the body.
  if (!hasBody) delete headers['content-length']
  const body = hasBody ? bodyOf(forwarded, response) : null
  const options = { method: (request.method ?? 'GET') as Dispatcher.HttpMethod, path, headers, body }
  let sent: Dispatcher.DispatchController | undefined
  let [isAnswered, isComplete] = [false, false]
  const abort = () => isComplete || sent?.abort(new Error('the visitor left'))
  const resume = () => sent?.resume()
  whenOver(request, response, abort)
  const attempt = (mayRepeat: boolean): void => {
    pool.dispatch(options, {
      onRequestStart(controller) {
        sent = controller
        if (hasLeft(request, response)) abort()
      },
      onResponseStart(_controller, status, given) {
        // What a program says before its answer is not passed on.
        if (status < 200) return
        isAnswered = true
        passHead(status, oneOfEach(given), response, visitor)
        // The head of a stream of events is not to wait for the first of them.
        setImmediate(() => isComplete || flushHead(response))
      },
      onResponseData(controller, part) {
        if ((response as ServerResponse).write(part)) return
        controller.pause()
        response.once('drain', resume)
      },
      onResponseEnd() {
        isComplete = true
        response.end()
      },
      onResponseError() {
        const wasSent = sent !== undefined
        sent = undefined
        if (hasLeft(request, response) || response.writableFinished) return
        if (isAnswered) cut(response)
        // The program closed a connection while we took it for this request.
        else if (mayRepeat && wasSent) attempt(false)
        else fail()
      },
    })
  }
  attempt(!hasBody && (request.method === 'GET' || request.method === 'HEAD'))
}

/** The body of a request, apart from it: what the program does not read is dropped, so that the visitor's connection can be used again. */
function bodyOf({ request, pace }: Forwarded, response: Response): PassThrough {
  const body = new PassThrough()
  let bytes = 0
  request.on('data', (part: Buffer) => {
    bytes += part.length
  })
  const looks = setInterval(() => {
    const isSlow = bytes < BODY_BYTES_MIN && !body.writableNeedDrain && !response.headersSent
    bytes = 0
    if (isSlow && !request.readableEnded) cut(response)
  }, BODY_MS[pace])
  request.pipe(body)
  request.once('aborted', () => body.destroy())
  body.on('error', () => {})
  body.once('close', () => {
    clearInterval(looks)
    request.unpipe(body)
    request.resume()
  })
  return body
}

/** As Node gives headers of an answer: several values of a name are one. */
function oneOfEach(given: IncomingHttpHeaders): IncomingHttpHeaders {
  for (const name in given) {
    const value: string | string[] | undefined = given[name]
    if (name === 'set-cookie') given[name] = [value ?? []].flat()
    else if (Array.isArray(value)) given[name] = value.join(', ')
  }
  return given
}

function passHead(status: number, given: IncomingHttpHeaders, response: Response, { cookie }: Visitor): void {
  // Node throws for others when they are sent: with HTTP/2 more than with HTTP/1.1.
  response.statusCode = status < 200 || status > 599 ? 502 : status
  const headers = headersForVisitor(given, cookie)
  for (const name in headers)
    try {
      response.setHeader(name, headers[name] as string | string[])
    } catch {
      // With bytes that no header may have.
    }
}

function flushHead(response: Response): void {
  if (response.headersSent || response.destroyed || response.writableEnded) return
  if ('stream' in response) response.writeHead(response.statusCode)
  else response.flushHeaders()
}

/** Passes a request for a websocket on, and then what both sides send. @param fail refuses it */
export function forwardUpgrade(
  forwarded: Forwarded & { request: IncomingMessage },
  socket: Socket,
  head: Buffer,
  fail: () => void,
): void {
  const { request, path, visitor } = forwarded
  const headers = headersForProgram(request.headers, visitor)
  delete headers['content-length']
  const sent = httpRequest({
    path,
    headers: { ...headers, connection: 'upgrade', upgrade: 'websocket' },
    createConnection: (_options, done) => {
      forwarded.connect().then(
        (connection) => done(null, connection),
        // Only the error is looked at.
        (error: Error) => done(error, undefined as unknown as Duplex),
      )
      return undefined
    },
  })
  socket.once('close', () => sent.destroy())
  sent.once('error', () => (socket.writable ? fail() : socket.destroy()))
  sent.once('response', (answer) => {
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => socket.end())
    passHead(answer.statusCode ?? 0, answer.headers, response, visitor)
    answer.once('close', () => answer.complete || cut(response))
    answer.once('error', () => cut(response))
    answer.pipe(response)
  })
  sent.once('upgrade', (answer, upstream: Socket, upstreamHead: Buffer) => {
    sent.removeAllListeners('error')
    sent.on('error', () => {})
    const lines = ['HTTP/1.1 101 Switching Protocols', 'connection: upgrade', 'upgrade: websocket']
    for (const [name, value] of Object.entries(headersForVisitor(answer.headers, visitor.cookie)))
      for (const each of [value].flat()) lines.push(`${name}: ${each}`)
    socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      one.setNoDelay(true)
      one.setTimeout(UPGRADED_IDLE_MS, () => one.destroy())
      one.on('error', () => one.destroy())
      one.once('close', () => other.destroy())
    }
    if (upstreamHead.length > 0) socket.write(upstreamHead)
    if (head.length > 0) upstream.write(head)
    upstream.pipe(socket).pipe(upstream)
  })
  sent.end()
}

function isWithBody(request: Request): boolean {
  if ('stream' in request) return !request.stream.endAfterHeaders
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}
