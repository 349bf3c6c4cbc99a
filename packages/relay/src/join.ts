import type { Socket } from 'node:net'
import { reuseBuffer } from './reused-buffer.ts'

/** A visitor's connection and the one with which the device dialled back, as one. */
export interface Join {
  /** Bytes in both directions so far. */
  readonly bytes: number
  /** Ends it if nothing moved for too long. @param now ms */
  check(now: number, limits: { idleMs: number; stuckMs: number }): void
  destroy(): void
}

/** Calls `send` when it is the turn of so many bytes, perhaps at once. */
type Take = (bytes: number, send: () => void) => void

/** Bytes that have left for the network. */
const sent = (socket: Socket) => socket.bytesWritten - socket.writableLength

/**
 * Passes bytes on when it is their turn. It has those of one read at a time, because their buffer is used again.
 * @param ends the connection that they come from, and the one that they go to
 */
function createDirection(ends: () => { from: Socket; to: Socket }, take: Take | undefined) {
  let turns = 0
  let isHeld = false
  let hasEnded = false
  const goOn = () => {
    const { from, to } = ends()
    if (turns > 0) return
    if (hasEnded) {
      hasEnded = false
      to.end()
    }
    if (!isHeld || to.writableLength > 0) return
    isHeld = false
    from.resume()
  }
  return {
    /** @returns false: no more until the connection that they come from is resumed */
    pass(chunk: Buffer): boolean {
      const { to } = ends()
      if (take) {
        turns++
        take(chunk.length, () => {
          turns--
          if (!to.destroyed) to.write(chunk, goOn)
        })
      } else to.write(chunk, goOn)
      isHeld = turns > 0 || to.writableLength > 0
      return !isHeld
    },
    end() {
      hasEnded = true
      goOn()
    },
  }
}

/**
 * Passes bytes in both directions; each side can end its own direction.
 * @param up, down when bytes to the device and to the visitor may go; undefined: at once
 * @param onClose is called once, when both connections are closed
 */
export function joinSockets(
  visitorSocket: Socket,
  deviceSocket: Socket,
  { now, up: takeUp, down: takeDown }: { now: number; up: Take | undefined; down: Take | undefined },
  onClose: (bytes: number) => void,
): Join {
  let open = 2
  let last = { bytes: 0, sent: 0, movedAt: now, sentAt: now }
  const up = createDirection(() => ({ from: visitor, to: device }), takeUp)
  const down = createDirection(() => ({ from: device, to: visitor }), takeDown)
  const adopt = (socket: Socket, { pass }: typeof up) => {
    // What has been read already.
    const first: Buffer[] = []
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) first.push(chunk)
    const own = reuseBuffer(socket, pass)
    if (!own) socket.on('data', (chunk) => pass(chunk) || socket.pause())
    return { own: own ?? socket, first: Buffer.concat(first) }
  }
  const [{ own: visitor, first: hello }, { own: device, first: rest }] = [
    adopt(visitorSocket, up),
    adopt(deviceSocket, down),
  ]
  const bytes = () => visitor.bytesRead + device.bytesRead
  const destroy = () => {
    visitor.destroy()
    device.destroy()
  }
  for (const [socket, other, direction, first] of [
    [visitor, device, up, hello],
    [device, visitor, down, rest],
  ] as const) {
    socket.setNoDelay(true)
    socket.on('error', destroy)
    socket.once('end', () => direction.end())
    socket.once('close', (hadError) => {
      // What was received is still sent, unless the connection failed.
      if (hadError || !socket.readableEnded) other.destroy()
      if (--open === 0) onClose(bytes())
    })
    if (first.length === 0 || direction.pass(first)) socket.resume()
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
