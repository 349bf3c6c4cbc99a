import { EXEC_FRAMES } from '@tidenet/contract/connections'
import type { WebSocket } from 'ws'
import { passSignals } from '../interrupt.ts'
import { closeReason, sender, write } from './connect.ts'

/** Numbers of the signals that a program can get. */
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

export interface Terminal {
  input: NodeJS.ReadStream
  output: NodeJS.WritableStream & { columns?: number; rows?: number }
  errors: NodeJS.WritableStream
}

/**
 * Connects a command with the terminal until it ends.
 * @param tty passes every key on, and the size of the window
 * @returns its exit code
 * @throws CommandError if it could not be started or its connection ended
 */
export async function runCommand(
  socket: WebSocket,
  tty: boolean,
  { input, output, errors }: Terminal,
): Promise<number> {
  let code: number | undefined
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  const send = sender(socket, input)
  const sendSize = () => {
    const { columns = 80, rows = 24 } = output
    const frame = Buffer.from([EXEC_FRAMES.size, 0, 0, 0, 0])
    frame.writeUInt16BE(Math.min(columns, 1000), 1)
    frame.writeUInt16BE(Math.min(rows, 1000), 3)
    send(frame)
  }
  const onInput = (bytes: Buffer) => send(Buffer.concat([Buffer.from([EXEC_FRAMES.bytes]), bytes]))
  const onEnd = () => send(Buffer.from([EXEC_FRAMES.end]))
  socket.on('message', (frame: Buffer) => {
    if (frame[0] === EXEC_FRAMES.bytes) write(output, socket, frame.subarray(1))
    if (frame[0] === EXEC_FRAMES.errors) write(errors, socket, frame.subarray(1))
    if (frame[0] === EXEC_FRAMES.exit) code = frame.readInt32BE(1)
  })
  if (tty) {
    input.setRawMode(true)
    output.on('resize', sendSize)
  }
  input.on('data', onInput)
  input.once('end', onEnd)
  socket.resume()
  try {
    const pass = (signal: keyof typeof SIGNALS) => send(Buffer.from([EXEC_FRAMES.signal, SIGNALS[signal]]))
    const reason = closeReason(await passSignals(pass, () => closed))
    if (reason && code === undefined) throw reason
    return code ?? -1
  } finally {
    input.off('data', onInput)
    input.off('end', onEnd)
    output.off('resize', sendSize)
    if (tty) input.setRawMode(false)
    // Otherwise this program would wait for more input.
    input.pause()
    input.unref?.()
  }
}
