import { Readable } from 'node:stream'
import { AppError } from '@tidenet/contract'

/** Each download has up to two parts in memory, however slowly it is read. */
const PER_ACCOUNT = 4
/** A download of which nothing is read for this long is ended. */
const IDLE_MS = 60_000
const RETRY_SECONDS = 10

/** Streams recordings to accounts: a few at once for each, on this server. */
export function createDownloads() {
  const open = new Map<number, number>()
  return {
    /** @param socket of the client @throws AppError tooManyRequests */
    start(
      userId: number,
      parts: AsyncIterable<Buffer>,
      socket: { setTimeout(ms: number, end: () => void): unknown },
    ): Readable {
      const count = open.get(userId) ?? 0
      if (count >= PER_ACCOUNT) throw new AppError('tooManyRequests', { seconds: RETRY_SECONDS })
      open.set(userId, count + 1)
      const stream = Readable.from(parts, { objectMode: false })
      stream.on('close', () => {
        const left = (open.get(userId) ?? 0) - 1
        if (left > 0) open.set(userId, left)
        else open.delete(userId)
      })
      socket.setTimeout(IDLE_MS, () => stream.destroy(new Error('nobody reads the recording')))
      return stream
    },
  }
}
