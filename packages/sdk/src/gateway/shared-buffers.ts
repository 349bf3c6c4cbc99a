import type { BufferPool } from '../download/read-chunk.ts'

/**
 * Buffers of all downloads of a process. Memory that is only dropped is collected late, when many downloads drop a MiB each at a time.
 * @param most bytes that are kept for reuse
 */
export function createSharedBuffers(most: number): BufferPool {
  const free = new Map<number, ArrayBuffer[]>()
  let kept = 0
  return {
    acquire(size) {
      const buffer = free.get(size)?.pop()
      if (buffer) kept -= size
      return new Uint8Array(buffer ?? new ArrayBuffer(size))
    },
    release({ buffer }) {
      const size = buffer.byteLength
      if (!(buffer instanceof ArrayBuffer) || kept + size > most) return
      const same = free.get(size)
      if (same) same.push(buffer)
      else free.set(size, [buffer])
      kept += size
    },
  }
}
