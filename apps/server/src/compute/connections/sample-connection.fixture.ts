import { CONNECT_PATH, CONNECT_PROTOCOL, EXEC_FRAMES, TERMINAL_BEARER } from '@tidenet/contract'
import { WebSocket } from 'ws'

/** For tests: connects with a ticket, as the command line does. */
export function connectWith(port: number, ticket: string, origin?: string) {
  const socket = new WebSocket(
    `ws://127.0.0.1:${port}${CONNECT_PATH}`,
    [CONNECT_PROTOCOL, `${TERMINAL_BEARER}${ticket}`],
    origin === undefined ? {} : { origin },
  )
  const closed = new Promise<number>((resolve) => {
    socket.on('close', resolve)
    socket.on('error', () => resolve(-1))
  })
  const opened = new Promise((resolve) => socket.once('open', resolve))
  return { socket, closed, opened }
}

/** For tests: a command. */
export function runWith(port: number, ticket: string) {
  const connection = connectWith(port, ticket)
  const { socket } = connection
  const seen = { output: '', errors: '', code: undefined as number | undefined, last: -1 }
  socket.on('message', (frame: Buffer) => {
    seen.last = frame[0] ?? -1
    if (frame[0] === EXEC_FRAMES.bytes) seen.output += frame.subarray(1)
    if (frame[0] === EXEC_FRAMES.errors) seen.errors += frame.subarray(1)
    if (frame[0] === EXEC_FRAMES.exit) seen.code = frame.readInt32BE(1)
  })
  const frame = (type: number, ...bytes: number[]) => socket.send(Buffer.from([type, ...bytes]))
  return {
    ...connection,
    seen,
    type: (text: string | Buffer) => socket.send(Buffer.concat([Buffer.from([EXEC_FRAMES.bytes]), Buffer.from(text)])),
    end: () => frame(EXEC_FRAMES.end),
    signal: (number: number) => frame(EXEC_FRAMES.signal, number),
    size: (columns: number, rows: number) => frame(EXEC_FRAMES.size, 0, columns, 0, rows),
  }
}
