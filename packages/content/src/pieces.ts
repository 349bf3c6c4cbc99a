/** What a file is opened as: Node streams and generators are the first, `File.stream()` of a browser the second. */
export type ByteSource = AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>

/**
 * Opens a source when its first piece is wanted and iterates either kind; not every browser's ReadableStream can do it by itself.
 * What was opened is closed when the reader stops.
 */
export async function* piecesOf(open: () => ByteSource, signal?: AbortSignal): AsyncIterable<Uint8Array> {
  signal?.throwIfAborted()
  const source = open()
  if (!('getReader' in source)) {
    for await (const piece of source) {
      signal?.throwIfAborted()
      yield piece
    }
    return
  }
  const reader = source.getReader()
  let ended = false
  try {
    for (;;) {
      signal?.throwIfAborted()
      const next = await reader.read()
      if (next.done) {
        ended = true
        return
      }
      yield next.value
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => {})
  }
}

/**
 * Cuts a stream into pieces of exactly `size` bytes, the last one shorter. A piece that lies whole in one of the source's is not copied,
 * so each must be used before the next is asked for.
 */
export async function* cutEvenly(source: AsyncIterable<Uint8Array>, size: number): AsyncIterable<Uint8Array> {
  let room: Uint8Array | undefined
  let filled = 0
  for await (const piece of source) {
    let at = 0
    while (at < piece.length) {
      if (filled === 0 && piece.length - at >= size) {
        yield piece.subarray(at, at + size)
        at += size
        continue
      }
      room ??= new Uint8Array(size)
      const part = piece.subarray(at, at + size - filled)
      room.set(part, filled)
      filled += part.length
      at += part.length
      if (filled === size) {
        // New room for the next: those who send bytes may still hold this one.
        yield room
        room = undefined
        filled = 0
      }
    }
  }
  if (room && filled > 0) yield room.subarray(0, filled)
}
