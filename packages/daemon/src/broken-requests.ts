import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '@tidenet/contract'
import { refusal } from './serve.ts'

/**
 * Answers what is no HTTP request (a malformed line or header, headers that are too large or too slow) in the envelope of all refusals, for
 * Fastify's `clientErrorHandler`. The language of the caller is not known, so the text is English.
 */
export function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, refused] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? [408, new AppError('requestSlow')]
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? [431, new AppError('headersTooLarge')]
        : [400, new AppError('requestMalformed')]
  const body = JSON.stringify(refusal(refused, 'en'))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ]
  // An answer that has begun cannot be followed by another one; Node.js keeps it here.
  const { _httpMessage: begun } = socket as Socket & { _httpMessage?: ServerResponse | null }
  if (socket.writable && !begun?.headersSent) socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  else socket.destroy()
}
