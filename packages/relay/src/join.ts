import type { Socket } from 'node:net'
import type { FairShare } from './fair-share.ts'

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

/** Passes bytes on when it is the turn of their label. */
function passInTurn(from: Socket, to: Socket, label: string, share: FairShare): void {
  let turns = 0
  const goOn = () => {
    if (turns === 0 && !to.writableNeedDrain) from.resume()
  }
  let hasEnded = false
  from.on('data', (chunk) => {
    turns++
    share.take(label, chunk.length, () => {
      turns--
      if (!to.destroyed) to.write(chunk)
      if (hasEnded && turns === 0) to.end()
      else goOn()
    })
    if (turns > 0 || to.writableNeedDrain) from.pause()
  })
  to.on('drain', goOn)
  from.on('end', () => {
    hasEnded = true
    if (turns === 0) to.end()
  })
  from.resume()
}

/**
 * Passes bytes in both directions; each side can end its own direction.
 * @param share the turns of this label; undefined: bytes are passed on at once
 * @param onClose is called once, when both connections are closed
 */
export function joinSockets(
  visitor: Socket,
  device: Socket,
  { now, label, share }: { now: number; label: string; share: FairShare | undefined },
  onClose: (bytes: number) => void,
): Join {
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
    if (share) passInTurn(socket, other, label, share)
    else socket.pipe(other)
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
