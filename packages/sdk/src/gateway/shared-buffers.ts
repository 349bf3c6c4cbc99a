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
  /** Of a buffer that nobody will release, and that something may still write to. It is collected. */
  drop(bytes: Uint8Array): void
  /**
   * What was acquired and not released is collected: something may still refer to it. Requests that were just cut off may acquire more, which
   * does not count: nobody would end that.
   */
  end(): void
}

/**
 * Memory that is only dropped is collected late, when many readings drop half a MiB each at a time. Buffers are whole leaves, so that the
 * odd ends of files do not fill the pool with sizes that nobody asks for.
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
