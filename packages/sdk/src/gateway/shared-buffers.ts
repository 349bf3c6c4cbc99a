import { CHUNK_SIZE } from '@tidenet/contract/constants'

/** Memory of all readings of a process. */
export interface SharedBuffers {
  /** Bytes that readings hold now. */
  held(): number
  open(): ReadingBuffers
}

/** Memory of one reading. */
export interface ReadingBuffers {
  acquire(size: number): Uint8Array
  release(bytes: Uint8Array): void
  /** For a buffer that nobody will release and that a request may still write to. It is left to garbage collection. */
  drop(bytes: Uint8Array): void
  /**
   * Buffers that were not released are left to garbage collection, because something may still refer to them. Interrupted requests may acquire
   * more afterwards; these do not count, because nobody would release them.
   */
  end(): void
}

/**
 * Buffers are used again, because garbage collection is late if many readings drop half a MiB at a time. Their sizes are whole leaves, so that
 * the short ends of files do not fill the pool with sizes that nobody asks for.
 * @param most bytes that are kept for reuse
 */
export function createSharedBuffers(most: number): SharedBuffers {
  const free = new Map<number, ArrayBuffer[]>()
  let kept = 0
  let held = 0
  return {
    held: () => held,
    open() {
      const own = new Set<ArrayBufferLike>()
      let ended = false
      return {
        acquire(size) {
          if (ended) return new Uint8Array(size)
          const room = Math.ceil(size / CHUNK_SIZE) * CHUNK_SIZE
          const reused = free.get(room)?.pop()
          if (reused) kept -= room
          const buffer = reused ?? new ArrayBuffer(room)
          own.add(buffer)
          held += room
          return new Uint8Array(buffer, 0, size)
        },
        release({ buffer }) {
          if (!(buffer instanceof ArrayBuffer) || !own.delete(buffer)) return
          const room = buffer.byteLength
          held -= room
          if (kept + room > most) return
          const same = free.get(room)
          if (same) same.push(buffer)
          else free.set(room, [buffer])
          kept += room
        },
        drop({ buffer }) {
          if (own.delete(buffer)) held -= buffer.byteLength
        },
        end() {
          for (const { byteLength } of own) held -= byteLength
          own.clear()
          ended = true
        },
      }
    },
  }
}
