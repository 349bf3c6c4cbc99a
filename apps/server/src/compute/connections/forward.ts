import { connect } from 'node:net'
import { CONNECT_CLOSES } from '@tidenet/contract'
import type { WebSocket } from 'ws'
import type { ProgramAddress } from '../clusters/driver.ts'
import { closeSocket, sendOutput, writeInput } from './sockets.ts'

const CONNECT_TIMEOUT_MS = 10_000

/** Passes the bytes of one TCP connection on, until both sides have ended. An empty frame is the end of a direction. */
export function serveForward(socket: WebSocket, address: ProgramAddress): Promise<void> {
  return new Promise((resolve) => {
    const program = connect({ ...address, allowHalfOpen: true, noDelay: true })
    program.setTimeout(CONNECT_TIMEOUT_MS, () => program.destroy())
    const done = () => {
      program.destroy()
      resolve()
    }
    let connected = false
    let broken = false
    program.once('connect', () => {
      connected = true
      program.setTimeout(0)
      if (socket.readyState !== socket.OPEN) return done()
      sendOutput(program, socket)
      socket.resume()
    })
    program.once('end', () => {
      if (socket.readyState === socket.OPEN) socket.send(Buffer.alloc(0))
    })
    program.on('error', () => {
      broken = true
    })
    program.once('close', () => {
      closeSocket(socket, connected && !broken ? 1000 : CONNECT_CLOSES.refused)
      resolve()
    })
    socket.on('message', (bytes: Buffer, isBinary) => {
      if (!isBinary || socket.readyState !== socket.OPEN) return
      if (bytes.length === 0) program.end()
      else writeInput(program, socket, bytes)
    })
    socket.once('close', done)
  })
}
