import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage, ServerResponse } from 'node:http'
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'
import { headersForProgram, headersForVisitor, type Visitor } from './headers.ts'

/** Passes requests on to programs, and their answers back. Bodies are streamed, as fast as the slower side. */

export type Request = IncomingMessage | Http2ServerRequest
export type Response = ServerResponse | Http2ServerResponse

export interface Forwarded {
  request: Request
  /** Path and query. */
  path: string
  visitor: Visitor
  agent: Agent
  /** The name of the program's port for the agent. */
  name: string
  port: number
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

/** @param fail answers that the program does not */
export function forward(forwarded: Forwarded, response: Response, fail: () => void): void {
  const { request, visitor } = forwarded
  const hasBody = isWithBody(request)
  const attempt = (mayRepeat: boolean): void => {
    const sent = httpRequest(optionsOf(forwarded, hasBody))
    let got: IncomingMessage | undefined
    const failed = () => {
      if (response.destroyed || response.writableFinished) return
      if (response.headersSent) cut(response)
      // The program closed a connection while we took it for the next request.
      else if (mayRepeat && sent.reusedSocket && !got) attempt(false)
      else fail()
    }
    sent.once('error', failed)
    // Nobody asked for it.
    sent.once('upgrade', (_answer, socket) => {
      socket.destroy()
      failed()
    })
    sent.once('response', (answer) => {
      got = answer
      passBack(answer, response, visitor)
    })
    response.once('close', () => {
      if (!got?.complete || !response.writableFinished) sent.destroy()
    })
    if (hasBody) sendBody(forwarded, sent, response)
    else sent.end()
  }
  attempt(!hasBody && (request.method === 'GET' || request.method === 'HEAD'))
}

function sendBody({ request, pace }: Forwarded, sent: ClientRequest, response: Response): void {
  let bytes = 0
  request.on('data', (part: Buffer) => {
    bytes += part.length
  })
  const looks = setInterval(() => {
    const isSlow = bytes < BODY_BYTES_MIN && !sent.writableNeedDrain && !response.headersSent
    bytes = 0
    if (isSlow && !request.readableEnded) cut(response)
  }, BODY_MS[pace])
  request.pipe(sent)
  request.once('aborted', () => sent.destroy())
  response.once('close', () => clearInterval(looks))
  // What the program does not read is dropped, so that the connection can be used again.
  sent.once('close', () => {
    request.unpipe(sent)
    request.resume()
  })
}

function passBack(answer: IncomingMessage, response: Response, visitor: Visitor): void {
  const { statusCode = 0 } = answer
  // Node throws for others when they are sent: with HTTP/2 more than with HTTP/1.1.
  response.statusCode = statusCode < 200 || statusCode > 599 ? 502 : statusCode
  const headers = headersForVisitor(answer.headers, visitor.cookie)
  for (const name in headers)
    try {
      response.setHeader(name, headers[name] as string | string[])
    } catch {
      // With bytes that no header may have.
    }
  answer.once('close', () => {
    if (!answer.complete && !response.writableFinished) cut(response)
  })
  answer.once('error', () => cut(response))
  answer.pipe(response)
  // The head of a stream of events is not to wait for the first of them.
  setImmediate(() => {
    if (!response.headersSent && !response.destroyed && !response.writableEnded) flushHead(response)
  })
}

const flushHead = (response: Response): unknown =>
  'stream' in response ? response.writeHead(response.statusCode) : response.flushHeaders()

/** Passes a request for a websocket on, and then what both sides send. @param fail refuses it */
export function forwardUpgrade(
  forwarded: Forwarded & { request: IncomingMessage },
  socket: Socket,
  head: Buffer,
  fail: () => void,
): void {
  const { request, visitor } = forwarded
  const options = optionsOf(forwarded, false)
  const sent = httpRequest({ ...options, headers: { ...options.headers, connection: 'upgrade', upgrade: 'websocket' } })
  socket.once('close', () => sent.destroy())
  sent.once('error', () => (socket.writable ? fail() : socket.destroy()))
  sent.once('response', (answer) => {
    // A program that refuses the upgrade may wait for more of this request: nobody else gets the connection.
    sent.shouldKeepAlive = false
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => socket.end())
    passBack(answer, response, visitor)
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

function optionsOf({ request, path, visitor, agent, name, port }: Forwarded, hasBody: boolean) {
  const headers = headersForProgram(request.headers, visitor)
  // Without either, Node would send the body of a GET without a length, and the program could read it as another request.
  if (hasBody && headers['content-length'] === undefined) headers['transfer-encoding'] = 'chunked'
  // The program would take the next request on the connection for the body.
  if (!hasBody) delete headers['content-length']
  return { agent, host: name, port, method: request.method ?? 'GET', path, headers }
}

function isWithBody(request: Request): boolean {
  if ('stream' in request) return !request.stream.endAfterHeaders
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}
