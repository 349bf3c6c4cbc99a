import type { IncomingMessage } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { AppError, TERMINAL_BEARER, TERMINAL_CLOSES, TERMINAL_FRAMES } from '@tidenet/contract'
import type { WebSocket } from 'ws'
import { type ClusterDriver, ClusterError, MARK, type WorkloadRef } from '../clusters/driver.ts'
import type { Context } from '../context.ts'
import { createClients } from '../ingress/clients.ts'

/** What websockets to programs have in common. */

/** Reading from the program pauses above the first limit of unsent bytes and resumes below the second. */
const PAUSE_ABOVE_BYTES = 512 * 1024
const RESUME_BELOW_BYTES = 128 * 1024
const PING_INTERVAL_MS = 30_000

/** The token that a client sends as a subprotocol beside `protocol`, which keeps it out of addresses. */
export function tokenOf({ headers }: IncomingMessage, protocol: string): string | undefined {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((text) => text.trim())
  const bearer = offered.find((text) => text.startsWith(TERMINAL_BEARER))
  return offered.includes(protocol) ? bearer?.slice(TERMINAL_BEARER.length) : undefined
}

/** Tells the addresses of clients, as the API's server does: behind proxies that are trusted, their header names it. */
export function clientAddresses({ config }: Pick<Context, 'config'>): (request: IncomingMessage) => string {
  const clients = createClients(config.trustProxy)
  return ({ socket, headers }) =>
    clients.addressOf(
      socket.remoteAddress ?? '',
      [headers['x-forwarded-for']].flat().filter(Boolean).join(',') || undefined,
    )
}

/** Browsers send the page's origin, other programs do not. */
export function isOwnOrigin({ headers }: IncomingMessage, { portalUrl }: Pick<Context, 'portalUrl'>): boolean {
  if (!headers.origin) return true
  return headers.origin === new URL(portalUrl()).origin || hostOf(headers.origin) === headers.host
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)

/** Resumes the socket first: a paused one would not receive the close frame of the other side. */
export function closeSocket(socket: WebSocket, code: number): void {
  socket.resume()
  socket.close(code)
}

export function closeCodeFor(error: unknown): number {
  if (error instanceof AppError) return TERMINAL_CLOSES.unknown
  if (!(error instanceof ClusterError)) return TERMINAL_CLOSES.failed
  if (error.failure === 'unknown') return TERMINAL_CLOSES.unknown
  if (error.failure === 'stopped') return TERMINAL_CLOSES.stopped
  return error.failure === 'processes' ? TERMINAL_CLOSES.processes : TERMINAL_CLOSES.failed
}

/** Sends what a program writes, with backpressure. @param type the first byte of each frame; undefined: none */
export function sendOutput(output: Readable, socket: WebSocket, type?: number): void {
  const head = type === undefined ? undefined : Buffer.from([type])
  let paused = false
  const sent = () => {
    if (!paused || (socket.readyState === socket.OPEN && socket.bufferedAmount > RESUME_BELOW_BYTES)) return
    paused = false
    output.resume()
  }
  output.on('data', (chunk: Buffer) => {
    // What comes after the end is read, so that the program ends.
    if (socket.readyState !== socket.OPEN) return
    socket.send(head ? Buffer.concat([head, chunk]) : chunk, sent)
    if (socket.bufferedAmount < PAUSE_ABOVE_BYTES) return
    paused = true
    output.pause()
  })
  // A connection that breaks calls back for no frame that was already passed on.
  socket.once('close', sent)
}

/** Resolves when everything was read, or never will be. */
export const untilRead = (output: Readable): Promise<void> =>
  new Promise((resolve) => {
    if (output.readableEnded || output.destroyed) return resolve()
    for (const event of ['end', 'close', 'error']) output.once(event, () => resolve())
  })

/** The last frame of a command or terminal. */
export function exitFrame(code: number): Buffer {
  const frame = Buffer.alloc(5)
  frame.writeUInt8(TERMINAL_FRAMES.exit)
  frame.writeInt32BE(code, 1)
  return frame
}

export interface TerminalSize {
  columns: number
  rows: number
}

/** Columns and rows of a frame; undefined if it is none of a size. */
export function sizeOf(frame: Buffer): TerminalSize | undefined {
  if (frame[0] !== TERMINAL_FRAMES.size || frame.length !== 5) return undefined
  const [columns, rows] = [frame.readUInt16BE(1), frame.readUInt16BE(3)]
  return columns > 0 && rows > 0 ? { columns, rows } : undefined
}

/** Writes what a client sent, with backpressure. */
export function writeInput(input: Writable, socket: WebSocket, bytes: Buffer): void {
  if (bytes.length === 0 || input.writableEnded || input.write(bytes)) return
  socket.pause()
  input.once('drain', () => socket.resume())
}

/**
 * Sends pings, which keep the connection through proxies, and terminates it if one is not answered until the next.
 * @param mayPause for clients that stop reading for longer: only TCP tells whether they are there
 */
export function watchSocket(socket: WebSocket, mayPause = false): void {
  let answered = true
  socket.on('pong', () => {
    answered = true
  })
  const timer = setInterval(() => {
    if (!answered && !mayPause) return socket.terminate()
    answered = false
    socket.ping()
  }, PING_INTERVAL_MS)
  timer.unref()
  socket.once('close', () => clearInterval(timer))
}

const SIGNAL = `for p in /proc/[0-9]*; do if grep -q "${MARK}=$1" "$p/environ" 2>/dev/null; then kill "-$2" "$(basename "$p")" 2>/dev/null; fi; done`

/** Sends a signal to all programs with a mark. Needs a shell in the image. */
export async function signalPrograms(
  driver: ClusterDriver,
  ref: WorkloadRef,
  mark: string,
  signal: string,
): Promise<void> {
  const command = ['/bin/sh', '-c', SIGNAL, 'terminal', mark, signal]
  const run = await driver.exec(ref, { command, tty: false }).catch(() => undefined)
  run?.stream.resume()
  await run?.exit.catch(() => {})
}

/** Does one after the other; what is asked for while one is done replaces what waits. Failures are ignored. */
export function latest<T>(act: (value: T) => Promise<unknown>): (value: T) => void {
  let waiting: { value: T } | undefined
  let busy = false
  const work = async () => {
    busy = true
    for (let next = waiting; next; next = waiting) {
      waiting = undefined
      await act(next.value).catch(() => {})
    }
    busy = false
  }
  return (value) => {
    waiting = { value }
    if (!busy) void work()
  }
}
