import { randomBytes } from 'node:crypto'
import { EXEC_FRAMES, EXEC_SIGNALS, TERMINAL_CLOSES } from '@tidenet/contract'
import type { WebSocket } from 'ws'
import type { ClusterDriver, WorkloadRef } from '../clusters/driver.ts'
import {
  closeSocket,
  exitFrame,
  latest,
  sendOutput,
  signalPrograms,
  sizeOf,
  type TerminalSize,
  untilRead,
  writeInput,
} from './sockets.ts'
import type { Action } from './tickets.ts'

/** Runs a command until it or the client ends. Its programs end with the connection. @throws ClusterError */
export async function serveExec(
  socket: WebSocket,
  { driver, ref }: { driver: ClusterDriver; ref: WorkloadRef },
  { command, tty, columns, rows }: Extract<Action, { kind: 'exec' }>,
): Promise<void> {
  const mark = randomBytes(9).toString('hex')
  const run = await driver.exec(ref, { command, tty, columns, rows, apart: true, mark })
  await new Promise<void>((resolve) => {
    const { stream, errors, exit } = run
    const done = () => {
      stream.destroy()
      errors?.resume()
      resolve()
    }
    if (socket.readyState !== socket.OPEN) return done()
    sendOutput(stream, socket, EXEC_FRAMES.bytes)
    if (errors) sendOutput(errors, socket, EXEC_FRAMES.errors)
    // Each is a command in the engine: one at a time, and of those that came meanwhile the last one.
    const signal = latest((name: string) => signalPrograms(driver, ref, mark, name))
    const resize = latest(({ columns: wide, rows: high }: TerminalSize) => run.resize(wide, high))
    socket.on('message', (frame: Buffer, isBinary) => {
      // Input after the close frame is ignored.
      if (!isBinary || frame.length === 0 || socket.readyState !== socket.OPEN) return
      const size = sizeOf(frame)
      if (size) resize(size)
      else if (frame[0] === EXEC_FRAMES.bytes) writeInput(stream, socket, frame.subarray(1))
      else if (frame[0] === EXEC_FRAMES.end) stream.end()
      else if (frame[0] === EXEC_FRAMES.signal) {
        const name = EXEC_SIGNALS[frame[1] as keyof typeof EXEC_SIGNALS]
        if (name) signal(name)
      }
    })
    socket.once('close', done)
    stream.once('error', () => closeSocket(socket, TERMINAL_CLOSES.failed))
    Promise.all([exit, untilRead(stream), errors && untilRead(errors)])
      .then(([code]) => {
        socket.send(exitFrame(code))
        closeSocket(socket, 1000)
      })
      .catch(() => closeSocket(socket, TERMINAL_CLOSES.failed))
    socket.resume()
  })
  await signalPrograms(driver, ref, mark, 'HUP')
}
