import { CONNECT_PATH, CONNECT_PROTOCOL, EXEC_FRAMES } from '@tidenet/contract/connections'
import { TERMINAL_BEARER } from '@tidenet/contract/terminal'
import { type Ended, FileError, type Run } from './program-files.ts'
import { call } from './session.ts'

/** Output that a command may print. Whatever a program pretends to be, the page keeps working. */
const OUTPUT_MAX_BYTES = 32 * 1024 * 1024
const ERRORS_MAX_BYTES = 16 * 1024
/** Bytes that are read of the file at once, and unsent bytes above which it waits. */
const PIECE_BYTES = 128 * 1024
const AHEAD_BYTES = 1024 * 1024
const POLL_MS = 20

/** Runs commands in a program. Aborting ends them. */
export const runIn =
  (id: string, signal: AbortSignal): Run =>
  async (command, input, onSent) => {
    const { ticket } = await call('clusters.exec', { id, command }, { signal })
    const url = new URL(CONNECT_PATH, location.href)
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = new WebSocket(url, [CONNECT_PROTOCOL, `${TERMINAL_BEARER}${ticket}`])
    socket.binaryType = 'arraybuffer'
    const abort = () => socket.close()
    signal.addEventListener('abort', abort)
    try {
      return await exchange(socket, input, onSent)
    } finally {
      signal.removeEventListener('abort', abort)
      socket.close()
    }
  }

async function exchange(socket: WebSocket, input: Blob | undefined, onSent?: (bytes: number) => void): Promise<Ended> {
  const output: Uint8Array<ArrayBuffer>[] = []
  const decoder = new TextDecoder()
  let errors = ''
  let read = 0
  let code: number | undefined
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
    const frame = new Uint8Array(data)
    if (frame[0] === EXEC_FRAMES.exit) code = new DataView(data).getInt32(1)
    if (frame[0] === EXEC_FRAMES.errors && errors.length < ERRORS_MAX_BYTES) errors += decoder.decode(frame.subarray(1))
    if (frame[0] !== EXEC_FRAMES.bytes) return
    output.push(frame.subarray(1))
    read += frame.length
    if (read > OUTPUT_MAX_BYTES) socket.close()
  }
  const closed = new Promise<void>((resolve) => {
    socket.onclose = () => resolve()
  })
  await new Promise<void>((resolve) => {
    socket.onopen = () => resolve()
    void closed.then(resolve)
  })
  if (input) await send(socket, input, onSent)
  if (socket.readyState === WebSocket.OPEN) socket.send(Uint8Array.of(EXEC_FRAMES.end))
  await closed
  if (code === undefined) throw new FileError('failed', '')
  return { code, output: concat(output), errors }
}

async function send(socket: WebSocket, input: Blob, onSent?: (bytes: number) => void): Promise<void> {
  for (let at = 0; at < input.size && socket.readyState === WebSocket.OPEN; at += PIECE_BYTES) {
    const piece = new Uint8Array(await input.slice(at, at + PIECE_BYTES).arrayBuffer())
    const frame = new Uint8Array(piece.length + 1)
    frame[0] = EXEC_FRAMES.bytes
    frame.set(piece, 1)
    socket.send(frame)
    while (socket.bufferedAmount > AHEAD_BYTES && socket.readyState === WebSocket.OPEN)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    onSent?.(Math.min(at + PIECE_BYTES, input.size))
  }
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
