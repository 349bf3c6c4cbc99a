import type { Target } from '../platform/platform.ts'

/** A target that passes bytes on in order; what comes early waits in memory, `WINDOW` of it at most. */
export interface OrderedTarget extends Target {
  /** Bytes from here on are too early. */
  room(): number
  onRoom(listener: () => void): void
}

const WINDOW = 32 << 20

export function orderedTarget(stream: WritableStream<Uint8Array>): OrderedTarget {
  const writer = stream.getWriter()
  const early = new Map<number, Uint8Array[]>()
  let at = 0
  let failure: unknown
  let passing: Promise<void> | undefined
  let listener = () => {}
  writer.closed.catch((error: unknown) => {
    failure ??= error ?? new Error('the stream was closed')
    listener()
  })

  const pass = async () => {
    for (let pieces = early.get(at); pieces; pieces = early.get(at)) {
      early.delete(at)
      for (const piece of pieces) {
        await writer.ready
        // A stream that fails tells so here.
        await writer.write(piece)
        at += piece.length
      }
      listener()
    }
  }

  return {
    // Whoever waits for room learns of a failure from the next write.
    room: () => (failure ? Number.POSITIVE_INFINITY : at + WINDOW),
    onRoom(heard) {
      listener = heard
    },
    // Resolves before the bytes are passed on: a chunk that comes early must not keep the one from coming that all wait for.
    async write(pieces, position) {
      if (failure) throw failure
      early.set(position, pieces)
      passing ??= pass()
        .catch((error: unknown) => {
          failure ??= error
        })
        .finally(() => {
          passing = undefined
        })
    },
    async commit(size) {
      while (passing) await passing
      if (failure) throw failure
      if (at !== size) throw new Error('bytes are missing')
      await writer.close()
    },
    async abort() {
      await writer.abort(new Error('the download was stopped')).catch(() => {})
    },
  }
}
