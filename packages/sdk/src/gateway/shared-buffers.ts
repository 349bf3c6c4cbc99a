import { CHUNK_SIZE } from '@tidenet/contract/constants'
import type { BufferPool } from '../download/read-chunk.ts'

/**
 * Buffers of all downloads of a process. Memory that is only dropped is collected late, when many downloads drop a MiB each at a time.
 * They are whole leaves, so that the odd ends of files do not fill the pool with sizes that nobody asks for.
 * @param most bytes that are kept for reuse
 */
export function createSharedBuffers(most: number): BufferPool {
  const free = new Map<number, ArrayBuffer[]>()
  let kept = 0
  return {
    acquire(size) {
      const room = Math.ceil(size / CHUNK_SIZE) * CHUNK_SIZE
      const buffer = free.get(room)?.pop()
      if (buffer) kept -= room
      return new Uint8Array(buffer ?? new ArrayBuffer(room), 0, size)
    },
    release({ buffer }) {
      const room = buffer.byteLength
      if (!(buffer instanceof ArrayBuffer) || kept + room > most) return
      const same = free.get(room)
      if (same) same.push(buffer)
      else free.set(room, [buffer])
      kept += room
    },
  }
}
