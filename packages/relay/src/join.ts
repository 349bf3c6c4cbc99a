import type { Socket } from 'node:net'

/** A visitor's connection and the one with which the device dialled back, as one. */
export interface Join {
  /** Bytes in both directions so far. */
  readonly bytes: number
  /** Ends it if nothing moved for too long. @param now ms */
  check(now: number, limits: { idleMs: number; stuckMs: number }): void
  destroy(): void
}

/** Bytes that have left for the network. */
const sent = (socket: Socket) => socket.bytesWritten - socket.writableLength

/**
 * Passes bytes in both directions; each side can end its own direction.
 * @param onClose is called once, when both connections are closed
 */
export function joinSockets(visitor: Socket, device: Socket, now: number, onClose: (bytes: number) => void): Join {
  let open = 2
  let last = { bytes: 0, sent: 0, movedAt: now, sentAt: now }
  const bytes = () => visitor.bytesRead + device.bytesRead
  const destroy = () => {
    visitor.destroy()
    device.destroy()
  }
  for (const [socket, other] of [
    [visitor, device],
    [device, visitor],
  ] as const) {
    socket.setNoDelay(true)
    socket.on('error', destroy)
    socket.once('close', (hadError) => {
      // What was received is still sent, unless the connection failed.
      if (hadError || !socket.readableEnded) other.destroy()
      if (--open === 0) onClose(bytes())
    })
    socket.pipe(other)
  }
  return {
    get bytes() {
      return bytes()
    },
    check(at, { idleMs, stuckMs }) {
      const current = { bytes: bytes(), sent: sent(visitor) + sent(device) }
      if (current.bytes !== last.bytes) last.movedAt = at
      // Bytes wait, and the other side takes none of them.
      const isWaiting = visitor.writableLength + device.writableLength > 0
      if (current.sent !== last.sent || !isWaiting) last.sentAt = at
      last = { ...last, ...current }
      if (at - last.movedAt >= idleMs || at - last.sentAt >= stuckMs) destroy()
    },
    destroy,
  }
}
