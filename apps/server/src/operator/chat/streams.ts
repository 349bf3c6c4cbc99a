import { Readable } from 'node:stream'

/** A stream with more unread bytes is closed; the client resumes where it stopped. */
const BUFFER_MAX = 256 * 1024
const FULL = 64 * 1024

/** One client that is connected to this server. */
export interface Stream {
  readonly readable: Readable
  /** Undefined: a visitor. */
  readonly session: { id: string; userId: number } | undefined
  ended: boolean
}

export const event = (name: string, data: unknown, id?: string): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

/** @param onRead called when the client has read almost everything */
export const newReadable = (onRead = () => {}): Readable => new Readable({ read: onRead, highWaterMark: 16 * 1024 })

/** Nothing that can wait is sent to a client with this much left to read. */
export const isFull = ({ readable }: Stream): boolean => readable.readableLength >= FULL

/** Sends to a client, unless it reads too slowly. */
export function push(stream: Stream, text: string): void {
  const { readable } = stream
  if (stream.ended || readable.destroyed) return
  if (!readable.push(text) && readable.readableLength > BUFFER_MAX) readable.destroy()
}

/** Ends a stream after what was sent. */
export function end(stream: Stream): void {
  if (stream.ended || stream.readable.destroyed) return
  stream.ended = true
  stream.readable.push(null)
}
