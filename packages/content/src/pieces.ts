/** A byte stream: Node.js streams and generators are async iterables, `File.stream()` in browsers is a ReadableStream. */
export type ByteSource = AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>

/**
 * Opens a source on the first read and iterates it; not every browser's ReadableStream is iterable. The source is closed when the reader
 * stops.
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
 * Cuts a stream into pieces of exactly `size` bytes, the last one shorter. A piece contained in one source piece is not copied, so use each
 * before requesting the next.
 */
export async function* cutEvenly(source: AsyncIterable<Uint8Array>, size: number): AsyncIterable<Uint8Array> {
  let buffer: Uint8Array | undefined
  let filled = 0
  for await (const piece of source) {
    let at = 0
    while (at < piece.length) {
      if (filled === 0 && piece.length - at >= size) {
        yield piece.subarray(at, at + size)
        at += size
        continue
      }
      buffer ??= new Uint8Array(size)
      const part = piece.subarray(at, at + size - filled)
      buffer.set(part, filled)
      filled += part.length
      at += part.length
      if (filled === size) {
        // Allocate a new buffer: the consumer may still hold this one.
        yield buffer
        buffer = undefined
        filled = 0
      }
    }
  }
  if (buffer && filled > 0) yield buffer.subarray(0, filled)
}
