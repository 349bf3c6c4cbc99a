import type { Socket } from 'node:net'
import { HELLO_BYTES_MAX } from './client-hello.ts'

/**
 * Begins handshakes that this process ends itself, one in each turn of the event loop, in the order of their arrival. When a relay was
 * restarted, all devices come back at once. If it answered all of them a little, each would wait for the work of all others, until all gave
 * up at the same time and began anew. Now those that it has begun are finished, and whoever has given up costs nothing.
 * @param start gets a connection whose next bytes are its ClientHello
 */
export function createHandshakes(start: (socket: Socket) => void) {
  /** What the connection has sent, and how to stop watching it. */
  const waiting = new Map<Socket, { bytes: Buffer; unwatch: () => void }>()
  let isScheduled = false

  const schedule = () => {
    if (isScheduled || waiting.size === 0) return
    isScheduled = true
    setImmediate(run)
  }
  const run = () => {
    isScheduled = false
    const [first] = waiting
    if (first) {
      const [socket, { bytes, unwatch }] = first
      unwatch()
      socket.pause()
      socket.unshift(bytes)
      start(socket)
    }
    schedule()
  }

  return {
    get waiting() {
      return waiting.size
    },
    /** @param hello what has been read from it */
    add(socket: Socket, hello: Buffer): void {
      const entry = { bytes: hello, unwatch: () => {} }
      const leave = () => socket.destroy()
      // Only who reads a connection learns that it has ended.
      const onData = (chunk: Buffer) => {
        entry.bytes = Buffer.concat([entry.bytes, chunk])
        if (entry.bytes.length > 2 * HELLO_BYTES_MAX) socket.destroy()
      }
      entry.unwatch = () => {
        waiting.delete(socket)
        socket.off('data', onData)
        socket.off('end', leave)
        socket.off('close', entry.unwatch)
      }
      waiting.set(socket, entry)
      socket.on('end', leave)
      socket.once('close', entry.unwatch)
      socket.on('data', onData)
      socket.resume()
      schedule()
    },
  }
}
