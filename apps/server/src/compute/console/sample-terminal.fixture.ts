import { TERMINAL_BEARER, TERMINAL_FRAMES, TERMINAL_PATH, TERMINAL_PROTOCOL } from '@tidenet/contract'
import { WebSocket } from 'ws'

/** For tests: opens a terminal as a browser does. */
export function openTerminal(port: number, workload: string, token: string, origin?: string) {
  const socket = new WebSocket(
    `ws://127.0.0.1:${port}${TERMINAL_PATH}?workload=${workload}&columns=90&rows=30`,
    [TERMINAL_PROTOCOL, `${TERMINAL_BEARER}${token}`],
    origin === undefined ? {} : { origin },
  )
  let output = ''
  let code: number | undefined
  socket.on('message', (frame: Buffer) => {
    if (frame[0] === TERMINAL_FRAMES.bytes) output += frame.subarray(1)
    if (frame[0] === TERMINAL_FRAMES.exit) code = frame.readInt32BE(1)
  })
  const closed = new Promise<number>((resolve) => {
    socket.on('close', resolve)
    socket.on('error', () => resolve(-1))
  })
  const opened = new Promise((resolve) => socket.once('open', resolve))
  return {
    socket,
    closed,
    opened,
    isOpen: () => socket.readyState === WebSocket.OPEN,
    code: () => code,
    output: () => output,
    type: (text: string) => socket.send(Buffer.concat([Buffer.from([TERMINAL_FRAMES.bytes]), Buffer.from(text)])),
    size(columns: number, rows: number) {
      const frame = Buffer.from([TERMINAL_FRAMES.size, 0, 0, 0, 0])
      frame.writeUInt16BE(columns, 1)
      frame.writeUInt16BE(rows, 3)
      socket.send(frame)
    },
    async shows(text: string | RegExp) {
      for (const end = Date.now() + 20_000; !output.match(text); ) {
        if (Date.now() > end) throw new Error(`the terminal shows: ${output}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}
