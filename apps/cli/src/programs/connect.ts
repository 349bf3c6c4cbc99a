import { once } from 'node:events'
import { CONNECT_CLOSES, CONNECT_FRAME_MAX, CONNECT_PATH, CONNECT_PROTOCOL } from '@tidenet/contract/connections'
import { TERMINAL_BEARER, TERMINAL_CLOSES } from '@tidenet/contract/terminal'
import type { WebSocket } from 'ws'
import { CommandError } from '../command-error.ts'
import { texts } from '../texts.ts'

/** Unsent bytes above which the source pauses, and below which it continues. */
const PAUSE_ABOVE_BYTES = 1024 * 1024
const RESUME_BELOW_BYTES = 256 * 1024

/** Connects to a program with a ticket. The socket is paused. @throws CommandError */
export async function connectWith(url: string, ticket: string): Promise<WebSocket> {
  // Loaded by the commands that need it, as the others start without.
  const { WebSocket } = await import('ws')
  const socket = new WebSocket(
    `${url.replace(/^http/, 'ws')}${CONNECT_PATH}`,
    [CONNECT_PROTOCOL, `${TERMINAL_BEARER}${ticket}`],
    { perMessageDeflate: false, maxPayload: 4 * CONNECT_FRAME_MAX },
  )
  await once(socket, 'open').catch((error: Error) => {
    throw new CommandError(texts.programs.noConnection(url, error.message))
  })
  socket.on('error', () => socket.terminate())
  socket.pause()
  return socket
}

/** Why a connection was closed; undefined: its program or its client ended it. */
export function closeReason(code: number): CommandError | undefined {
  const { closed } = texts.programs
  if (code === 1000) return undefined
  if (code === TERMINAL_CLOSES.session) return new CommandError(closed.session, 'signIn')
  if (code === TERMINAL_CLOSES.unknown) return new CommandError(closed.unknown, 'notFound')
  if (code === TERMINAL_CLOSES.stopped) return new CommandError(closed.stopped)
  if (code === TERMINAL_CLOSES.processes) return new CommandError(closed.processes)
  if (code === TERMINAL_CLOSES.tooMany) return new CommandError(closed.tooMany)
  if (code === CONNECT_CLOSES.refused) return new CommandError(closed.refused)
  return new CommandError(closed.failed)
}

/** Sends frames of a source, which pauses while too much is unsent. */
export function sender(socket: WebSocket, source: { pause(): unknown; resume(): unknown }): (frame: Buffer) => void {
  let paused = false
  const sent = () => {
    if (!paused || (socket.readyState === socket.OPEN && socket.bufferedAmount > RESUME_BELOW_BYTES)) return
    paused = false
    source.resume()
  }
  socket.once('close', sent)
  return (frame) => {
    if (socket.readyState !== socket.OPEN) return
    socket.send(frame, sent)
    if (socket.bufferedAmount < PAUSE_ABOVE_BYTES) return
    paused = true
    source.pause()
  }
}

/** Writes what arrived; the socket waits while the target is full. */
export function write(target: NodeJS.WritableStream, socket: WebSocket, bytes: Buffer): void {
  if (target.write(bytes)) return
  socket.pause()
  target.once('drain', () => socket.resume())
}
