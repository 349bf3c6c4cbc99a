import type { Target } from '../platform/platform.ts'

/** A target that passes bytes on in order; bytes that arrive early wait in memory, at most as many as its window has. */
export interface OrderedTarget extends Target {
  /** Offset up to which writes are accepted. */
  capacity(): number
  onCapacity(listener: () => void): void
  /** Resolves when everything received in order was passed on. */
  passed(): Promise<void>
}

/** Receives pieces in order. */
export interface Sink {
  /** Resolves when the next piece may be written. */
  write(piece: Uint8Array): Promise<void>
  close(): Promise<void>
  /** Ends without waiting for the reader. */
  abort(error: Error): void
}

const WINDOW = 32 << 20

/** @param from offset of the first byte */
export function orderedTarget(
  outlet: Sink,
  { from = 0, window = () => WINDOW }: { from?: number; window?: () => number } = {},
): OrderedTarget {
  const early = new Map<number, Uint8Array[]>()
  let at = from
  let failure: unknown
  let passing: Promise<void> | undefined
  let listener = () => {}
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })

  const passed = async () => {
    while (passing && !failure) await Promise.race([passing, stopped])
    if (failure) throw failure
  }
  const pass = async () => {
    for (let pieces = early.get(at); pieces && !failure; pieces = early.get(at)) {
      early.delete(at)
      for (const piece of pieces) {
        await outlet.write(piece)
        at += piece.length
      }
      listener()
    }
  }

  const start = () => {
    passing ??= pass()
      .catch((error: unknown) => {
        failure ??= error ?? new Error('the stream was closed')
        listener()
      })
      .finally(() => {
        passing = undefined
        // A piece may have come after the last one was passed on, and before this.
        if (!failure && early.has(at)) start()
      })
  }

  return {
    // After a failure accept any offset, so that waiting writers see the error at the next write.
    capacity: () => (failure ? Number.POSITIVE_INFINITY : at + window()),
    onCapacity(callback) {
      listener = callback
    },
    // Resolves before the bytes are passed on, so that an early chunk does not block the chunk that all wait for.
    async write(pieces, position) {
      if (failure) throw failure
      early.set(position, pieces)
      start()
    },
    passed,
    async commit(size) {
      await passed()
      if (at !== size) throw new Error('bytes are missing')
      await outlet.close()
    },
    async abort() {
      failure ??= new Error('the download was stopped')
      outlet.abort(failure as Error)
      stop()
      listener()
    },
  }
}

/** Writes to a web stream. */
export function streamSink(stream: WritableStream<Uint8Array>): Sink {
  const writer = stream.getWriter()
  writer.closed.catch(() => {})
  return {
    async write(piece) {
      await writer.ready
      await writer.write(piece)
    },
    close: () => writer.close(),
    abort(error) {
      // Do not wait: a stuck stream must not keep the download from ending.
      writer.abort(error).catch(() => {})
    },
  }
}

/** Yields each piece to the reader of `pieces` on demand. */
export function pieceQueue(): Sink & { pieces: AsyncIterable<Uint8Array> } {
  let offered: { piece: Uint8Array; taken(): void; refused(error: unknown): void } | undefined
  let wake = () => {}
  let ended = false
  let failure: unknown

  const stop = (error: unknown) => {
    failure ??= error
    offered?.refused(failure)
    offered = undefined
    wake()
  }
  async function* read(): AsyncIterable<Uint8Array> {
    try {
      for (;;) {
        while (!offered && !ended && !failure)
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        if (failure) throw failure
        if (!offered) return
        // Offered until the reader asks for the next one: if it never does, `stop` ends the write.
        const { piece, taken } = offered
        yield piece
        offered = undefined
        taken()
      }
    } finally {
      stop(new Error('nobody reads any more'))
    }
  }
  return {
    pieces: read(),
    write: (piece) =>
      new Promise((resolve, reject) => {
        if (failure) {
          reject(failure)
          return
        }
        offered = { piece, taken: resolve, refused: reject }
        wake()
      }),
    async close() {
      ended = true
      wake()
    },
    abort: stop,
  }
}
